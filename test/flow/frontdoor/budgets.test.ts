/**
 * Request budgets between front doors and the owner of a partition, over a real NATS: all front doors share one count.
 */
import { connect, type NatsConnection } from '@nats-io/transport-node';
import type { Envelope, Reply } from '@parterre/shared/protocol/commands';
import { done, type Outcome, refuse } from '@parterre/shared/protocol/errors';
import { requestDeadlineMs } from '@parterre/shared/protocol/limits';
import { type Clock, systemClock } from '@parterre/shared/runtime/clock';
import type { Spent } from '@parterre/shared/runtime/fixed-windows';
import { createLog } from '@parterre/shared/runtime/log';
import { afterAll, beforeAll, describe, expect, it, onTestFinished } from 'vitest';
import { type Budgets as BudgetsOfDoor, createBudgets } from '../../../services/frontdoor/src/admission/budgets.ts';
import { type Budget, budgets as table } from '../../../services/frontdoor/src/admission/rules/budget.ts';
import { createCommandBus } from '../../../services/frontdoor/src/shards/command-bus.ts';
import { createShardClient, type ShardClient } from '../../../services/frontdoor/src/shards/shard-client.ts';
import { Budgets } from '../../../services/inventory-shard/src/partition/budgets.ts';
import { deliverCommands } from '../../../services/inventory-shard/src/partition/commands.ts';
import type { Partition } from '../../../services/inventory-shard/src/partition/partition.ts';
import { createOutgoing } from '../../../services/inventory-shard/src/partition/replies.ts';
import { ManualClock } from '../../support/manual-clock.ts';
import { startNats, type TestNats } from '../../support/servers/nats.ts';

const MINUTE_MS = 60_000;

/** Requests of one organisation, each with its whole deadline before it. */
function spending(budgets: BudgetsOfDoor, clock: Clock) {
  return {
    spend: (budget: Budget, countedAs: string) =>
      budgets.spend(budget, countedAs, 'org_1', clock.elapsed() + requestDeadlineMs),
  };
}

describe('over NATS', () => {
  let server: TestNats;
  let nats: NatsConnection;
  let number = 0;

  beforeAll(async () => {
    server = await startNats();
    nats = await connect({ servers: server.url });
  });
  afterAll(async () => {
    await nats?.close();
    await server?.stop();
  });

  /** The owner of a partition without events. Commands that are not about budgets are collected as strays. */
  async function owner(state = 'serving') {
    const clock = new ManualClock();
    const strays: Envelope[] = [];
    const partition = {
      state,
      epoch: 1,
      submit: ({ envelope }: { envelope: Envelope }) => strays.push(envelope),
      pump() {},
    };
    const kinds: string[] = [];
    const link = { loses: false };
    const { reply } = createOutgoing(nats);
    const budgets = new Budgets(clock, (pending) => {
      kinds.push(pending.reply.kind);
      if (!link.loses) reply(pending);
    });
    const log = createLog('test', 'silent');
    const stop = await deliverCommands({ nats, log }, number, partition as unknown as Partition, budgets);
    return { clock, partition, kinds, link, strays, stop };
  }

  function frontDoor(clock: Clock = systemClock) {
    const here = number;
    const bus = createCommandBus(nats);
    onTestFinished(() => bus.close());
    const shards = createShardClient({
      bus,
      placement: () => here,
      clock,
      configOf: async () => refuse('not_found', 'A budget is no event.'),
      onVersion: () => {},
      atTurnEnd: setImmediate,
      isHopeless: () => false,
      onFault: (fault) => {
        throw fault;
      },
    });
    return spending(createBudgets(clock, shards), clock);
  }

  async function spendAll(doors: ReturnType<typeof frontDoor>[], times: number, who: string): Promise<Spent[]> {
    const outcomes = await Promise.all(
      Array.from({ length: times }, (_, i) => doors[i % doors.length]!.spend(table.serverHolds, who)),
    );
    return outcomes.map((outcome) => {
      if (!outcome.ok) throw new Error(outcome.refusal.code);
      return outcome.value;
    });
  }
  const allowed = (spent: Spent[]): number => spent.filter((each) => each.allowed).length;

  it('two front doors together allow exactly the limit, and start the next window together', async () => {
    number++;
    const { clock, strays, stop } = await owner();
    onTestFinished(stop);
    const first = await spendAll([frontDoor(), frontDoor()], 2_000, 'key_1');
    expect(allowed(first)).toBe(600);
    expect(first.map(({ remaining }) => remaining)).toContain(599);
    expect(strays).toEqual([]);
    // New front doors do not know that the budget is used up, so they ask.
    clock.advance(MINUTE_MS - 1);
    expect(allowed(await spendAll([frontDoor(), frontDoor()], 4, 'key_1'))).toBe(0);
    clock.advance(1);
    expect(allowed(await spendAll([frontDoor(), frontDoor()], 2_000, 'key_1'))).toBe(600);
  });

  it('an owner that does not serve counts nothing; requests wait until it serves', async () => {
    number++;
    const { partition, kinds, stop } = await owner('recovering');
    onTestFinished(stop);
    const asked = frontDoor().spend(table.serverHolds, 'key_1');
    await expect.poll(() => kinds.length).toBeGreaterThan(1);
    expect(kinds).not.toContain('ok');
    partition.state = 'serving';
    expect(await asked).toMatchObject({ ok: true, value: { allowed: true, remaining: 599 } });
  });

  it('reads are counted by the front door alone while no owner serves, so that maps are shown', async () => {
    number++;
    const { partition, stop } = await owner('recovering');
    onTestFinished(stop);
    const door = frontDoor();
    const reads = { ...table.buyerReads, limit: 2 };
    const spent = await Promise.all([1, 2, 3].map(() => door.spend(reads, '192.0.2.1')));
    expect(spent.map((each) => each.ok && each.value.allowed)).toEqual([true, true, false]);
    partition.state = 'serving';
    await expect.poll(() => door.spend(reads, '192.0.2.1')).toMatchObject({ value: { remaining: 1 } });
  });

  it('a request whose answer is lost is sent again, and counts once', async () => {
    number++;
    const { kinds, link, stop } = await owner();
    onTestFinished(stop);
    const clock = new ManualClock();
    const door = frontDoor(clock);
    link.loses = true;
    const asked = door.spend(table.serverHolds, 'key_1');
    await expect.poll(() => kinds.length).toBe(1);
    link.loses = false;
    clock.advance(2_100);
    expect(await asked).toMatchObject({ value: { remaining: 599 } });
    expect(kinds).toHaveLength(2);
    expect(await door.spend(table.serverHolds, 'key_1')).toMatchObject({ value: { remaining: 598 } });
  });

  it('the next owner begins with new windows', async () => {
    number++;
    const before = await owner();
    expect(allowed(await spendAll([frontDoor()], 700, 'key_1'))).toBe(600);
    await before.stop();
    await nats.flush();
    const after = await owner();
    onTestFinished(after.stop);
    expect(allowed(await spendAll([frontDoor()], 700, 'key_1'))).toBe(600);
  });
});

describe('the owner', () => {
  const setUp = () => {
    const clock = new ManualClock();
    const replies: Reply[] = [];
    const budgets = new Budgets(clock, ({ reply }) => replies.push(reply));
    const spend = (id: number, frontDoor = 'one', batch = id, amount?: number): unknown => {
      const usual = { type: 'spend' as const, limit: 3, windowMs: MINUTE_MS };
      const command = amount === undefined ? usual : { ...usual, amount };
      const caller = { source: 'timer' as const, actor: null, accessSource: 'public' as const };
      budgets.take({ id, eventKey: 'budget x', caller, command }, `inbox.${frontDoor}.${batch}`, true);
      return (replies.at(-1) as Reply & { kind: 'ok' }).value;
    };
    return { clock, spend };
  };

  it('counts a repeated request once, and repeats its first answer', () => {
    const { clock, spend } = setUp();
    expect(spend(1)).toEqual({ allowed: true, remaining: 2, resetAfterMs: MINUTE_MS });
    spend(2);
    clock.advance(2_000);
    expect(spend(1, 'one', 7)).toEqual({ allowed: true, remaining: 2, resetAfterMs: MINUTE_MS - 2_000 });
    expect(spend(3)).toMatchObject({ allowed: true, remaining: 0 });
  });

  it('tells requests of two front doors apart', () => {
    const { spend } = setUp();
    spend(1, 'one');
    expect(spend(1, 'two')).toMatchObject({ remaining: 1 });
  });

  it('counts as many requests of a question as remain', () => {
    const { spend } = setUp();
    expect(spend(1, 'one', 1, 2)).toMatchObject({ allowed: true, remaining: 1, granted: 2 });
    expect(spend(2, 'one', 2, 2)).toMatchObject({ allowed: false, remaining: 0, granted: 1 });
    expect(spend(3, 'one', 3, 2)).toMatchObject({ allowed: false, remaining: 0, granted: 0 });
    expect(spend(2, 'one', 2, 2)).toMatchObject({ allowed: false, remaining: 0, granted: 1 });
  });

  it('recognises a copy for as long as a front door may send one', () => {
    const { clock, spend } = setUp();
    clock.advance(requestDeadlineMs - 1);
    spend(1);
    clock.advance(requestDeadlineMs - 1);
    spend(2);
    expect(spend(1)).toMatchObject({ remaining: 2 });
  });
});

describe('a front door', () => {
  /** Its shards give the test's answer after `latencyMs`. */
  const setUp = (answer: (amount?: number) => Outcome<Spent & { granted?: number }>, latencyMs = 0) => {
    const clock = new ManualClock();
    let asked = 0;
    const shards = {
      async submit(_counter: unknown, _caller: unknown, { amount }: { amount?: number }) {
        asked++;
        clock.advance(latencyMs);
        return answer(amount);
      },
    } as unknown as ShardClient;
    const budgets = spending(createBudgets(clock, shards), clock);
    return { clock, spend: () => budgets.spend(table.buyerHolds, '10.0.0.1'), budgets, asked: () => asked };
  };
  const last: Spent = { allowed: true, remaining: 0, resetAfterMs: 30_000 };

  it('refuses a used-up budget without asking, until the window ends', async () => {
    const { clock, spend, asked } = setUp(() => done(last), 20);
    expect(await spend()).toEqual(done(last));
    clock.advance(29_979);
    expect(await spend()).toEqual(done({ allowed: false, remaining: 0, resetAfterMs: 21 }));
    expect(asked()).toBe(1);
    clock.advance(1);
    await spend();
    expect(asked()).toBe(2);
  });

  it('asks as long as requests remain', async () => {
    const { spend, asked } = setUp(() => done({ ...last, remaining: 1 }));
    for (let i = 0; i < 5; i++) await spend();
    expect(asked()).toBe(5);
  });

  const resetAfterMs = 30_000;

  it('asks once for the requests of one turn, and refuses those that the owner did not grant', async () => {
    const { spend, asked } = setUp(() => done({ allowed: false, remaining: 0, resetAfterMs, granted: 2 }));
    expect(await Promise.all([spend(), spend(), spend()])).toEqual([
      done({ allowed: true, remaining: 1, resetAfterMs }),
      done({ allowed: true, remaining: 0, resetAfterMs }),
      done({ allowed: false, remaining: 0, resetAfterMs }),
    ]);
    expect(asked()).toBe(1);
  });

  it('refuses every request of a question that was not answered', async () => {
    const { spend } = setUp(() => refuse('shard_unavailable', 'The inventory of this event did not answer.'));
    for (const spent of await Promise.all([spend(), spend()]))
      expect(spent).toMatchObject({ refusal: { code: 'shard_unavailable', retryable: true } });
  });

  it('answers 503, retryable, when no owner counted in time', async () => {
    const { spend } = setUp(() => refuse('shard_unavailable', 'The inventory of this event did not answer.'));
    expect(await spend()).toMatchObject({
      refusal: { code: 'shard_unavailable', retryable: true, message: expect.stringContaining('budget') },
    });
  });

  it('counts readiness checks itself', async () => {
    const { budgets, asked } = setUp(() => done(last));
    const spent = [];
    for (let i = 0; i < 31; i++) spent.push(await budgets.spend(table.readiness, '10.0.0.1'));
    expect(spent.filter((each) => each.ok && each.value.allowed)).toHaveLength(30);
    expect(asked()).toBe(0);
  });
});
