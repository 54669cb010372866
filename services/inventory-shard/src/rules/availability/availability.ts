/**
 * Availability rules and section states: what buyers see and may buy. Timed scopes are opened by the clock (due.ts),
 * thresholds by what is booked (consequences.ts); both for good, until a call says otherwise.
 */
import type { AvailabilityView } from '@parterre/shared/answers';
import { type ScopeState, type ScopesInForce, scopeState } from '@parterre/shared/chart/scopes';
import type { AvailabilityDraft, Caller, Command } from '@parterre/shared/commands';
import { refuse } from '@parterre/shared/errors';
import {
  type AvailabilityRules,
  type JournalRecord,
  type Line,
  type UnitStatus,
  unitStatus,
} from '@parterre/shared/records';
import { noteCall } from '../state/calls.ts';
import { byOf, type Decision } from '../state/decision.ts';
import { type EventState, schedule } from '../state/state.ts';
import { refuseUnknownScopes, scopesOf, scopesToReveal, thresholdBaseOf } from './divisions.ts';

type Rule = AvailabilityRules[string];

/** All rules anew. A scope that was opened by a rule which says the same now stays open. */
export function setAvailability(
  state: EventState,
  { callId, rules: drafts, version }: Command & { type: 'set-availability' },
  caller: Caller,
  now: number,
): Decision<'set-availability'> {
  const { plan, availability, statuses, sectionStates } = state;
  const unknown = refuseUnknownScopes(plan, 'rules', drafts);
  if (unknown) return unknown;
  if (version !== undefined && version !== availability.version) {
    return refuse('conflict', 'The rules have changed since.', { details: { version: availability.version } });
  }
  const kept = keepReveals(drafts, availability.rules);
  const due = scopesToReveal(kept, thresholdBaseOf(plan, kept, statuses), now);
  const rules = revealed(kept, due, now);
  const next = availability.version + 1;
  const { hidden, closed } = scopesOf(plan, rules, sectionStates);
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

/** New rules in place of the old: snapshots and answers share those. */
function revealed(rules: AvailabilityRules, scopes: readonly string[], at: number): AvailabilityRules {
  if (scopes.length === 0) return rules;
  const opened = { ...rules };
  for (const scope of scopes) {
    const rule = opened[scope];
    if (rule) opened[scope] = { ...rule, revealedAt: at };
  }
  return opened;
}

export function availabilityOf(state: EventState): AvailabilityView {
  const { rules, version } = state.availability;
  return { rules, ...inForce(state), version };
}

export function inForce({ scopes: { hidden, closed } }: EventState): ScopesInForce {
  return { hidden, closed };
}

/** What is in force after a group, where its records may have changed that. */
export function changedScopes(state: EventState, records: readonly JournalRecord[]): ScopesInForce | undefined {
  const mayChange = records.some((record) => changers.has(record.type));
  return mayChange ? inForce(state) : undefined;
}

const changers: ReadonlySet<JournalRecord['type']> = new Set<JournalRecord['type']>([
  'availability-set',
  'revealed',
  'configured',
  'section-states-set',
]);

export function scopeStateOf({ scopes }: EventState, object: number): ScopeState {
  return scopes.byObject === null ? scopeState.open : (scopes.byObject[object] as ScopeState);
}

/** Whether buyers and best-available may have units of this object. */
export function isOpenToBuyers(state: EventState, object: number): boolean {
  return scopeStateOf(state, object) === scopeState.open;
}

/** Whether the caller is to know nothing of this object. */
export function isHiddenFrom({ source }: Caller, state: EventState, object: number): boolean {
  return source === 'buyer' && scopeStateOf(state, object) === scopeState.hidden;
}

/** Whether this unit is in a scope that is hidden or closed. */
export function isWithdrawn(state: EventState, unit: number): boolean {
  return !isOpenToBuyers(state, state.plan.objectOfUnit[unit]!);
}

/** The hidden and closed scopes that these lines are in: what a record says of a server that named labels in them. */
export function passedBy(state: EventState, lines: readonly Line[]): string[] | undefined {
  const { scopes, plan } = state;
  if (scopes.byObject === null) return undefined;
  const inForce = new Set([...scopes.hidden, ...scopes.closed]);
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

/** Part of the fold: after rules, section states or chart have changed. */
export function refreshScopes(state: EventState): void {
  const before = state.scopes.nextReveal;
  const { plan, availability, sectionStates, statuses } = state;
  state.scopes = scopesOf(plan, availability.rules, sectionStates);
  state.thresholdBase = thresholdBaseOf(plan, availability.rules, statuses);
  const { nextReveal } = state.scopes;
  if (nextReveal !== null && nextReveal !== before) schedule(state, { at: nextReveal, what: 'reveal' });
}

type AvailabilityRecord = JournalRecord & { type: 'availability-set' | 'revealed' };

/** Part of the fold. The rules may be long: a call is remembered by the version it came to. */
export function foldAvailability(state: EventState, record: AvailabilityRecord, at: number): void {
  const { rules, version } = state.availability;
  state.availability =
    record.type === 'revealed'
      ? { rules: revealed(rules, record.scopes, at), version }
      : { rules: record.rules, version: record.version };
  refreshScopes(state);
  if (record.type === 'availability-set')
    noteCall(state, record.callId, { units: null, answer: { version: record.version } });
}

/** Part of the fold: the rules of scopes that the new chart has not are gone, and whoever knew them is behind. */
export function dropUnknownScopes(state: EventState): void {
  const isKnown = ([scope]: [string, unknown]): boolean => state.plan.scopeIds.has(scope);
  state.sectionStates = Object.fromEntries(Object.entries(state.sectionStates).filter(isKnown));
  const { rules, version } = state.availability;
  const kept = Object.entries(rules).filter(isKnown);
  if (kept.length < Object.keys(rules).length) {
    state.availability = { rules: Object.fromEntries(kept), version: version + 1 };
  }
}

/** Part of the fold: a unit's status has turned. */
export function countForThreshold(state: EventState, unit: number, before: UnitStatus, after: UnitStatus): void {
  const base = state.thresholdBase!;
  if (before === after || base.counts[state.plan.objectOfUnit[unit]!] === 0) return;
  if (after === unitStatus.booked) base.booked++;
  if (before === unitStatus.booked) base.booked--;
}
