/**
 * `npm run bench -- works`: the longest works of a shard's loop, each alone, on an event of 100,000 units with 20,000
 * active holds, 40,000 bookings and 300,000 ended holds, 100,000 counted sessions and 20,000 timed blocks. Work in
 * steps counts by its longest step. Prints the milliseconds of each.
 */
import { setFlagsFromString } from 'node:v8';
import { runInNewContext } from 'node:vm';
import { compilePlan } from '@parterre/shared/charts/compile';
import type { ChartDocument } from '@parterre/shared/charts/document';
import type { Caller, Command } from '@parterre/shared/protocol/commands';
import { linkOf } from '@parterre/shared/protocol/journal/links';
import { encodePart } from '@parterre/shared/protocol/journal/messages';
import { decodeKept, encode, encodeKept } from '@parterre/shared/protocol/wire';
import { bowl } from '../../scripts/generate-charts.mjs';
import { encodeInSteps } from '../../services/inventory-shard/src/journal/snapshots/snapshots.ts';
import type { Steps } from '../../services/inventory-shard/src/rules/packed/packed.ts';
import { capture as captureReads, packInSteps } from '../../services/inventory-shard/src/rules/reads/captured.ts';
import { answerRead } from '../../services/inventory-shard/src/rules/reads/event-reads.ts';
import { type EventState, newState } from '../../services/inventory-shard/src/rules/state/state.ts';
import {
  apply,
  applyDue,
  bytesOfRecords,
  capture,
  closeGroup,
  decide,
  feedChangeOf,
  fromSnapshotInSteps,
  type Snapshot,
  toSnapshotInSteps,
} from '../../services/inventory-shard/src/rules/turn/turn.ts';
import { benchEvent } from './event-config.ts';

const caller: Caller = { source: 'server', actor: 'key_bench', accessSource: 'public' };
const start = 1_700_000_000_000;
const dayMs = 24 * 3_600_000;
const activeHolds = 20_000;
const bookings = 40_000;
const endedHolds = 300_000;
const sessions = 100_000;
const timedBlocks = 20_000;
const bulkLabels = 50_000;

const plan = compilePlan(bowl() as unknown as ChartDocument, 'bowl');
const label = (unit: number): string => plan.labels.at(unit);
let longestFoldMs = 0;

setFlagsFromString('--expose-gc');
const collect = runInNewContext('gc') as () => void;

/**
 * The CPU of this process: other processes do not count, the threads of the collector do. A stopwatch that shows less
 * is right.
 */
class Stopwatch {
  #cpu = process.cpuUsage();
  #wall = performance.now();

  lap(): number {
    const { user, system } = process.cpuUsage(this.#cpu);
    const ms = Math.min((user + system) / 1_000, performance.now() - this.#wall);
    this.#cpu = process.cpuUsage();
    this.#wall = performance.now();
    return ms;
  }
}

function run(state: EventState, command: Command, at = start, by = caller): void {
  const decision = decide(state, command, by, at);
  if (!decision.ok) throw new Error(`${command.type}: ${decision.refusal.message}`);
  const watch = new Stopwatch();
  for (const record of decision.records) apply(state, record, at);
  if (command.type !== 'block') longestFoldMs = Math.max(longestFoldMs, watch.lap());
  closeGroup(state, state.version + 1);
}

function named(kind: string, n: number): string {
  return `${kind}_${String(n).padStart(18, '0')}`;
}

function busyEvent(): EventState {
  const state = newState(benchEvent('bowl'), plan);
  for (let n = 0; n < endedHolds; n++) {
    const holdId = named('hld', n);
    const selections = [{ label: label((2 * n) % 90_000) }, { label: label((2 * n + 1) % 90_000) }];
    run(state, { type: 'hold', holdId, selections });
    run(state, { type: 'release', holdId, callId: named('call', n) });
  }
  for (let n = 0; n < bookings; n++) {
    run(state, {
      type: 'book-direct',
      callId: named('call', n),
      selections: [{ label: label(n) }],
      bookingRef: named('order', n),
    });
  }
  for (let n = 0; n < activeHolds; n++) {
    run(state, { type: 'hold', holdId: named('act', n), selections: [{ label: label(bookings + n) }] }, start + n);
  }
  const blocked = Array.from({ length: timedBlocks }, (_, n) => label(bookings + activeHolds + n));
  run(
    state,
    { type: 'block', callId: named('block', 1), labels: blocked, releaseAt: start + dayMs, reason: null } as Command,
    start + activeHolds,
  );
  for (let n = 0; n < sessions; n++) state.sessionUse.set(named('session', n), { used: 2, at: start });
  return state;
}

function tell(name: string, ms: number): void {
  console.log(`${name.padEnd(62)} ${ms.toFixed(1).padStart(8)} ms`);
}

function measure<T>(name: string, work: () => T): T {
  collect();
  const watch = new Stopwatch();
  const result = work();
  tell(name, watch.lap());
  return result;
}

/** The best of three runs counts: the first compiles. */
function measureOften<T>(name: string, work: () => T): T {
  let best = Number.POSITIVE_INFINITY;
  let result: T;
  for (let n = 0; n < 3; n++) {
    collect();
    const watch = new Stopwatch();
    result = work();
    best = Math.min(best, watch.lap());
  }
  tell(name, best);
  return result!;
}

function measureSteps<T>(name: string, steps: Steps<T>): T {
  collect();
  let longest = { ms: 0, nth: 0 };
  let sum = 0;
  for (let nth = 0; ; nth++) {
    const watch = new Stopwatch();
    const step = steps.next();
    const ms = watch.lap();
    if (ms > longest.ms) longest = { ms, nth };
    sum += ms;
    if (!step.done) continue;
    tell(`${name}: step ${longest.nth} of ${nth}, all ${sum.toFixed(0)} ms, longest`, longest.ms);
    return step.value;
  }
}

function measureBulk(): void {
  const labels = Array.from({ length: bulkLabels }, (_, n) => label(n));
  const state = newState(benchEvent('bowl'), plan);
  const bulk = (command: Command, at: number): void => {
    measure(`bulk ${command.type} of ${bulkLabels} labels`, () => {
      const watch = new Stopwatch();
      const lap = (name: string): void => {
        tell(`  ${name}`, watch.lap());
      };
      const decision = decide(state, command, caller, at);
      if (!decision.ok) throw new Error(`${command.type}: ${decision.refusal.message}`);
      lap('decide');
      bytesOfRecords(decision.records);
      lap('bytesOfRecords');
      for (const record of decision.records) apply(state, record, at);
      lap('apply');
      encodePart({
        event: 'bowl-night',
        from: 0,
        at,
        plan: 'bowl',
        link: linkOf('before'),
        records: [...decision.records],
      });
      lap('encode the group');
      const change = feedChangeOf(state, decision.records, { from: 0, to: 1, at });
      lap('feed change');
      encode(change);
      lap('encode the change');
      encode([{ id: 'x', kind: 'ok', value: decision.answer }]);
      lap('encode the answer');
    });
  };
  for (const n of [1, 2]) {
    bulk(
      { type: 'block', callId: named('block', n), labels, releaseAt: start + dayMs, reason: null } as Command,
      start,
    );
    bulk({ type: 'unblock', callId: named('unblock', n), labels, reason: null } as Command, start);
  }
}

console.log('building');
const state = busyEvent();
tell('longest fold while the event was built', longestFoldMs);
measure('an ended hold that was set first is deleted, 200,000 times: all', () => {
  let longest = 0;
  const { ended } = state.holds;
  const ids = Array.from(ended.values(), ({ id }) => id);
  for (let n = 0; n < 200_000; n++) {
    const watch = new Stopwatch();
    ended.delete(ids[(n * 7) % ids.length]!);
    longest = Math.max(longest, watch.lap());
  }
  tell('  longest delete of random ended holds', longest);
});
const full = busyEvent();
const captured = measureOften('capture for a snapshot', () => capture(full));
const snapshot = measureSteps('pack a snapshot', toSnapshotInSteps(captured));
const bytes = measureSteps(`encode a snapshot`, encodeInSteps(snapshot));
tell(`  megabytes`, bytes.length / 2 ** 20);
const decoded = measureOften('decode a snapshot', () => decodeKept<Snapshot>(bytes));
measureSteps('state of a snapshot', fromSnapshotInSteps(decoded, plan));
measureSteps('pack for reads', packInSteps(measureOften('capture for reads', () => captureReads(full))));
const view = measureOften('view', () => answerRead(full, { type: 'view' } as never));
measureOften('encode the view', () => encode([{ id: 'x', kind: 'ok', value: view }]));
const columns = measureOften('unit-columns', () => answerRead(full, { type: 'unit-columns', from: 0 } as never));
measureOften('encode the unit-columns', () => encode([{ id: 'x', kind: 'ok', value: columns }]));
const records = measureOften('expiries of one group', () => applyDue(full, start + 20 * 60_000));
tell('  records', records.length);
measure('  encode the group', () => encodeKept({ records }));
measure('  feed change', () => feedChangeOf(full, records, { from: 0, to: 1, at: start }));
measureBulk();
measure('a hold a day later', () =>
  run(full, { type: 'hold', holdId: 'hld_late', selections: [{ label: label(95_000) }] }, start + dayMs + 3_600_000),
);
