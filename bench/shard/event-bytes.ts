/** The memory of one event, in bytes a unit: for bench/shard/memory.ts, and for the test of the bounds. */
import { setFlagsFromString } from 'node:v8';
import { runInNewContext } from 'node:vm';
import { compilePlan } from '@parterre/shared/charts/compile';
import type { ChartDocument } from '@parterre/shared/charts/document';
import type { Plan } from '@parterre/shared/charts/plan';
import type { Caller, Command } from '@parterre/shared/protocol/commands';
import { newId, randomText } from '@parterre/shared/protocol/ids';
import { bowl } from '../../scripts/generate-charts.mjs';
import { finish } from '../../services/inventory-shard/src/rules/packed/packed.ts';
import { prepareSearch } from '../../services/inventory-shard/src/rules/seat-search/seat-search.ts';
import type { EventState } from '../../services/inventory-shard/src/rules/state/event-state.ts';
import { newState } from '../../services/inventory-shard/src/rules/state/state.ts';
import { apply, closeGroup } from '../../services/inventory-shard/src/rules/turn/apply.ts';
import { decide } from '../../services/inventory-shard/src/rules/turn/decide.ts';
import { bytesOf, bytesOfPlan } from '../../services/inventory-shard/src/rules/turn/size.ts';
import { benchEvent } from './event-config.ts';

export const bytesFreeMax = 64;
export const bytesBookedMax = 200;

const caller: Caller = { source: 'server', actor: 'key_bench', accessSource: 'public' };
const seatsDirect = 4;
const seatsHeld = 2;

/** A unit's share in the plan, in the state, and in the estimate of both by `size.ts`. */
export type UnitBytes = { plan: number; state: number; both: number; estimated: number };

/**
 * `asked` is free after a best-available call, for which the event keeps an index. All units of `assigned` belong to
 * two channels.
 */
export type EventBytes = {
  free: UnitBytes;
  asked: UnitBytes;
  assigned: UnitBytes;
  bookedDirectly: UnitBytes;
  heldThenBooked: UnitBytes;
  assignedThenBooked: UnitBytes;
};

/** One event of 100,000 seats, free and then sold out. Measured as the memory in use after a garbage collection. */
export function measureEvent(): EventBytes {
  const document = JSON.stringify(bowl());
  // As the shard has it: a plan in memory is prepared for best-available.
  const compiled = () => {
    const plan = compilePlan(JSON.parse(document) as ChartDocument, 'bowl');
    finish(prepareSearch(plan));
    return plan;
  };
  // A first run makes code, shapes and buffers. Otherwise the first measured event would include them.
  sellAssigned(newState(benchEvent('bowl'), compiled()));
  const before = bytesInUse();
  const plan = compiled();
  const planBytes = bytesInUse() - before;
  const shareOf = (sell: (state: EventState) => void): UnitBytes => {
    const empty = bytesInUse();
    const state = newState(benchEvent('bowl'), plan);
    sell(state);
    const stateBytes = bytesInUse() - empty;
    const shares = [planBytes, stateBytes, planBytes + stateBytes, bytesOf(state) + bytesOfPlan(plan)];
    const [ofPlan, ofState, both, estimated] = shares.map((bytes) => bytes / plan.unitCount);
    return { plan: ofPlan!, state: ofState!, both: both!, estimated: estimated! };
  };
  const booked = { bookedDirectly: shareOf(sellDirectly), heldThenBooked: shareOf(sellHeld) };
  const assigned = { assigned: shareOf(assignAll), assignedThenBooked: shareOf(sellAssigned) };
  return { ...booked, ...assigned, free: shareOf(() => {}), asked: shareOf(askForBest) };
}

function askForBest(state: EventState): void {
  const holdId = newId('hld');
  run(state, { type: 'hold-best', holdId, query: { qty: 2 } }, 0);
  run(state, { type: 'release', holdId, callId: randomText(22) }, 1);
}

const channelIds = [newId('chn'), newId('chn')];

function assignAll(state: EventState): void {
  const plain = { color: null, marker: null, externalRef: null, accessIntent: 'none', priceOverrides: [] } as const;
  const half = Math.ceil(state.plan.unitCount / channelIds.length);
  for (const [n, id] of channelIds.entries()) {
    const channel = { id, name: `Channel ${n}`, ...plain, priceOverrides: [] };
    run(state, { type: 'create-channel', callId: randomText(22), channel, reason: null }, n);
    const labels = Array.from({ length: Math.min(half, state.plan.unitCount - n * half) }, (_, i) =>
      state.plan.labels.at(n * half + i),
    );
    const assignmentVersion = state.channels.version;
    const to = { channelId: id, labels, assignmentVersion, reason: null };
    run(state, { type: 'assign-channel', callId: randomText(22), ...to }, n);
  }
}

function sellAssigned(state: EventState): void {
  assignAll(state);
  sellHeld(state, { ...caller, accessSource: 'promoter', reach: { channelIds, includePublic: true } });
}

function sellDirectly(state: EventState): void {
  for (const [n, labels] of ordersOf(state.plan, seatsDirect)) {
    const selections = labels.map((label) => ({ label }));
    run(state, { type: 'book-direct', callId: randomText(22), selections, bookingRef: `order-${n}` }, n);
  }
}

/** The ended holds are kept for later reads. */
function sellHeld(state: EventState, by = caller): void {
  for (const [n, labels] of ordersOf(state.plan, seatsHeld)) {
    const holdId = newId('hld');
    run(state, { type: 'hold', holdId, selections: labels.map((label) => ({ label })) }, n, by);
    run(state, { type: 'book', callId: randomText(22), holdId, bookingRef: `order-${n}` }, n, by);
  }
}

function* ordersOf(plan: Plan, seats: number): Generator<[number, string[]]> {
  for (let unit = 0; unit < plan.unitCount; unit += seats) {
    const labels = Array.from({ length: Math.min(seats, plan.unitCount - unit) }, (_, i) => plan.labels.at(unit + i));
    yield [1_000_000 + unit / seats, labels];
  }
}

const start = 1_700_000_000_000;

function run(state: EventState, command: Command, n: number, by = caller): void {
  const at = start + n;
  const decision = decide(state, command, by, at);
  if (!decision.ok) throw new Error(`${command.type}: ${decision.refusal.message}`);
  for (const record of decision.records) apply(state, record, at);
  closeGroup(state, state.version + 1);
}

let collect: (() => void) | null = null;

function bytesInUse(): number {
  setFlagsFromString('--expose-gc');
  collect ??= runInNewContext('gc') as () => void;
  collect();
  collect();
  const { heapUsed, external } = process.memoryUsage();
  // `external` includes the memory of array buffers.
  return heapUsed + external;
}
