/**
 * A small event for tests of the inventory: three rows of eight, a GA area of ten, a table for four sold whole, tiers.
 */

import { compilePlan } from '@parterre/shared/charts/compile';
import type { ChartDocument } from '@parterre/shared/charts/document';
import type { Plan } from '@parterre/shared/charts/plan';
import type { Answers } from '@parterre/shared/protocol/answers';
import type { Caller, Command } from '@parterre/shared/protocol/commands';
import type { Refusal } from '@parterre/shared/protocol/errors';
import type { EventConfig, JournalRecord } from '@parterre/shared/protocol/records';
import { type ChartCommand, changesChart } from '../../../services/inventory-shard/src/rules/chart/chart.ts';
import type { EventState } from '../../../services/inventory-shard/src/rules/state/event-state.ts';
import { newState } from '../../../services/inventory-shard/src/rules/state/state.ts';
import { apply } from '../../../services/inventory-shard/src/rules/turn/apply.ts';
import { decide } from '../../../services/inventory-shard/src/rules/turn/decide.ts';
import { applyConsequences, applyDue } from '../../../services/inventory-shard/src/rules/turn/turn.ts';

const row = (label: string, y: number, categoryKey: string) => ({
  type: 'row',
  id: `row-${label}`,
  label,
  origin: { x: 0, y },
  rotation: 0,
  curve: 0,
  seatCount: 8,
  seatSpacing: 20,
  categoryKey,
});

export const smallChart = {
  version: 1,
  name: 'Small house',
  venueType: 'MIXED',
  focalPoint: { x: 70, y: -50 },
  categories: [
    { key: 'stalls', label: 'Stalls', color: '#123456', price: 40 },
    {
      key: 'circle',
      label: 'Circle',
      color: '#654321',
      tiers: [
        { id: 'adult', name: 'Adult', price: 30 },
        { id: 'child', name: 'Child', price: 15 },
      ],
    },
    { key: 'floor', label: 'Floor', color: '#00ff00', price: 10 },
    { key: 'house', label: 'House seats', color: '#000000', price: 0, notForSale: true },
  ],
  objects: [
    row('A', 0, 'stalls'),
    row('B', 20, 'stalls'),
    row('C', 40, 'circle'),
    { ...row('H', 60, 'house'), seatCount: 1 },
    {
      type: 'gaArea',
      id: 'ga',
      label: 'Standing',
      points: [
        { x: 0, y: 100 },
        { x: 100, y: 100 },
        { x: 100, y: 150 },
      ],
      capacity: 10,
      categoryKey: 'floor',
    },
    {
      type: 'table',
      id: 'table',
      label: 'T1',
      center: { x: 200, y: 200 },
      shape: 'round',
      seatCount: 4,
      rotation: 0,
      categoryKey: 'stalls',
      bookAsWhole: true,
    },
  ],
} as unknown as ChartDocument;

export const smallPlan: Plan = compilePlan(smallChart, 'small-plan');

const [rowA, rowB, rowC, rowH, ga, table] = smallChart.objects;

/** All objects of the small chart with other unit numbers, most in other categories, and more objects. */
const movedChart = {
  ...smallChart,
  categories: smallChart.categories.toReversed(),
  zones: [{ id: 'left', label: 'Left' }],
  objects: [
    { ...ga, capacity: 12, categoryKey: 'stalls' },
    row('D', 60, 'floor'),
    { ...table, variableOccupancy: true, minOccupancy: 2 },
    { ...rowA, categoryKey: 'circle' },
    rowH,
    rowC,
    rowB,
  ],
} as unknown as ChartDocument;

/** Two seats of row A, four places of the area, and the table by its chairs. */
const shrunkChart = {
  ...smallChart,
  objects: [{ ...rowA, seatCount: 2 }, rowB, rowC, { ...ga, capacity: 4 }, { ...table, bookAsWhole: false }],
} as unknown as ChartDocument;

const strip = (id: string, y: number, more: object) => ({
  type: 'section',
  id,
  label: id,
  outline: [
    { x: -10, y: y - 8 },
    { x: 150, y: y - 8 },
    { x: 150, y: y + 8 },
    { x: -10, y: y + 8 },
  ],
  ...more,
});

/**
 * The small chart with a section for each row. A and B are one logical section, B and C one zone. The rest is in no
 * section.
 */
export const sectionedChart = {
  ...smallChart,
  zones: [{ id: 'rear', label: 'Rear' }],
  objects: [
    ...smallChart.objects,
    strip('front', 0, { logicalSectionId: 'parquet' }),
    strip('middle', 20, { logicalSectionId: 'parquet', zone: 'rear' }),
    strip('back', 40, { zone: 'rear' }),
  ],
} as unknown as ChartDocument;

export const sectionedPlan: Plan = compilePlan(sectionedChart, 'sectioned-plan');
export const movedPlan: Plan = compilePlan(movedChart, 'moved-plan');
export const shrunkPlan: Plan = compilePlan(shrunkChart, 'shrunk-plan');

/** The plan with this hash, as the catalog would give it. */
export function planNamed(hash: string): Plan {
  const plan = [smallPlan, sectionedPlan, movedPlan, shrunkPlan].find((each) => each.hash === hash);
  if (!plan) throw new Error(`there is no plan ${hash}`);
  return plan;
}

/** The plan that a command names. */
export function planOfCommand(command: Command): Plan | undefined {
  return changesChart(command) ? planNamed(command.planHash) : undefined;
}

export function eventConfig(more: Partial<EventConfig> = {}): EventConfig {
  return {
    eventId: 'evt_test',
    eventKey: 'test-night',
    organisationId: 'org_test',
    workspaceId: 'ws_test',
    mode: 'test',
    ownership: 'platform',
    externalRef: null,
    currency: 'EUR',
    planHash: 'small-plan',
    holdTtlMs: null,
    ...more,
  };
}

export const buyer: Caller = { source: 'buyer', actor: null, accessSource: 'public' };
export const server: Caller = { source: 'server', actor: 'key_test', accessSource: 'public' };

export const START = 1_700_000_000_000;
export const MINUTE = 60_000;

/** An event whose clock the test owns. */
export function house(ownership: 'platform' | 'managed' = 'platform', on: Plan = smallPlan) {
  const state: EventState = newState(eventConfig({ ownership, planHash: on.hash }), on);
  const journal: JournalRecord[] = [];
  const times: number[] = [];
  let now = START;

  function note(records: readonly JournalRecord[]): void {
    for (const record of records) {
      journal.push(record);
      times.push(now);
    }
  }

  function run<C extends Command>(command: C, caller: Caller, plan = planOfCommand(command)) {
    note(applyDue(state, now));
    const decision = decide(state, command, caller, now, plan);
    if (decision.ok) {
      const records = [...decision.records];
      for (const record of records) apply(state, record, now, plan);
      if (!changesChart(command)) applyConsequences(state, now, records);
      note(records);
    }
    return decision;
  }

  return {
    state,
    journal,
    /** The time of each record of the journal. */
    times,
    pass: (ms: number) => {
      now += ms;
    },
    now: () => now,
    ok<C extends Command>(command: C, caller: Caller = server): Answers[C['type']] {
      const decision = run(command, caller);
      if (!decision.ok) throw new Error(`refused: ${JSON.stringify(decision.refusal)}`);
      return decision.answer as Answers[C['type']];
    },
    /** Moves the event to a chart that no other test has. */
    moveTo(plan: Plan): void {
      this.okOn(plan, {
        type: 'update-chart',
        acknowledgeMoved: true,
        reason: 'A new chart',
        callId: callId(),
        planHash: plan.hash,
        chartVersion: 2,
      });
    },
    /** The answer to a command that names a plan which no other test has. */
    okOn<C extends ChartCommand>(plan: Plan, command: C): Answers[C['type']] {
      const decision = run(command, server, plan);
      if (!decision.ok) throw new Error(`refused: ${JSON.stringify(decision.refusal)}`);
      return decision.answer as Answers[C['type']];
    },
    refusedOn(plan: Plan, command: ChartCommand): Refusal {
      const decision = run(command, server, plan);
      if (decision.ok) throw new Error(`not refused: ${JSON.stringify(decision.answer)}`);
      return decision.refusal;
    },
    /** Whether the command succeeded. */
    tries(command: Command, caller: Caller = server): boolean {
      return run(command, caller).ok;
    },
    refused(command: Command, caller: Caller = server): Refusal {
      const decision = run(command, caller);
      if (decision.ok) throw new Error(`not refused: ${JSON.stringify(decision.answer)}`);
      return decision.refusal;
    },
    counts(): Answers['count']['counts'] {
      return this.ok({ type: 'count' }).counts;
    },
  };
}

export const hold = (holdId: string, ...labels: string[]): Command & { type: 'hold' } => ({
  type: 'hold',
  holdId,
  selections: labels.map((label) => ({ label })),
});
export const book = (holdId: string, bookingRef: string, labels?: string[]): Command & { type: 'book' } =>
  labels
    ? { type: 'book', callId: callId(), holdId, bookingRef, labels }
    : { type: 'book', callId: callId(), holdId, bookingRef };
export const list = (
  listingId: string,
  bookingRef: string,
  ...labels: string[]
): Command & { type: 'list-resale' } => ({ type: 'list-resale', callId: callId(), listingId, bookingRef, labels });

let calls = 0;

/** A new call id. */
export function callId(): string {
  calls++;
  return `call-${calls}`;
}

export const direct = (bookingRef: string, ...labels: string[]): Command & { type: 'book-direct' } => ({
  type: 'book-direct',
  callId: callId(),
  bookingRef,
  selections: labels.map((label) => ({ label })),
});

export const block = (...labels: string[]): Command & { type: 'block' } => ({
  type: 'block',
  callId: callId(),
  labels,
  releaseAt: null,
  reason: null,
});

/** Moves the event to another chart, as the journal would. */
export function moveTo({ state }: ReturnType<typeof house>, document: ChartDocument): void {
  const plan = compilePlan(document, 'another-plan');
  const { unitCount: seatTotal, hash: planHash } = plan;
  const by = { source: 'server', actor: null } as const;
  const moved = { callId: callId(), from: state.plan.hash, planHash, chartVersion: 9, seatTotal, reason: null, by };
  apply(state, { type: 'chart-updated', ...moved }, state.at, plan);
}
