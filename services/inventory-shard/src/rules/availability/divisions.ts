/**
 * What follows from an event's availability rules and section states: which scopes are hidden and closed, which objects
 * they cover, when the clock opens the next one, and how many booked units a threshold waits for. Worked out anew whenever
 * rules, section states or chart change; nothing of it is stored.
 */
import type { Plan } from '@parterre/shared/chart/plan';
import { isInScope, type ScopesInForce, scopeStatesOf } from '@parterre/shared/chart/scopes';
import { refuse } from '@parterre/shared/errors';
import { type AvailabilityRules, type SectionStates, unitStatus } from '@parterre/shared/records';

export type Scopes = ScopesInForce & {
  /** `ScopeState` by object; null where all are open. */
  readonly byObject: Uint8Array | null;
  /** When the next `timed` scope opens. */
  readonly nextReveal: number | null;
};

type Rule = AvailabilityRules[string];

/** A refusal that names each scope which the chart has not, in the field of the body where it stands; null where it has all. */
export function refuseUnknownScopes(
  { scopeIds }: Plan,
  field: string,
  scopes: object,
): ReturnType<typeof refuse> | null {
  const unknown = Object.keys(scopes).filter((scope) => !scopeIds.has(scope));
  if (unknown.length === 0) return null;
  const message = 'is no section or zone of the chart';
  return refuse('invalid_request', `The ${field} name what the chart of this event has not.`, {
    details: { issues: unknown.map((scope) => ({ path: `${field}.${scope}`, message })) },
  });
}

/** Where rule and section state disagree the stricter one counts, so a section state wins over a rule that is open. */
export function scopesOf(plan: Plan, rules: AvailabilityRules, sectionStates: SectionStates): Scopes {
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

/** What thresholds are measured on: the units under no hidden or threshold rule, and how many of them are booked. */
export type ThresholdBase = {
  /** 1 for the objects whose units count. */
  readonly counts: Uint8Array;
  readonly units: number;
  /** The least percentage that a scope waits for. */
  readonly leastPct: number;
  booked: number;
};

/** Null where no scope waits for its threshold. */
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

/** The scopes that open now: their time has come, or enough is booked. Where nothing counts, no threshold is ever reached. */
export function scopesToReveal(rules: AvailabilityRules, base: ThresholdBase | null, now: number): string[] {
  const opens = (rule: Rule): boolean => {
    if (waitsForTime(rule)) return rule.revealAt <= now;
    return waitsForSales(rule) && base !== null && isReached(base, rule.thresholdPct);
  };
  return Object.keys(rules).filter((scope) => opens(rules[scope]!));
}

export function isReached({ units, booked }: ThresholdBase, thresholdPct: number): boolean {
  return units > 0 && booked * 100 >= thresholdPct * units;
}
