/**
 * The facts that follow from an event's availability rules and section states: the hidden and closed divisions, the
 * objects that they cover, the time at which the clock opens the next division, and the booked units that a threshold
 * waits for. Folds recompute them when rules, section states or chart change. They are never stored.
 */
import type { Plan } from '@parterre/shared/charts/plan';
import { isInScope, scopeStatesOf } from '@parterre/shared/charts/scopes';
import { type Issue, refuse } from '@parterre/shared/protocol/errors';
import { type AvailabilityRules, type SectionStates, unitStatus } from '@parterre/shared/protocol/records';
import type { Divisions, ThresholdBase } from '../state/state.ts';

type Rule = AvailabilityRules[string];

/** A refusal that names each unknown division with its field of the body, or null if the chart has every division. */
export function refuseUnknownDivisions(plan: Plan, field: string, scopes: object): ReturnType<typeof refuse> | null {
  const issues = unknownDivisions(plan, field, scopes);
  if (issues.length === 0) return null;
  return refuse('invalid_request', `The ${field} name sections or zones that the chart lacks. The issues list them.`, {
    details: { issues },
  });
}

export function unknownDivisions({ scopeIds }: Plan, field: string, scopes: object): Issue[] {
  const unknown = Object.keys(scopes).filter((scope) => !scopeIds.has(scope));
  const message = 'The chart has no such section or zone.';
  return unknown.map((scope) => ({ path: `${field}.${scope}`, message }));
}

/**
 * If a rule and a section state disagree, the stricter one counts. A section state therefore closes or hides a section
 * that its rule opens.
 */
export function divisionsOf(plan: Plan, rules: AvailabilityRules, sectionStates: SectionStates): Divisions {
  const hidden = new Set<string>();
  const closed = new Set<string>();
  let nextReveal: number | null = null;
  for (const [scope, rule] of Object.entries(rules)) {
    const state = stateUnder(rule);
    if (state === 'hidden') hidden.add(scope);
    if (state === 'closed') closed.add(scope);
    if (waitsForTime(rule)) nextReveal = Math.min(rule.revealAt, nextReveal ?? rule.revealAt);
  }
  for (const [scope, state] of Object.entries(sectionStates)) {
    if (state === 'hidden') hidden.add(scope);
    if (state === 'closed') closed.add(scope);
  }
  for (const scope of hidden) closed.delete(scope);
  const inForce = { hidden: [...hidden].sort(), closed: [...closed].sort() };
  return { ...inForce, byObject: scopeStatesOf(plan, inForce), nextReveal };
}

function stateUnder({ mode, revealedAt }: Rule): 'open' | 'closed' | 'hidden' {
  if (mode === 'closed') return 'closed';
  return mode === 'hidden' || revealedAt === undefined ? 'hidden' : 'open';
}

function waitsForTime(rule: Rule): rule is Rule & { revealAt: number } {
  return rule.mode === 'timed' && rule.revealedAt === undefined;
}

/** Null if no division waits for a threshold. */
export function thresholdBaseOf(plan: Plan, rules: AvailabilityRules, statuses: Uint8Array): ThresholdBase | null {
  const waiting = Object.values(rules).filter(waitsForSales);
  if (waiting.length === 0) return null;
  const leastPct = Math.min(...waiting.map(({ thresholdPct }) => thresholdPct));
  const isWithout = (scope: string): boolean => {
    const mode = Object.hasOwn(rules, scope) ? rules[scope]!.mode : null;
    return mode === 'hidden' || mode === 'threshold';
  };
  const counts = new Uint8Array(plan.objects.length);
  let units = 0;
  let booked = 0;
  for (const [index, object] of plan.objects.entries()) {
    if (isInScope(plan, object, isWithout)) continue;
    counts[index] = 1;
    units += object.unitCount;
    for (let unit = object.firstUnit; unit < object.firstUnit + object.unitCount; unit++) {
      if (statuses[unit] === unitStatus.booked) booked++;
    }
  }
  return { counts, units, leastPct, booked };
}

function waitsForSales(rule: Rule): rule is Rule & { thresholdPct: number } {
  return rule.mode === 'threshold' && rule.revealedAt === undefined;
}

/**
 * The divisions that open now, because their time has come or enough units are booked. Without units that count, no
 * threshold is reached.
 */
export function divisionsToReveal(rules: AvailabilityRules, base: ThresholdBase | null, now: number): string[] {
  const opens = (rule: Rule): boolean => {
    if (waitsForTime(rule)) return rule.revealAt <= now;
    return waitsForSales(rule) && base !== null && isReached(base, rule.thresholdPct);
  };
  return Object.keys(rules).filter((scope) => opens(rules[scope]!));
}

export function isReached({ units, booked }: ThresholdBase, thresholdPct: number): boolean {
  return units > 0 && booked * 100 >= thresholdPct * units;
}
