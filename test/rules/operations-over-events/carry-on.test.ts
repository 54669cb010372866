/** A catalog goes on with open operations: when it begins, how often it tries, and how it stops. */
import { done, type Outcome, refuse } from '@parterre/shared/protocol/errors';
import type { OperationHead } from '@parterre/shared/protocol/operations/operation';
import type { OperationRef, OperationView } from '@parterre/shared/protocol/operations/ports';
import { createLog } from '@parterre/shared/runtime/log';
import { beforeEach, expect, test } from 'vitest';
import { type CarryOn, startCarryOn } from '../../../services/catalog/src/operations/carry-on.ts';
import { openOperationsPerLook, operationsResumedAtOnce } from '../../../services/catalog/src/store/rules/bounds.ts';
import type { PageQuery, Store } from '../../../services/catalog/src/store/store.ts';
import { ManualClock } from '../../support/manual-clock.ts';

/** The view of an operation, which nobody reads. */
const nothing = {} as OperationView;
const rested = () => new Promise((resolve) => setImmediate(resolve));

let clock: ManualClock;
let open: { id: string; version: number; value: { head: Pick<OperationHead, 'operationId'>; changedAt: number } }[];
let storeIsDown: boolean;
let resumed: string[];
let answer: (id: string) => Promise<Outcome<OperationView>>;
let work: CarryOn;

/** An open operation whose last record is `ageMs` old. */
function opens(id: string, ageMs = 0): void {
  open.push({ id, version: 1, value: { head: { operationId: id }, changedAt: clock.now() - ageMs } });
}

beforeEach(() => {
  clock = new ManualClock(1_000_000);
  [open, resumed, storeIsDown] = [[], [], false];
  answer = async (id) => {
    open = open.filter((each) => each.id !== id);
    return done(nothing);
  };
});

function start(): void {
  const page = async (_collection: object, { after, limit }: PageQuery) => {
    if (storeIsDown) throw new Error('no store');
    const from = after ? open.findIndex(({ id }) => id === after.id) + 1 : 0;
    const documents = open.slice(from, from + limit);
    const last = documents.at(-1)!;
    return { documents, next: from + limit < open.length ? { id: last.id, order: last.value.changedAt } : null };
  };
  const store = { get: async () => null, page } as unknown as Store;
  const resume = ({ operationId }: OperationRef) => {
    resumed.push(operationId);
    return answer(operationId);
  };
  work = startCarryOn({ store, clock, log: createLog('test', 'silent'), coordinator: { resume } });
}

async function pass(ms: number): Promise<void> {
  for (let passed = 0; passed < ms; passed += 100) {
    await rested();
    clock.advance(100);
  }
  await rested();
}

test('an operation is left to its coordinator for three seconds after its latest record', async () => {
  start();
  opens('op_1');
  await pass(2_500);
  expect(resumed).toEqual([]);
  open[0]!.version++;
  await pass(2_500);
  expect(resumed).toEqual([]);
  await pass(1_500);
  expect(resumed).toEqual(['op_1']);
  await pass(60_000);
  expect(resumed).toEqual(['op_1']);
  await work.stop();
});

test('an operation whose callers add records all the time is not left to them for ever', async () => {
  start();
  opens('op_1');
  for (let second = 0; second < 12; second++) {
    await pass(1_000);
    open[0] &&= { ...open[0], version: open[0].version + 1 };
  }
  expect(resumed).toEqual(['op_1']);
  await work.stop();
});

test('a catalog that starts goes on with old operations at once', async () => {
  opens('op_1', 10_000);
  start();
  await rested();
  expect(resumed).toEqual(['op_1']);
  await work.stop();
});

test('an operation that stays open is tried again after pauses that double', async () => {
  answer = async () => refuse('shard_unavailable', 'No answer.', { retryable: true });
  opens('op_1', 10_000);
  start();
  await pass(16_000);
  expect(resumed.length).toBe(5);
  await pass(120_000);
  expect(resumed.length).toBeLessThan(12);
  await work.stop();
});

test('a resume that throws, or a store that is down, harms nothing else', async () => {
  answer = async (id) => {
    if (id === 'op_1') throw new Error('a bug');
    open = open.filter((each) => each.id !== id);
    return done(nothing);
  };
  opens('op_1', 10_000);
  opens('op_2', 10_000);
  storeIsDown = true;
  start();
  await pass(2_000);
  expect(resumed).toEqual([]);
  storeIsDown = false;
  await pass(1_000);
  expect(resumed.slice(0, 2)).toEqual(['op_1', 'op_2']);
  await work.stop();
});

test('few operations are under way at once, and those that stay open do not keep others waiting', async () => {
  let atOnce = 0;
  let most = 0;
  answer = async (id) => {
    most = Math.max(most, ++atOnce);
    await new Promise<void>((resolve) => clock.after(50, resolve));
    atOnce--;
    if (!id.startsWith('stuck')) open = open.filter((each) => each.id !== id);
    return done(nothing);
  };
  for (let n = 0; n < openOperationsPerLook + 10; n++) opens(`stuck-${n}`, 100_000);
  opens('op_last', 10_000);
  start();
  for (let waited = 0; waited < 120_000 && !resumed.includes('op_last'); waited += 500) await pass(500);
  expect(resumed).toContain('op_last');
  expect(most).toBe(operationsResumedAtOnce);
  await pass(1_000);
  await Promise.all([work.stop(), pass(1_000)]);
});

test('a stop waits for the tries under way', async () => {
  let end = (): void => {};
  answer = () => new Promise((resolve) => (end = () => resolve(done(nothing))));
  opens('op_1', 10_000);
  start();
  await rested();
  let isStopped = false;
  const stopped = work.stop().then(() => {
    isStopped = true;
  });
  await pass(500);
  expect(isStopped).toBe(false);
  end();
  await stopped;
  expect(resumed).toEqual(['op_1']);
});
