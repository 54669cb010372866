/** Which subscriptions an event matches, who sees a subscription, and the effect of a pause. */
import { describe, expect, it, test } from 'vitest';
import { type BookedSub, withPaused } from '../../../services/catalog/src/store/rules/webhook-records.ts';
import { matchesMode, subOf } from '../../../services/catalog/src/webhooks/rules/subscription-state.ts';
import { liveSecrets } from '../../../services/notifier/src/endpoints/rules/signature.ts';
import { matchesEvent } from '../../../services/notifier/src/occurrences/rules/matching.ts';
import { keptSub as sub } from '../../support/notifier/subscription.ts';

describe('a subscription matches an event', () => {
  test.each([
    ['of its mode', { mode: 'live' }, true],
    ['of both modes where the subscription has none', { mode: null }, true],
    ['not of the other mode', { mode: 'test' }, false],
    ['not while the subscription is paused', { disabled: true }, false],
  ] as const)('%s', (_name, more, heard) => {
    expect(matchesMode({ ...sub, ...more }, 'live')).toBe(heard);
  });

  test.each([
    ['every event where it has neither workspace nor environment', {}, { environment: 'staging' }, true],
    ['every event, also one without an environment', {}, { environment: null }, true],
    ['its environment', { environment: 'staging' }, { environment: 'staging' }, true],
    ['no other environment', { environment: 'staging' }, { environment: 'production' }, false],
    [
      'no event without an environment, where the subscription has one',
      { environment: 'staging' },
      { environment: null },
      false,
    ],
    ['its workspace', { workspaceId: 'ws_1' }, { environment: null }, true],
    ['no other workspace', { workspaceId: 'ws_2' }, { environment: null }, false],
    [
      'neither, where only one fits',
      { workspaceId: 'ws_2', environment: 'staging' },
      { environment: 'staging' },
      false,
    ],
  ] as const)('%s', (_name, more, event, heard) => {
    const asked = { workspaceId: null, environment: null, ...more };
    expect(matchesEvent(asked, { workspaceId: 'ws_1', ...event })).toBe(heard);
  });
});

describe('a subscription that is paused', () => {
  const booked: BookedSub = { sub, secrets: [] };
  const book = { subs: [booked, { sub: { ...sub, id: 'whk_2' }, secrets: [] }] };

  it('shows its reason, and the others go on', () => {
    const paused = withPaused(book, 'whk_1', 'gone', 7);
    expect(paused.subs.map((each) => subOf(each.sub))).toMatchObject([
      { id: 'whk_1', disabled: true, pausedReason: 'gone' },
      { id: 'whk_2', disabled: false, pausedReason: null },
    ]);
  });

  it('keeps its reason when it is paused again; pausing a missing subscription changes nothing', () => {
    const paused = withPaused(book, 'whk_1', 'gone', 7);
    expect(withPaused(paused, 'whk_1', 'failing', 7)).toBe(paused);
    expect(withPaused(book, 'whk_3', 'gone', 7)).toBe(book);
  });
});

it('signs with every live secret, the newest first', () => {
  const secrets = [
    { secret: 'whsec_new', until: null },
    { secret: 'whsec_old', until: 2_000 },
  ];
  expect(liveSecrets(secrets, 1_999)).toEqual(secrets);
  expect(liveSecrets(secrets, 2_000)).toEqual(secrets.slice(0, 1));
});
