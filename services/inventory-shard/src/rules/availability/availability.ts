/**
 * Opens the room of availability: the divisions of the house that buyers see and may buy in, and whether the event is
 * sold out. The clock opens `timed` divisions (turn/due.ts). Booked units open `threshold` divisions
 * (turn/consequences.ts). A division that was opened stays open until a call changes its rule.
 */

import { type ScopeState, type ScopesInForce, scopeState } from '@parterre/shared/charts/scopes';
import type { AvailabilityView } from '@parterre/shared/protocol/answers';
import type { AvailabilityDraft, Caller, Command } from '@parterre/shared/protocol/commands';
import { refuse } from '@parterre/shared/protocol/errors';
import type { AvailabilityRules, JournalRecord, Line } from '@parterre/shared/protocol/records';
import {
  byOf,
  type CallRules,
  type Decision,
  type EventState,
  type Folds,
  noteCall,
  type ReadState,
  type Reads,
  schedule,
} from '../state/state.ts';
import { divisionsOf, divisionsToReveal, refuseUnknownDivisions, thresholdBaseOf } from './divisions.ts';
import { soldOutFolds } from './sold-out.ts';

export const availabilityReads: Reads<'availability'> = { availability: availabilityOf };

/** Rules may be long and are not remembered: a repetition gets the present rules. */
export const availabilityCalls: CallRules<'set-availability'> = {
  'set-availability': { decide: setAvailability, again: availabilityOf },
};

export const availabilityFolds: Folds<'availability-set' | 'revealed' | 'sold-out'> = {
  'availability-set': foldAvailability,
  revealed: foldAvailability,
  ...soldOutFolds,
};

type Rule = AvailabilityRules[string];

/** Replaces all rules. A division that its rule opened stays open if the new rule is the same. */
function setAvailability(
  state: ReadState,
  { callId, rules: drafts, version }: Command & { type: 'set-availability' },
  caller: Caller,
  now: number,
): Decision<'set-availability'> {
  const { plan, availability, statuses, sectionStates } = state;
  const unknown = refuseUnknownDivisions(plan, 'rules', drafts);
  if (unknown) return unknown;
  if (version !== undefined && version !== availability.version) {
    return refuse(
      'conflict',
      'The availability rules have changed. Read them again and repeat the call with their version.',
      { details: { version: availability.version } },
    );
  }
  const kept = keepReveals(drafts, availability.rules);
  const due = divisionsToReveal(kept, thresholdBaseOf(plan, kept, statuses), now);
  const rules = revealed(kept, due, now);
  const next = availability.version + 1;
  const { hidden, closed } = divisionsOf(plan, rules, sectionStates);
  return {
    ok: true,
    records: [{ type: 'availability-set', callId, rules, version: next, by: byOf(caller) }],
    answer: { rules, hidden, closed, version: next },
  };
}

function keepReveals(drafts: AvailabilityDraft, before: AvailabilityRules): AvailabilityRules {
  const rules: AvailabilityRules = {};
  for (const [scope, draft] of Object.entries(drafts)) {
    const known = Object.hasOwn(before, scope) ? before[scope] : undefined;
    const revealedAt = known && saysTheSame(known, draft) ? known.revealedAt : undefined;
    rules[scope] = revealedAt === undefined ? draft : { ...draft, revealedAt };
  }
  return rules;
}

function saysTheSame(a: Rule, b: Rule): boolean {
  return a.mode === b.mode && a.revealAt === b.revealAt && a.thresholdPct === b.thresholdPct;
}

/** Returns new rules, because snapshots and answers share the old rules. */
function revealed(rules: AvailabilityRules, scopes: readonly string[], at: number): AvailabilityRules {
  if (scopes.length === 0) return rules;
  const opened = { ...rules };
  for (const scope of scopes) {
    const rule = opened[scope];
    if (rule) opened[scope] = { ...rule, revealedAt: at };
  }
  return opened;
}

function availabilityOf(state: ReadState): AvailabilityView {
  const { rules, version } = state.availability;
  return { rules, ...inForce(state), version };
}

export function inForce({ divisions: { hidden, closed } }: ReadState): ScopesInForce {
  return { hidden, closed };
}

/** The divisions in force after a group, if its records may have changed them. */
export function changedDivisions(state: ReadState, records: readonly JournalRecord[]): ScopesInForce | undefined {
  const mayChange = records.some((record) => changers.has(record.type));
  return mayChange ? inForce(state) : undefined;
}

const changers: ReadonlySet<JournalRecord['type']> = new Set<JournalRecord['type']>([
  'availability-set',
  'revealed',
  'configured',
  'event-configured',
]);

export function divisionStateOf({ divisions }: ReadState, object: number): ScopeState {
  return divisions.byObject === null ? scopeState.open : (divisions.byObject[object] as ScopeState);
}

/** Whether buyers and best-available may take units of this object. */
export function isOpenToBuyers(state: ReadState, object: number): boolean {
  return divisionStateOf(state, object) === scopeState.open;
}

/** Whether the object is hidden from the caller. */
export function isHiddenFrom({ source }: Caller, state: ReadState, object: number): boolean {
  return source === 'buyer' && divisionStateOf(state, object) === scopeState.hidden;
}

/** Whether the unit is in a hidden or closed division. */
export function isWithdrawn(state: ReadState, unit: number): boolean {
  return !isOpenToBuyers(state, state.plan.objectOfUnit[unit]!);
}

/** The hidden and closed divisions of these lines. The record notes them when a server names labels in them. */
export function passedBy(state: ReadState, lines: readonly Line[]): string[] | undefined {
  const { divisions, plan } = state;
  if (divisions.byObject === null) return undefined;
  const inForce = new Set([...divisions.hidden, ...divisions.closed]);
  const passed = new Set<string>();
  for (const { unit } of lines) {
    if (!isWithdrawn(state, unit)) continue;
    const { section, outlineId, zoneId } = plan.objects[plan.objectOfUnit[unit]!]!;
    for (const scope of [plan.sections[section]!.id, outlineId, zoneId]) {
      if (scope !== null && inForce.has(scope)) passed.add(scope);
    }
  }
  return passed.size === 0 ? undefined : [...passed].sort();
}

/** For folds: runs after a change of rules or section states. */
export function refreshDivisions(state: EventState): void {
  const before = state.divisions.nextReveal;
  findDivisions(state);
  const { nextReveal } = state.divisions;
  if (nextReveal !== null && nextReveal !== before) schedule(state, { at: nextReveal, what: 'reveal' });
}

/** Finds the divisions and the base of thresholds anew. The caller rebuilds the deadlines. */
export function findDivisions(state: EventState): void {
  const { plan, availability, sectionStates, statuses } = state;
  state.divisions = divisionsOf(plan, availability.rules, sectionStates);
  state.thresholdBase = thresholdBaseOf(plan, availability.rules, statuses);
}

type AvailabilityRecord = JournalRecord & { type: 'availability-set' | 'revealed' };

/** For folds. Rules may be long, so a call is remembered by the version that it made. */
function foldAvailability(state: EventState, record: AvailabilityRecord, at: number): void {
  const { rules, version } = state.availability;
  state.availability =
    record.type === 'revealed'
      ? { rules: revealed(rules, record.scopes, at), version }
      : { rules: record.rules, version: record.version };
  refreshDivisions(state);
  if (record.type === 'availability-set')
    noteCall(state, record.callId, { units: null, answer: { version: record.version } });
}

/**
 * For folds: drops the rules and states of divisions that the new chart lacks. The version grows, so that callers
 * who read the old rules get a conflict.
 */
export function dropUnknownDivisions(state: EventState): void {
  const isKnown = ([scope]: [string, unknown]): boolean => state.plan.scopeIds.has(scope);
  state.sectionStates = Object.fromEntries(Object.entries(state.sectionStates).filter(isKnown));
  const { rules, version } = state.availability;
  const kept = Object.entries(rules).filter(isKnown);
  if (kept.length < Object.keys(rules).length) {
    state.availability = { rules: Object.fromEntries(kept), version: version + 1 };
  }
}
