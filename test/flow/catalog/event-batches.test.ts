/**
 * A batch over events whose coordinator dies, at every step of its way: another catalog ends it whole. A batch that is
 * refused at its look leaves nothing in any event, and no late copy of its call makes it.
 */
import type { BatchChange } from '@parterre/shared/protocol/catalog/events';
import { done, refuse } from '@parterre/shared/protocol/errors';
import { afterEach, beforeEach, expect, test } from 'vitest';
import { eventBatches } from '../../../services/catalog/src/store/collections.ts';
import type { AskEvent } from '../../../services/catalog/src/store/operations.ts';
import type { Store } from '../../../services/catalog/src/store/store.ts';
import { embeddedDatabase, type TestDatabase } from '../../store/adapters.ts';
import { testCatalog } from '../../store/test-catalog.ts';
import { callId, direct, house, server } from '../../support/inventory/house.ts';

const died = new Error('the process dies here');
const changes: BatchChange[] = [
  { eventKey: 'one', action: 'block', labels: ['A-1', 'A-2'], releaseAt: null, reason: 'Stage' },
  { eventKey: 'two', action: 'block', labels: ['A-1', 'A-3'], releaseAt: null, reason: 'Stage' },
  { eventKey: 'two', action: 'unblock', labels: ['B-1'], releaseAt: null, reason: null },
];

let database: TestDatabase;
beforeEach(async () => {
  database = await embeddedDatabase([]);
});
afterEach(() => database.remove());

/** Two events: `two` has B-1 blocked, and refuses the batch behind its look if `isRefused`. */
function twoEvents(isRefused: boolean) {
  const events = { one: house(), two: house() };
  events.two.ok({ type: 'block', callId: callId(), labels: ['B-1'], releaseAt: null, reason: null });
  let isSold = !isRefused;
  const ask = (async (eventKey: keyof typeof events, command) => {
    // Another buyer comes behind the look.
    if (command.type === 'block' && !isSold) {
      isSold = true;
      events.two.ok(direct('order-1', 'A-3'));
    }
    const event = events[eventKey];
    return event.tries(command, server) ? done(event.ok(command)) : { ok: false, refusal: event.refused(command) };
  }) as AskEvent;
  const blocked = () => Object.values(events).map((event) => event.counts().blocked);
  return { events, ask, blocked };
}

/** Steps are calls of events and writes of the document. The process dies before or behind its `nth`. */
function dying(nth: number, isBehind: boolean) {
  let steps = 0;
  let isDead = false;
  async function step<T>(run: () => Promise<T>): Promise<T> {
    steps++;
    if (isDead || (steps === nth && !isBehind)) {
      isDead = true;
      throw died;
    }
    const result = await run();
    if (steps >= nth) isDead = true;
    if (isDead) throw died;
    return result;
  }
  return {
    hasDied: () => isDead,
    ask: (ask: AskEvent): AskEvent => ((...call) => step(() => ask(...call))) as AskEvent,
    store: (store: Store): Store => {
      const { insert, replace } = store;
      store.insert = (...call) => step(() => insert.apply(store, call)) as never;
      store.replace = (...call) => step(() => replace.apply(store, call)) as never;
      return store;
    },
  };
}

async function endedAfterDeath(nth: number, isBehind: boolean, isRefused: boolean) {
  const { ask, blocked } = twoEvents(isRefused);
  const batchId = `bat_${nth}_${isBehind}_${isRefused}`;
  const death = dying(nth, isBehind);
  const first = testCatalog(death.store(await database.connect()), death.ask(ask));
  await first.ask('events.batch', { batchId, changes, by: server }).catch((error) => {
    if (error !== died) throw error;
  });
  const next = testCatalog(await database.connect(), ask);
  // The caller repeats the call under its key.
  const told = await next.ask('events.batch', { batchId, changes, by: server });
  const document = await next.store.get(eventBatches, batchId);
  return { hasDied: death.hasDied(), state: told.state, open: document?.value.open, blocked: blocked() };
}

test.each([
  ['all events agree', false, 'done', [2, 2]],
  ['an event refuses behind its look', true, 'undone', [0, 1]],
] as const)('the next catalog ends what a dead one began: %s', async (_, isRefused, state, blocked) => {
  let deaths = 0;
  for (const isBehind of [false, true]) {
    for (let nth = 1; ; nth++) {
      const ended = await endedAfterDeath(nth, isBehind, isRefused);
      expect([nth, isBehind, ended]).toEqual([nth, isBehind, { hasDied: ended.hasDied, state, open: null, blocked }]);
      if (!ended.hasDied) break;
      deaths++;
    }
  }
  expect(deaths).toBeGreaterThan(8);
});

test('a batch that an event refuses at the look writes no record, tells every conflict, and stays refused', async () => {
  const { events, ask, blocked } = twoEvents(false);
  events.one.ok(direct('order-1', 'A-2'));
  const { ask: catalog } = testCatalog(await database.connect(), ask);
  const written = () => Object.values(events).map(({ journal }) => journal.length);
  const before = written();
  const again: BatchChange = { ...changes[0]!, labels: ['A-2', 'A-4'] };
  const batch = { batchId: 'bat_1', changes: [...changes, again], by: server };
  for (let n = 0; n < 2; n++) {
    const { state, changes: told } = await catalog('events.batch', batch);
    expect([state, told.map(({ refusal }) => refusal?.code ?? null)]).toEqual([
      'undone',
      ['conflict', null, null, 'conflict'],
    ]);
    expect([written(), blocked()]).toEqual([before, [0, 1]]);
    if (n === 0) events.one.ok({ type: 'unbook', callId: callId(), bookingRef: 'order-1', labels: ['A-2'] });
    before[0] = written()[0]!;
  }
});

test('a late copy of a refused batch, which saw free seats at its look, makes nothing', async () => {
  const { events, ask, blocked } = twoEvents(false);
  let open = (): void => {};
  const gate = new Promise<void>((resolve) => {
    open = resolve;
  });
  let isAtInsert = false;
  const store = await database.connect();
  const { insert } = store;
  store.insert = (async (...call: Parameters<typeof insert>) => {
    isAtInsert = true;
    await gate;
    return insert.apply(store, call);
  }) as never;
  const batch = { batchId: 'bat_1', changes, by: server };
  const late = testCatalog(store, ask).ask('events.batch', batch);
  await expect.poll(() => isAtInsert).toBe(true);
  events.two.ok(direct('order-1', 'A-3'));
  const told = await testCatalog(await database.connect(), ask).ask('events.batch', batch);
  events.two.ok({ type: 'unbook', callId: callId(), bookingRef: 'order-1', labels: ['A-3'] });
  open();
  expect([told.state, (await late).state, blocked()]).toEqual(['undone', 'undone', [0, 1]]);
});

test('a shard of a former release, which does not know the look, decides by its block', async () => {
  const { ask, blocked } = twoEvents(false);
  const former = (async (eventKey, command, ...rest) =>
    command.type === 'look-block' ? refuse('internal_error', 'Unknown.') : ask(eventKey, command, ...rest)) as AskEvent;
  const { state } = await testCatalog(await database.connect(), former).ask('events.batch', {
    batchId: 'bat_1',
    changes,
    by: server,
  });
  expect([state, blocked()]).toEqual(['done', [2, 2]]);
});
