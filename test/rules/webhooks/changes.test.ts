/** Who may make, see and change which webhook subscription, and the bounds of its secrets and numbers. */
import type { Scope } from '@parterre/shared/protocol/catalog/scope';
import type { WebhookChanges } from '@parterre/shared/protocol/catalog/webhooks';
import type { Outcome } from '@parterre/shared/protocol/errors';
import { replacedSecretMs } from '@parterre/shared/protocol/webhook-limits';
import { describe, expect, it, test } from 'vitest';
import type { KeptSub, WebhookBook } from '../../../services/catalog/src/store/rules/webhook-records.ts';
import {
  reachOfNew,
  signingOf,
  subscriptionInScope,
  withChanges,
  withNew,
  without,
  withSecret,
} from '../../../services/catalog/src/webhooks/rules/subscription-state.ts';
import { keptSub } from '../../support/notifier/subscription.ts';

const whose = { organisationId: 'org_1', workspaceId: null, actor: 'somebody' };
const scopes = {
  'a live key': { ...whose, mode: 'live', environment: null, role: null },
  'a test key': { ...whose, mode: 'test', environment: null, role: null },
  'a live key of staging': { ...whose, mode: 'live', environment: 'staging', role: null },
  'a live key of the annex': { ...whose, workspaceId: 'ws_annex', mode: 'live', environment: null, role: null },
  'an admin': { ...whose, mode: null, environment: null, role: 'admin' },
} as const satisfies Record<string, Scope>;
type Who = keyof typeof scopes;

const bookOf = (...subs: Partial<KeptSub>[]): WebhookBook => ({
  subs: subs.map((more, at) => ({
    sub: { ...keptSub, id: `whk_${at + 1}`, ...more },
    secrets: [{ secret: `whsec_${at + 1}`, until: null }],
  })),
});
const codeOf = (outcome: Outcome<unknown>) => (outcome.ok ? 'done' : outcome.refusal.code);

describe('a new subscription', () => {
  test.each([
    ['a live key', {}, { mode: 'live', environment: null }],
    ['a test key', { mode: 'live', environment: 'production' }, { mode: 'test', environment: null }],
    ['a live key of staging', { mode: null, environment: null }, { mode: 'live', environment: 'staging' }],
    ['a live key of the annex', {}, { mode: 'live', environment: null, workspaceId: 'ws_annex' }],
    ['an admin', {}, { mode: 'live', environment: null }],
    ['an admin', { mode: 'test', environment: 'staging' }, { mode: 'test', environment: 'staging' }],
    ['an admin', { mode: null, environment: null }, { mode: null, environment: null }],
  ] as const)('of %s that asks for %j reaches %j', (who, asked, reach) => {
    expect(reachOfNew(scopes[who], asked)).toEqual({ workspaceId: null, ...reach });
  });
});

describe('a subscription is in scope', () => {
  const subs = {
    'a live one': {},
    'a test one': { mode: 'test' },
    'one of both modes': { mode: null },
    'one of staging': { environment: 'staging' },
    'one of production': { environment: 'production' },
    'one of the annex': { workspaceId: 'ws_annex' },
  } as const satisfies Record<string, Partial<KeptSub>>;
  const known: Record<Who, (keyof typeof subs)[]> = {
    'a live key': ['a live one', 'one of staging', 'one of production', 'one of the annex'],
    'a test key': ['a test one'],
    'a live key of staging': ['one of staging'],
    'a live key of the annex': ['one of the annex'],
    'an admin': Object.keys(subs) as (keyof typeof subs)[],
  };

  test.each(Object.keys(scopes) as Who[])('of %s', (who) => {
    const names = Object.keys(subs) as (keyof typeof subs)[];
    expect(names.filter((name) => subscriptionInScope({ ...keptSub, ...subs[name] }, scopes[who]))).toEqual(known[who]);
    for (const name of names) {
      const expected = known[who].includes(name) ? 'done' : 'not_found';
      const book = bookOf(subs[name]);
      expect(codeOf(withChanges(book, scopes[who], 'whk_1', { disabled: true }, 7))).toBe(expected);
      expect(codeOf(withSecret(book, scopes[who], 'whk_1', 'whsec_new', 2))).toBe(expected);
      expect(codeOf(without(book, scopes[who], 'whk_1'))).toBe(expected);
    }
  });
});

describe('a change of mode or environment', () => {
  test.each<[Who, Partial<KeptSub>, WebhookChanges, string]>([
    ['a live key', {}, { mode: 'live', environment: null }, 'done'],
    ['a live key', { environment: 'staging' }, { environment: 'staging' }, 'done'],
    ['a live key', { environment: 'staging' }, { environment: null }, 'webhook_scope_immutable'],
    ['a live key', {}, { environment: 'staging' }, 'webhook_scope_immutable'],
    ['a live key', {}, { mode: 'test' }, 'webhook_scope_immutable'],
    ['a live key', {}, { mode: null }, 'webhook_scope_immutable'],
    ['a live key of staging', { environment: 'staging' }, { mode: 'live', environment: 'staging' }, 'done'],
    ['a live key of staging', { environment: 'staging' }, { environment: null }, 'webhook_scope_immutable'],
    ['a live key', { mode: null }, { mode: null }, 'not_found'],
    ['an admin', {}, { mode: 'test', environment: 'staging' }, 'done'],
    ['an admin', { environment: 'staging' }, { mode: null, environment: null }, 'done'],
    ['an admin', { mode: null }, { mode: 'live' }, 'done'],
  ])('by %s, of %j to %j: %s', (who, sub, changes, expected) => {
    const changed = withChanges(bookOf(sub), scopes[who], 'whk_1', { ...changes, disabled: true }, 7);
    expect(codeOf(changed)).toBe(expected);
    if (changed.ok) expect(changed.value.subs[0]!.sub).toMatchObject({ ...changes, disabled: true });
  });

  it('changes nothing else where it is refused', () => {
    const book = bookOf({}, {});
    const before = structuredClone(book);
    expect(withChanges(book, scopes['a live key'], 'whk_1', { url: 'https://b.example/', mode: 'test' }, 7).ok).toBe(
      false,
    );
    expect(book).toEqual(before);
  });
});

describe('what is changed', () => {
  const change = (sub: Partial<KeptSub>, changes: WebhookChanges) => {
    const changed = withChanges(bookOf(sub, {}), scopes['an admin'], 'whk_1', changes, 7);
    if (!changed.ok) throw new Error(changed.refusal.message);
    expect(changed.value.subs[1]).toEqual(bookOf({}, {}).subs[1]);
    return changed.value.subs[0]!.sub;
  };

  it('only the named fields change', () => {
    expect(change({}, { events: ['ping'] })).toEqual({ ...keptSub, events: ['ping'] });
    expect(change({}, { url: 'https://b.example/' })).toEqual({ ...keptSub, url: 'https://b.example/' });
  });

  it("an operator's pause has its reason, a paused subscription keeps its reason, and an active one has none", () => {
    expect(change({}, { disabled: true })).toMatchObject({ disabled: true, pausedReason: 'operator' });
    const gone = { disabled: true, pausedReason: 'gone' } as const;
    expect(change(gone, { disabled: true })).toMatchObject(gone);
    expect(change(gone, { url: 'https://b.example/' })).toMatchObject(gone);
    expect(change(gone, { disabled: false })).toMatchObject({ disabled: false, pausedReason: null });
  });
});

describe('the number of subscriptions', () => {
  const active = (count: number) => Array.from({ length: count }, () => ({}));
  const paused = (count: number) => Array.from({ length: count }, () => ({ disabled: true }));
  const made = bookOf({ id: 'whk_new' }).subs[0]!;

  test.each([
    [9, 15, 'done'],
    [10, 0, 'webhook_limit_reached'],
    [9, 16, 'webhook_limit_reached'],
    [0, 25, 'webhook_limit_reached'],
  ])('with %d active and %d paused ones another is %s', (on, off, expected) => {
    expect(codeOf(withNew(bookOf(...active(on), ...paused(off)), made))).toBe(expected);
  });

  test.each([
    [9, { disabled: false }, 'done'],
    [10, { disabled: false }, 'webhook_limit_reached'],
    [10, { url: 'https://b.example/' }, 'done'],
  ])('with %d active ones a paused one can be given %j: %s', (on, changes, expected) => {
    const book = bookOf({ disabled: true }, ...active(on));
    expect(codeOf(withChanges(book, scopes['a live key'], 'whk_1', changes, 7))).toBe(expected);
  });

  it('an active subscription may be set active again', () => {
    expect(codeOf(withChanges(bookOf(...active(10)), scopes['a live key'], 'whk_1', { disabled: false }, 7))).toBe(
      'done',
    );
  });
});

describe('a secret that is replaced', () => {
  const rotate = (book: WebhookBook, secret: string, now: number): WebhookBook => {
    const rotated = withSecret(book, scopes['a live key'], 'whk_1', secret, now);
    if (!rotated.ok) throw new Error(rotated.refusal.message);
    return rotated.value;
  };

  it('signs for 24 hours after its replacement, and then goes', () => {
    const first = rotate(bookOf({}, {}), 'whsec_b', 1_000);
    expect(first.subs[0]!.secrets).toEqual([
      { secret: 'whsec_b', until: null },
      { secret: 'whsec_1', until: 1_000 + replacedSecretMs },
    ]);
    const second = rotate(first, 'whsec_c', 1_000 + replacedSecretMs - 1);
    expect(second.subs[0]!.secrets).toEqual([
      { secret: 'whsec_c', until: null },
      { secret: 'whsec_b', until: 1_000 + 2 * replacedSecretMs - 1 },
      { secret: 'whsec_1', until: 1_000 + replacedSecretMs },
    ]);
    const third = rotate(second, 'whsec_d', 1_000 + replacedSecretMs);
    expect(signingOf(third.subs[0]!).secrets.map(({ secret }) => secret)).toEqual(['whsec_d', 'whsec_c', 'whsec_b']);
    expect(third.subs[1]!.secrets).toEqual([{ secret: 'whsec_2', until: null }]);
  });

  it('goes at once when four others were replaced after it', () => {
    let book = bookOf({});
    for (let round = 0; round < 8; round++) book = rotate(book, `whsec_round-${round}`, round);
    const secrets = signingOf(book.subs[0]!).secrets.map(({ secret }) => secret);
    expect(secrets).toEqual([7, 6, 5, 4, 3].map((round) => `whsec_round-${round}`));
  });
});
