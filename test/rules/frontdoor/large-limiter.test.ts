/** Turns of large work: who goes on, who waits, who is refused; and whom the bytes count for. */
import type { Outcome } from '@parterre/shared/protocol/errors';
import {
  largeBodiesAtOnceMax,
  largeBodiesOfTenantMax,
  largeTurnMsMax,
  largeTurnsOfSessionMax,
  largeTurnsOfTenantMax,
} from '@parterre/shared/protocol/limits';
import { describe, expect, it } from 'vitest';
import { type BudgetLimits, createBudgets } from '../../../services/frontdoor/src/admission/admission.ts';
import {
  createLargeBodies,
  createLargeLimiter,
  overBytes,
  partyOf,
} from '../../../services/frontdoor/src/admission/large-bodies.ts';
import type { Lease } from '../../../services/frontdoor/src/admission/route.ts';
import { ManualClock } from '../../support/manual-clock.ts';

const MIB = 1024 * 1024;
const settled = () => new Promise((resolve) => setImmediate(resolve));

function setUp(atOnce = largeBodiesAtOnceMax, ofTenant = largeBodiesOfTenantMax) {
  const clock = new ManualClock();
  const turns = createLargeLimiter(clock, atOnce, ofTenant);
  /** The ends of turns, by the name of their asker: a lease, or the code of a refusal. */
  const ends = new Map<string, Outcome<Lease>>();
  const ask = async (name: string, tenant: string, session: string | null = null, deadlineAt = Infinity) => {
    void turns.acquire(tenant, session, deadlineAt).then((end) => ends.set(name, end));
    await settled();
  };
  const release = async (name: string) => {
    const end = ends.get(name)!;
    if (end.ok) end.value.release();
    await settled();
  };
  const told = () => Object.fromEntries([...ends].map(([name, end]) => [name, end.ok ? 'lent' : end.refusal.code]));
  return { clock, ask, release, told };
}

describe('a turn of large work', () => {
  it('comes at once where nobody is before it, and else when the one before is over', async () => {
    const { ask, release, told } = setUp(10, 1);
    await ask('first', 'a');
    await ask('second', 'a');
    expect(told()).toEqual({ first: 'lent' });
    await release('first');
    expect(told()).toEqual({ first: 'lent', second: 'lent' });
  });

  it('of a session is one at a time, beside other sessions of its tenant', async () => {
    const { ask, release, told } = setUp();
    await ask('one', 'a', 's');
    await ask('two', 'a', 's');
    await ask('other', 'a', 't');
    expect(told()).toEqual({ one: 'lent', other: 'lent' });
    await release('one');
    expect(told()).toMatchObject({ two: 'lent' });
  });

  it('of a tenant waits behind no other tenant that waits', async () => {
    const { ask, release, told } = setUp(2, 1);
    for (const name of ['a1', 'a2', 'a3']) await ask(name, 'a');
    for (const name of ['b1', 'b2']) await ask(name, 'b');
    await ask('c1', 'c');
    expect(told()).toEqual({ a1: 'lent', b1: 'lent' });
    await release('a1');
    await release('b1');
    await release('a2');
    expect(Object.keys(told())).toEqual(['a1', 'b1', 'a2', 'b2', 'c1']);
  });

  it('that does not come in time is refused, and leaves the row', async () => {
    const { clock, ask, release, told } = setUp(10, 1);
    await ask('first', 'a');
    await ask('late', 'a');
    await ask('hurried', 'a', null, clock.elapsed() + 10);
    clock.advance(10);
    await settled();
    expect(told()).toEqual({ first: 'lent', hurried: 'overloaded' });
    clock.advance(largeTurnMsMax - 10);
    await settled();
    expect(told()).toMatchObject({ late: 'overloaded' });
    await release('first');
    await ask('next', 'a');
    expect(told()).toMatchObject({ next: 'lent' });
  });

  it('is refused where too many of the tenant or session wait, and only there', async () => {
    const { ask, release, told } = setUp(100, 1);
    for (let i = 0; i <= largeTurnsOfTenantMax; i++) await ask(`a${i}`, 'a');
    await ask('flood', 'a');
    await ask('b', 'b');
    expect(told()).toEqual({ a0: 'lent', flood: 'overloaded', b: 'lent' });
    await release('a0');
    await ask('after', 'a');
    expect(told()).not.toHaveProperty('after');
    for (let i = 0; i <= largeTurnsOfSessionMax; i++) await ask(`s${i}`, 'c', 's');
    await ask('flood of s', 'c', 's');
    expect(told()).toMatchObject({ s0: 'lent', 'flood of s': 'overloaded' });
  });

  it('of a session does not fill the row of its tenant', async () => {
    const { ask, release, told } = setUp(100, 1);
    for (let session = 0; session < largeTurnsOfTenantMax; session++)
      for (let i = 0; i < largeTurnsOfSessionMax; i++) await ask(`s${session}.${i}`, 'demo', `s${session}`);
    await ask('new', 'demo', 'new');
    expect(told()).toEqual({ 's0.0': 'lent' });
    await release('s0.0');
    expect(Object.keys(told())).toEqual(['s0.0', 's1.0']);
  });

  it('may be released twice, and counts once', async () => {
    const { ask, release, told } = setUp(10, 1);
    for (const name of ['one', 'two', 'three']) await ask(name, 'a');
    await release('one');
    await release('one');
    expect(told()).toEqual({ one: 'lent', two: 'lent' });
  });
});

it('A tenant sends several large bodies at a time, and the work of one is done', async () => {
  const { receiving, work } = createLargeBodies(new ManualClock(), {} as never);
  const lent: string[] = [];
  for (let i = 0; i < largeBodiesOfTenantMax + 1; i++)
    void receiving.acquire('a', null, Infinity).then(() => lent.push('body'));
  for (let i = 0; i < 2; i++) void work.acquire('a', null, Infinity).then(() => lent.push('work'));
  await settled();
  expect(lent.sort()).toEqual([...Array(largeBodiesOfTenantMax).fill('body'), 'work']);
});

describe('the bytes of large bodies', () => {
  const counting = (limits: BudgetLimits = new Map()) => {
    const clock = new ManualClock();
    return { clock, budgets: createBudgets(clock, {} as never, limits) };
  };
  const staff = { tenant: 'org', session: 's' };
  const key = { tenant: 'org', session: null };

  it('are 120 MiB of a tenant a minute, then 429 until the window ends', () => {
    const { clock, budgets } = counting();
    for (let i = 0; i < 8; i++) expect(overBytes(budgets, key, 15 * MIB)).toBeNull();
    clock.advance(20_000);
    expect(overBytes(budgets, key, 15 * MIB)).toMatchObject({
      refusal: { code: 'rate_limited', details: { retryAfterSeconds: 40 } },
    });
    expect(overBytes(budgets, { ...key, tenant: 'other' }, 15 * MIB)).toBeNull();
    expect(budgets.refused.byBudget.get('large-bodies')).toBe(1);
    clock.advance(40_000);
    expect(overBytes(budgets, key, 15 * MIB)).toBeNull();
  });

  it('are half of it for one session', () => {
    const { budgets } = counting();
    for (let i = 0; i < 4; i++) expect(overBytes(budgets, staff, 15 * MIB)).toBeNull();
    expect(overBytes(budgets, staff, 15 * MIB)).toMatchObject({ refusal: { code: 'rate_limited' } });
    expect(overBytes(budgets, { ...staff, session: 't' }, 15 * MIB)).toBeNull();
  });

  it('of a body that its session may not send count for the session alone', () => {
    const { budgets } = counting();
    for (let i = 0; i < 40; i++) overBytes(budgets, { tenant: 'demo', session: `visitor ${i}` }, 15 * MIB, true);
    expect(overBytes(budgets, { tenant: 'demo', session: 'visitor 40' }, MIB)).toBeNull();
    expect(overBytes(budgets, { tenant: 'demo', session: 'visitor 1' }, 60 * MIB, true)).toBeNull();
    expect(overBytes(budgets, { tenant: 'demo', session: 'visitor 1' }, 1, true)).not.toBeNull();
  });

  it('have the limit of the deployment, and a body above the limit goes through once', () => {
    const { budgets } = counting(new Map([['large-bodies', 1_024]]));
    expect(overBytes(budgets, key, 15 * MIB)).toBeNull();
    expect(overBytes(budgets, key, 1)).not.toBeNull();
    expect(overBytes(counting(new Map([['large-bodies', null]])).budgets, key, 500 * MIB)).toBeNull();
    expect(overBytes(null, key, 500 * MIB)).toBeNull();
  });

  it('of a buyer and of a stranger count for the address, never for the organisation', () => {
    const from = { address: () => '2001:db8::1' };
    const organisationId = 'org';
    const buyer = { kind: 'publishable', organisationId, keyHash: 'h' };
    expect(partyOf(buyer as never, from)).toEqual(partyOf(null, from));
    expect(partyOf(buyer as never, from).tenant).not.toBe('org');
    expect(partyOf({ kind: 'secret', organisationId } as never, from)).toEqual({ tenant: 'org', session: null });
    const person = { kind: 'dashboard', organisationId, userId: 'usr' };
    expect(partyOf(person as never, from)).toEqual({ tenant: 'org', session: 'usr' });
    const designer = { kind: 'designer', organisationId, keyHash: 'h' };
    expect(partyOf(designer as never, from)).toEqual({ tenant: 'org', session: 'h' });
  });
});
