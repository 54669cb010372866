/** The reader thread, as a thread: large reads of a large event, and threads that die. */
import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { pathToFileURL } from 'node:url';
import { compilePlan } from '@parterre/shared/charts/compile';
import type { UnitColumns } from '@parterre/shared/protocol/answers';
import type { Answer } from '@parterre/shared/protocol/commands';
import { gaCapacityMax, unitsPerSaleMax } from '@parterre/shared/protocol/limits';
import { decode, Encoded } from '@parterre/shared/protocol/wire';
import { createLog } from '@parterre/shared/runtime/log';
import { build } from 'esbuild';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { LoopTurn } from '../../../services/inventory-shard/src/partition/loop-turn.ts';
import { capturesMax, inlineUnitsMax, readerPauseMs } from '../../../services/inventory-shard/src/readers/bounds.ts';
import { Readers } from '../../../services/inventory-shard/src/readers/event-readers.ts';
import { ReaderThread } from '../../../services/inventory-shard/src/readers/reader-thread.ts';
import { workerOf } from '../../../services/inventory-shard/src/readers/reader-worker.ts';
import { answerRead, type EventRead } from '../../../services/inventory-shard/src/rules/reads/event-reads.ts';
import type { EventState } from '../../../services/inventory-shard/src/rules/state/event-state.ts';
import { chart, gaArea } from '../../support/charts.ts';
import { book, callId, direct, hold, house, START } from '../../support/inventory/house.ts';
import { ManualClock } from '../../support/manual-clock.ts';

const log = createLog('test', 'silent');
const threads: ReaderThread[] = [];
let folder: string;

beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), 'parterre-reader-'));
  await build({
    entryPoints: ['services/inventory-shard/src/readers/reader-main.ts'],
    bundle: true,
    platform: 'node',
    format: 'esm',
    logLevel: 'warning',
    outfile: join(folder, 'reads.mjs'),
  });
  const onRead = (run: string): string =>
    `import { parentPort } from 'node:worker_threads'; parentPort.on('message', ({ type }) => { ${run} });`;
  await writeFile(join(folder, 'dies.mjs'), onRead("if (type === 'read') process.exit(1);"));
  await writeFile(join(folder, 'never-answers.mjs'), onRead(''));
});

afterAll(async () => {
  await Promise.all(threads.map((thread) => thread.close()));
  await rm(folder, { recursive: true });
});

const lawn = compilePlan(chart([gaArea({ id: 'lawn', label: 'Lawn', capacity: inlineUnitsMax + 1_000 })]), 'lawn');

function soldLawn(): EventState {
  const event = house('platform', lawn);
  const places = (quantity: number) => [{ label: 'Lawn', quantity }];
  event.ok({ ...hold('h1'), selections: places(20) });
  event.ok(book('h1', 'order'));
  event.ok({ ...hold('h2'), selections: places(30) });
  return event.state;
}

/** With short turns, a turn of the event loop is over after a few looks at the clock. */
function readersOn(program: string, turnsAreShort = false) {
  let turns = 0;
  const clock = new ManualClock(START);
  const turn = new LoopTurn({ elapsed: () => (turnsAreShort ? turns++ : 0) }, (run) => setImmediate(run));
  const thread = new ReaderThread(clock, log, turn, workerOf(pathToFileURL(join(folder, `${program}.mjs`))));
  threads.push(thread);
  const readers = new Readers(log, thread);
  const ask = (state: EventState, read: EventRead): Promise<Answer> =>
    new Promise((resolve) => readers.read(state, [read], (_, answer) => resolve(answer)));
  return { clock, thread, readers, ask };
}

const report: EventRead = { type: 'report' };

/** The value of an answer, as the front door reads it. */
function shownBy(answer: Answer): unknown {
  if (answer.kind !== 'ok' || !(answer.value instanceof Encoded)) throw new Error(JSON.stringify(answer));
  return decode(answer.value.bytes);
}

test('the thread answers as the loop would, once for each version', async () => {
  const { readers, ask } = readersOn('reads');
  const state = soldLawn();
  const reads: EventRead[] = [
    { type: 'view' },
    report,
    { type: 'unit-columns', from: 0 },
    { type: 'unit-columns', from: 10, most: 1 },
    { type: 'channels' },
    { type: 'channel-report' },
  ];
  for (const read of reads) expect(shownBy(await ask(state, read))).toEqual(answerRead(state, read));
  await ask(state, report);
  expect(readers.computed).toBe(reads.length);
});

test('the event goes on while the thread reads: the answer shows the moment of the read', async () => {
  const { ask } = readersOn('reads', true);
  const state = soldLawn();
  const before = answerRead(state, report);
  const told = ask(state, report);
  state.statuses.fill(2);
  state.slotOf.fill(0);
  expect(shownBy(await told)).toEqual(before);
});

test('a report in several pieces is of one version, whatever is sold between two pieces', async () => {
  const { readers, ask } = readersOn('reads');
  const areas = ['north', 'south'].map((id) => gaArea({ id, label: id, capacity: gaCapacityMax }));
  const event = house('platform', compilePlan(chart(areas), 'lawns'));
  for (let n = 0; n < (2 * gaCapacityMax) / unitsPerSaleMax; n++) {
    const places = [{ label: n % 2 === 0 ? 'north' : 'south', quantity: unitsPerSaleMax }];
    event.ok({ ...direct(`order-${n}`), selections: places });
  }
  const { state } = event;
  const whole = { type: 'unit-columns', from: 0 } as const;
  const first = shownBy(await ask(state, whole)) as UnitColumns;
  const from = first.statuses.length;
  expect(from).toBeLessThan(2 * gaCapacityMax);
  const expected = answerRead(state, { type: 'unit-columns', from });
  event.ok({ type: 'unbook', callId: callId(), bookingRef: 'order-1' });
  const computed = readers.computed;
  const goOn = { type: 'unit-columns', from, version: first.version } as const;
  expect(shownBy(await ask(state, goOn))).toEqual(expected);
  expect(readers.computed).toBe(computed);
  const another = shownBy(await ask(state, { ...goOn, version: first.version - 1 })) as UnitColumns;
  expect(another.version).toBe(state.version);
});

test('a thread that dies moves its callers on, and the next thread starts after a pause', async () => {
  const { clock, thread, ask } = readersOn('dies');
  const state = soldLawn();
  expect(await ask(state, report)).toEqual({ kind: 'moved' });
  expect(thread.deaths).toBe(1);
  expect(await ask(state, report)).toEqual({ kind: 'moved' });
  expect(thread.deaths).toBe(1);
  clock.advance(readerPauseMs);
  expect(await ask(state, report)).toEqual({ kind: 'moved' });
  expect(thread.deaths).toBe(2);
});

test('past the bound of captures a read is refused', async () => {
  const { readers, ask } = readersOn('never-answers');
  const state = soldLawn();
  const answers: Answer[] = [];
  for (let from = 0; from < capturesMax; from++) {
    readers.read(state, [{ type: 'unit-columns', from }], (_, answer) => answers.push(answer));
  }
  expect(await ask(state, report)).toMatchObject({ kind: 'refused', refusal: { code: 'overloaded', retryable: true } });
  expect(answers).toEqual([]);
});
