/** Ticket releases, case by case: closing, charts that drop a category, and snapshots. */
import { describe, expect, test } from 'vitest';
import { capture, fromSnapshot, toSnapshot } from '../../../../services/inventory-shard/src/rules/turn/snapshot.ts';
import { hold, house, MINUTE, START, shrunkPlan } from '../../../support/inventory/house.ts';
import { close, draft, kept, listOf, pricesOf, set, updateTo } from '../../../support/inventory/ticket-releases.ts';

describe('closing a ticket release', () => {
  test('ends it now and keeps it in the list; a repetition changes nothing', () => {
    const event = house();
    event.ok(set(draft('r', { endsAt: START + 9 * MINUTE })));
    event.pass(MINUTE);
    const first = event.ok(close('r'));
    expect(first.releases).toMatchObject([{ status: 'closed', endsAt: START + MINUTE }]);
    event.pass(MINUTE);
    expect(event.ok(close('r'))).toEqual(first);
    expect(pricesOf(event, hold('h', 'A-1'))).toEqual([['A-1', 40, null]]);
    expect(event.refused(close('nobody')).code).toBe('not_found');
  });

  test('keeps an end that has passed', () => {
    const event = house();
    event.ok(set(draft('r', { endsAt: START + 1 })));
    event.pass(MINUTE);
    expect(event.ok(close('r')).releases).toMatchObject([{ status: 'closed', endsAt: START + 1 }]);
  });

  test('before its start allows the list to be sent back unchanged, and a new end opens it again', () => {
    const event = house();
    const startsAt = START + MINUTE;
    event.ok(set(draft('r', { startsAt })));
    const [closed] = event.ok(close('r')).releases;
    event.ok(set(kept('r', { startsAt, endsAt: closed!.endsAt })));
    expect(listOf(event)).toMatchObject([{ status: 'closed' }]);
    event.ok(set(kept('r', { startsAt, endsAt: null })));
    expect(listOf(event)).toMatchObject([{ status: 'upcoming', endsAt: null }]);
  });

  test('gives a repeated call its first answer, even if the ticket release is open again', () => {
    const event = house();
    event.ok(set(draft('r')));
    const command = close('r');
    const first = event.ok(command);
    event.ok(set(kept('r')));
    expect(event.ok(command)).toEqual(first);
    expect(listOf(event)).toMatchObject([{ status: 'active' }]);
  });
});

describe('a chart without the category of a ticket release', () => {
  test('keeps the ticket release as ended; a chart with the category lets it sell again', () => {
    const event = house();
    const drafts = [draft('floor', { categoryKey: 'floor' }), draft('stalls', { categoryKey: 'stalls', price: 20 })];
    event.ok(set(...drafts));
    const tiered = { id: 'full', name: 'Full', price: 50 };
    const changed = shrunkPlan.categories
      .filter(({ key }) => key !== 'floor')
      .map((category) => (category.key === 'stalls' ? { ...category, tiers: [tiered] } : category));
    event.state.plan = { ...event.state.plan, categories: changed };
    expect(pricesOf(event, hold('h1', 'A-1'))).toEqual([['A-1', 50, null]]);
    const asShown = drafts.map((each) => ({ ...each, isNew: false }));
    expect(event.ok(set(...asShown)).releases.map(({ status }) => status)).toEqual(['ended', 'ended']);
    expect(event.refused(set(...asShown, draft('new', { categoryKey: 'floor' }))).code).toBe('invalid_request');
    event.ok(updateTo('moved-plan'));
    expect(listOf(event).map(({ status }) => status)).toEqual(['active', 'active']);
    expect(pricesOf(event, hold('h2', 'B-1'))).toEqual([['B-1', 20, 'stalls']]);
  });
});

test('a snapshot has the ticket releases and their use', () => {
  const event = house();
  event.ok(set(draft('r1', { quota: 1 }), draft('r2')));
  event.ok(hold('h', 'A-1', 'A-2'));
  event.ok(close('r2'));
  const restored = fromSnapshot(structuredClone(toSnapshot(capture(event.state))), event.state.plan);
  expect(restored.releases).toEqual(event.state.releases);
  expect(restored.releaseUse).toEqual(event.state.releaseUse);
});
