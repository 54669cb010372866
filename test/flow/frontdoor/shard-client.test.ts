/** The shard client over a fake bus and a clock of the test: batching, retries, creation, deadline. */
import type { Command, Reply } from '@parterre/shared/protocol/commands';
import { done, type Refusal, refuse } from '@parterre/shared/protocol/errors';
import { commandsInFlightMax, requestDeadlineMs, retryPauseMs } from '@parterre/shared/protocol/limits';
import { describe, expect, it } from 'vitest';
import { caller, config, event, shardClientOnFake } from '../../support/frontdoor/shard-client-on-fake.ts';

const count: Command = { type: 'count' };

const ok = (id: number, value: unknown): Reply => ({ id, kind: 'ok', value });

/** Lets promise callbacks run, however many follow each other. */
const settled = () => new Promise((resolve) => setImmediate(resolve));

describe('batching', () => {
  it('sends the commands of one turn to one partition as one message, in order', () => {
    const { client, sent, endTurn } = shardClientOnFake();
    for (const key of ['a', 'b', 'a', 'c']) void client.submit({ ...event, key }, caller, count);
    expect(sent).toEqual([]);
    endTurn();
    expect(sent.map(({ partition, envelopes }) => [partition, envelopes.map((each) => each.eventKey)])).toEqual([
      [1, ['a', 'a', 'c']],
      [0, ['b']],
    ]);
  });

  it('cuts a message at 512 commands', () => {
    const { client, sent, endTurn } = shardClientOnFake();
    for (let i = 0; i < 600; i++) void client.submit(event, caller, count);
    endTurn();
    expect(sent.map(({ envelopes }) => envelopes.length)).toEqual([512, 88]);
  });

  it('keeps large commands apart, so that a message stays below the bound of NATS', () => {
    const { client, sent, endTurn } = shardClientOnFake();
    const labels = Array.from({ length: 9_000 }, (_, i) => `Stalls-A-${i}`);
    for (let i = 0; i < 3; i++) {
      void client.submit(event, caller, { type: 'block', callId: 'c1', labels, releaseAt: null, reason: null });
    }
    endTurn();
    expect(sent.map(({ envelopes }) => envelopes.length)).toEqual([1, 1, 1]);
  });

  it('takes replies in any order, of any batch, from one message', async () => {
    const { client, sent, endTurn, answer } = shardClientOnFake();
    const first = client.submit(event, caller, count);
    endTurn();
    const second = client.submit(event, caller, count);
    endTurn();
    answer(ok(sent[1]!.envelopes[0]!.id, 'second'), ok(sent[0]!.envelopes[0]!.id, 'first'));
    expect(await Promise.all([first, second])).toEqual([done('first'), done('second')]);
    expect(client.inFlight()).toBe(0);
  });

  it('passes a refusal on unchanged', async () => {
    const { client, endTurn, answer } = shardClientOnFake();
    const answered = client.submit(event, caller, count);
    endTurn();
    const { refusal } = refuse('conflict', 'Taken.', { details: { conflicts: [] } });
    answer({ id: 1, kind: 'refused', refusal });
    expect(await answered).toEqual({ ok: false, refusal });
  });
});

describe('while nothing can be sold for some time', () => {
  it('refuses a command that waits, and each new command at once, until there is hope', async () => {
    const { client, sent, endTurn, answer, clock, giveUp } = shardClientOnFake();
    const waiting = client.submit(event, caller, {
      type: 'block',
      callId: 'c1',
      labels: ['A-1'],
      releaseAt: null,
      reason: null,
    });
    endTurn();
    giveUp(true);
    clock.advance(2 * retryPauseMs);
    expect(await waiting).toMatchObject({ refusal: { code: 'shard_unavailable', outcome: 'unknown' } });
    const refused = await client.submit(event, caller, count);
    expect(refused).toMatchObject({ refusal: { code: 'shard_unavailable', retryable: true } });
    expect(sent).toHaveLength(1);
    giveUp(false);
    const carried = client.submit(event, caller, count);
    endTurn();
    answer(ok(sent[1]!.envelopes[0]!.id, 'well'));
    expect(await carried).toEqual(done('well'));
  });
});

describe('a partition without an owner', () => {
  it('is tried again after a pause, with the same command', async () => {
    const { client, sent, endTurn, answer, undelivered, clock } = shardClientOnFake();
    const answered = client.submit(event, caller, count);
    endTurn();
    undelivered(sent[0]!.batch);
    clock.advance(retryPauseMs - 1);
    endTurn();
    expect(sent).toHaveLength(1);
    clock.advance(2 * retryPauseMs);
    endTurn();
    expect(sent.map(({ envelopes }) => envelopes[0]!.id)).toEqual([1, 1]);
    answer(ok(1, 'late but well'));
    expect(await answered).toEqual(done('late but well'));
  });

  it('is tried again if its old owner replies that it moved', () => {
    const { client, sent, endTurn, answer, clock } = shardClientOnFake();
    void client.submit(event, caller, count);
    endTurn();
    answer({ id: 1, kind: 'moved' });
    clock.advance(2 * retryPauseMs);
    endTurn();
    expect(sent).toHaveLength(2);
  });

  it('loses earlier commands: they are sent again without waiting for two seconds', async () => {
    const { client, sent, endTurn, answer, undelivered, clock } = shardClientOnFake();
    const lost = client.submit(event, caller, count);
    endTurn();
    clock.advance(10);
    void client.submit(event, caller, count);
    endTurn();
    undelivered(sent[1]!.batch);
    clock.advance(2 * retryPauseMs);
    endTurn();
    expect(sent[2]!.envelopes.map(({ id }) => id)).toEqual([1, 2]);
    answer(ok(1, 'found again'));
    expect(await lost).toEqual(done('found again'));
  });

  it('is reported to the shards, not every time', () => {
    const { client, sent, endTurn, undelivered, clock, orphans } = shardClientOnFake();
    void client.submit(event, caller, count);
    for (let waited = 0; waited < 1_000; waited += retryPauseMs) {
      endTurn();
      undelivered(sent.at(-1)!.batch);
      clock.advance(retryPauseMs);
    }
    expect(orphans.length).toBeGreaterThan(4);
    expect(orphans.length).toBeLessThanOrEqual(10);
    expect(new Set(orphans)).toEqual(new Set([1]));
  });

  it('gets waiting and possibly lost commands again at once when a new owner is heard of', () => {
    const { client, sent, endTurn, undelivered, owner } = shardClientOnFake();
    void client.submit(event, caller, count);
    endTurn();
    undelivered(sent[0]!.batch);
    void client.submit(event, caller, count);
    endTurn();
    owner(1, 7);
    endTurn();
    expect(sent[2]).toMatchObject({ epoch: 7, envelopes: [{ id: 1 }, { id: 2, copy: 2 }] });
    owner(1, 6);
    owner(1, 7);
    endTurn();
    expect(sent).toHaveLength(3);
  });

  it('sends commands of a lost link again at once, and leaves commands of other partitions alone', () => {
    const { client, sent, endTurn, owner, doubt } = shardClientOnFake();
    owner(1, 7);
    void client.submit(event, caller, count);
    endTurn();
    for (const partition of [0, 1]) doubt(partition);
    endTurn();
    expect(sent.slice(1)).toMatchObject([{ epoch: 7, envelopes: [{ id: 1, copy: 2 }] }]);
  });

  it('is addressed without an epoch once the known owner is gone', () => {
    const { client, sent, endTurn, undelivered, owner, clock } = shardClientOnFake();
    owner(1, 7);
    void client.submit(event, caller, count);
    endTurn();
    undelivered(sent[0]!.batch);
    clock.advance(2 * retryPauseMs);
    endTurn();
    expect(sent.map(({ epoch }) => epoch)).toEqual([7, null]);
  });

  it('is given up at the deadline: 503, retryable', async () => {
    const { client, sent, endTurn, undelivered, clock } = shardClientOnFake();
    const answered = client.submit(event, caller, count);
    endTurn();
    for (let waited = 0; waited <= requestDeadlineMs; waited += retryPauseMs) {
      undelivered(sent.at(-1)!.batch);
      clock.advance(retryPauseMs);
      endTurn();
    }
    expect(await answered).toMatchObject({ ok: false, refusal: { code: 'shard_unavailable', retryable: true } });
    expect(client.inFlight()).toBe(0);
  });

  it('is tried again if the link does not take the message', async () => {
    const { client, sent, endTurn, answer, breakBus, clock, faults } = shardClientOnFake();
    breakBus(true);
    const answered = client.submit(event, caller, count);
    endTurn();
    expect(faults).toHaveLength(1);
    breakBus(false);
    clock.advance(2 * retryPauseMs);
    endTurn();
    expect(sent).toHaveLength(1);
    answer(ok(1, 'sent at last'));
    expect(await answered).toEqual(done('sent at last'));
  });
});

describe('an owner that is silent', () => {
  it('gets the command once more after two seconds, and never a third time', async () => {
    const { client, sent, endTurn, clock } = shardClientOnFake();
    const answered = client.submit(event, caller, count);
    endTurn();
    const times = () => sent.filter(({ envelopes }) => envelopes.length > 0).length;
    clock.advance(1_900);
    endTurn();
    expect(times()).toBe(1);
    clock.advance(200);
    endTurn();
    expect(times()).toBe(2);
    clock.advance(requestDeadlineMs);
    endTurn();
    expect(times()).toBe(2);
    expect(await answered).toMatchObject({ refusal: { code: 'shard_unavailable' } });
  });

  it('is told that the copy is a copy', () => {
    const { client, sent, endTurn, clock } = shardClientOnFake();
    void client.submit(event, caller, count);
    endTurn();
    clock.advance(2_100);
    endTurn();
    const copies = sent.flatMap(({ envelopes }) => envelopes);
    expect(copies.map(({ id, copy }) => [id, copy])).toEqual([
      [1, undefined],
      [1, 2],
    ]);
  });

  it('is probed with an empty batch, so that lost commands are soon sent again', () => {
    const { client, sent, endTurn, undelivered, clock } = shardClientOnFake();
    void client.submit(event, caller, count);
    endTurn();
    clock.advance(300);
    expect(sent.map(({ partition, envelopes }) => [partition, envelopes.length])).toEqual([
      [1, 1],
      [1, 0],
    ]);
    undelivered(sent[1]!.batch);
    clock.advance(2 * retryPauseMs);
    endTurn();
    expect(sent.at(-1)!.envelopes.map(({ id }) => id)).toEqual([1]);
  });

  it('may answer the first sending after the second: the first answer counts, the other is ignored', async () => {
    const { client, endTurn, answer, clock } = shardClientOnFake();
    const answered = client.submit(event, caller, count);
    endTurn();
    clock.advance(2_100);
    endTurn();
    answer(ok(1, 'first'));
    answer(ok(1, 'again'));
    expect(await answered).toEqual(done('first'));
  });

  it('may refuse the first sending, which means nothing once there is a second: that one may succeed', async () => {
    const { client, endTurn, answer, clock } = shardClientOnFake();
    const answered = client.submit(event, caller, count);
    endTurn();
    clock.advance(2_100);
    endTurn();
    const { refusal } = refuse('conflict', 'Taken.');
    answer({ id: 1, kind: 'refused', refusal });
    answer({ id: 1, kind: 'moved' });
    expect(client.inFlight()).toBe(1);
    answer({ id: 1, copy: 2, kind: 'ok', value: 'had it' });
    expect(await answered).toEqual(done('had it'));
  });

  it('may answer the first sending without an effect: the second may still have one, and its answer counts', async () => {
    const { client, endTurn, answer, clock } = shardClientOnFake();
    const answered = client.submit(event, caller, count);
    endTurn();
    clock.advance(2_100);
    endTurn();
    answer({ id: 1, kind: 'ok', value: 'nothing new', unchanged: true });
    expect(client.inFlight()).toBe(1);
    answer({ id: 1, copy: 2, kind: 'ok', value: 'nothing new', unchanged: true });
    expect(await answered).toEqual(done('nothing new'));
  });

  it('does not stop the others: an unreadable reply is a fault, and nothing is lost', async () => {
    const { client, endTurn, answer, receive, faults } = shardClientOnFake();
    const answered = client.submit(event, caller, count);
    endTurn();
    receive(new Uint8Array([0xc1]));
    expect(faults).toHaveLength(1);
    answer(ok(1, 'here'));
    expect(await answered).toEqual(done('here'));
  });
});

describe('an event without a journal', () => {
  it('is created once from the catalog for all waiting commands, which are then sent again', async () => {
    let asked = 0;
    const { client, sent, endTurn, answer } = shardClientOnFake(async () => {
      asked++;
      return done(config);
    });
    const both = [client.submit(event, caller, count), client.submit(event, caller, { type: 'view' })];
    endTurn();
    answer({ id: 1, kind: 'absent' }, { id: 2, kind: 'absent' });
    await settled();
    endTurn();
    expect(sent[1]!.envelopes.map((each) => each.command)).toEqual([{ type: 'create', config }]);
    answer(ok(sent[1]!.envelopes[0]!.id, {}));
    await settled();
    endTurn();
    expect(sent[2]!.envelopes.map((each) => each.command.type)).toEqual(['count', 'view']);
    answer(ok(1, 'counted'), ok(2, 'viewed'));
    expect(await Promise.all(both)).toEqual([done('counted'), done('viewed')]);
    expect(asked).toBe(1);
  });

  it('is refused as the catalog refuses if the catalog does not know the event', async () => {
    const { client, endTurn, answer } = shardClientOnFake(async () => refuse('not_found', 'There is no such event.'));
    const answered = client.submit(event, caller, count);
    endTurn();
    answer({ id: 1, kind: 'absent' });
    expect(await answered).toMatchObject({ ok: false, refusal: { code: 'not_found' } });
  });
});

it('takes no more than 20,000 commands at once of a lone tenant', async () => {
  const { client } = shardClientOnFake();
  for (let i = 0; i < 20_000; i++) void client.submit(event, caller, count);
  expect(await client.submit(event, caller, count)).toMatchObject({
    ok: false,
    refusal: { code: 'overloaded', retryable: true },
  });
});

it('no command waits longer than owners remember it, whatever its request has left', async () => {
  const { shards, endTurn, clock } = shardClientOnFake();
  const answered = shards.submit(event, caller, count, Number.POSITIVE_INFINITY);
  endTurn();
  clock.advance(requestDeadlineMs + retryPauseMs);
  expect(await answered).toMatchObject({ refusal: { code: 'shard_unavailable' } });
});

describe('tenants', () => {
  const other = { ...event, organisationId: 'org_2' };
  const flood = (client: ReturnType<typeof shardClientOnFake>['client']) => {
    for (let i = 0; i < commandsInFlightMax; i++) void client.submit(event, caller, count);
  };

  it('a flood is refused, another tenant is not, and the refusals are counted', async () => {
    const { client, clock } = shardClientOnFake();
    flood(client);
    expect(await client.submit(event, caller, count)).toMatchObject({ refusal: { code: 'overloaded' } });
    const answered = client.submit(other, caller, count);
    expect(client.inFlight()).toBe(commandsInFlightMax + 1);
    expect(client.refusedByShare()).toBe(1);
    clock.advance(requestDeadlineMs);
    expect(await answered).toMatchObject({ refusal: { code: 'shard_unavailable' } });
  });

  it('an answered command leaves its place', async () => {
    const { client, endTurn, answer } = shardClientOnFake();
    flood(client);
    endTurn();
    answer(ok(1, 'counted'));
    void client.submit(event, caller, count);
    expect(client.inFlight()).toBe(commandsInFlightMax);
    expect(client.refusedByShare()).toBe(0);
  });

  it('the creation that a flood waits for is not refused', async () => {
    const { client, sent, endTurn, answer } = shardClientOnFake();
    flood(client);
    endTurn();
    answer({ id: 1, kind: 'absent' });
    await settled();
    endTurn();
    expect(sent.at(-1)!.envelopes.map((each) => each.command.type)).toEqual(['create']);
  });
});

describe('an overload', () => {
  const hold: Command = { type: 'hold', holdId: 'hld_1', selections: [{ label: 'A-1' }] };
  const book: Command = { type: 'book', callId: 'c1', holdId: 'hld_1', bookingRef: 'order-1' };

  /** 600 holds wait, and ten of them are answered in each look. */
  function overloaded() {
    const fake = shardClientOnFake();
    for (let i = 0; i < 600; i++) void fake.client.submit(event, caller, hold);
    fake.endTurn();
    for (let look = 0; look < 4; look++) {
      fake.answer(...Array.from({ length: 10 }, (_, i) => ok(look * 10 + i + 1, 'held')));
      fake.clock.advance(retryPauseMs);
    }
    return fake;
  }

  it('new holds and reads of the partition are refused at once, and no shard has them', async () => {
    const { client, endTurn, sent } = overloaded();
    const before = sent.length;
    const { refusal } = (await client.submit(event, caller, hold)) as { refusal: Refusal };
    expect(refusal).toMatchObject({ code: 'overloaded', retryable: true, details: { retryAfterSeconds: 1 } });
    expect(await client.submit(event, caller, count)).toMatchObject({ refusal: { code: 'overloaded' } });
    endTurn();
    expect(sent).toHaveLength(before);
    const { shed, shedLate, oldestMs, limited } = client.loads;
    expect([...shed]).toEqual(Object.entries({ 'new-hold': 1, read: 1, begun: 0 }));
    expect({ shedLate, oldestMs, limited }).toEqual({ shedLate: 0, oldestMs: 4 * retryPauseMs, limited: 1 });
  });

  it('bookings of holds, other partitions and the servers themselves go on', () => {
    const { client, endTurn, sent } = overloaded();
    void client.submit(event, caller, book);
    void client.submit({ ...event, key: 'b' }, caller, hold);
    void client.submit(event, { ...caller, source: 'timer' }, count);
    endTurn();
    expect(sent.slice(-2).map(({ envelopes }) => envelopes.map(({ command }) => command.type))).toEqual([
      ['book', 'count'],
      ['hold'],
    ]);
  });

  it('ends when the commands are answered', () => {
    const { client, endTurn, sent, clock, answer } = overloaded();
    answer(...Array.from({ length: 560 }, (_, i) => ok(i + 41, 'held')));
    clock.advance(retryPauseMs);
    void client.submit(event, caller, hold);
    endTurn();
    expect(sent.at(-1)!.envelopes).toHaveLength(1);
    expect(client.loads.limited).toBe(0);
  });
});
