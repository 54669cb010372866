/** A listed seat in checkout is in its seller's booking and in its buyer's hold. A quota counts it once. */
import { describe, expect, test } from 'vitest';
import { book, callId, hold, house, list } from '../../../support/inventory/house.ts';

describe('a quota counts a listed seat in checkout once', () => {
  /** The release sells 4 seats. r1 has booked under it, and both are listed. */
  function listedUnderRelease() {
    const event = house();
    const early = { name: 'Early', price: 8, previousPrice: null, startsAt: null, endsAt: null, actionUrl: null };
    const release = { ...early, id: 'early', isNew: true, quota: 4, categoryKey: null, action: 'buy' as const };
    event.ok({ type: 'set-releases', callId: callId(), releases: [release] });
    event.ok(hold('first', 'A-1', 'A-2'));
    event.ok(book('first', 'r1'));
    event.ok(list('l1', 'r1', 'A-1', 'A-2'));
    event.ok({ ...hold('h', 'A-1', 'A-2'), ttlMs: 1_000 });
    return event;
  }
  const consumed = (event: ReturnType<typeof house>): number =>
    event.ok({ type: 'releases' }).releases.find(({ id }) => id === 'early')!.consumed;

  test('while it is in checkout, so that others get the rest of the quota', () => {
    const event = listedUnderRelease();
    expect(consumed(event)).toBe(2);
    const { items } = event.ok(hold('other', 'A-3', 'A-4'));
    expect(items.map(({ releaseId }) => releaseId)).toEqual(['early', 'early']);
    expect(consumed(event)).toBe(4);
  });

  test.each<[string, (event: ReturnType<typeof house>) => void]>([
    ['it is sold', (event) => event.ok(book('h', 'r2'))],
    ['the hold is released', (event) => event.ok({ type: 'release', callId: callId(), holdId: 'h' })],
    ['the hold expires', (event) => event.pass(2_000)],
    ['another hold replaces the hold', (event) => event.ok({ ...hold('h2', 'A-1', 'A-2'), replaceHoldId: 'h' })],
    [
      'it is sold, and sold again',
      (event) => {
        event.ok(book('h', 'r2'));
        event.ok(list('l2', 'r2', 'A-1', 'A-2'));
        event.ok(hold('h2', 'A-1', 'A-2'));
        event.ok(book('h2', 'r3'));
      },
    ],
  ])('after %s', (_, end) => {
    const event = listedUnderRelease();
    end(event);
    expect(consumed(event)).toBe(2);
  });
});
