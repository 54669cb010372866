/**
 * The divisions of a chart, which availability rules and section states name. A division is a section by its own id,
 * the sections that share a logical id by the logical id, a zone, or `__ungrouped__`. An object is in up to three
 * divisions, and the strictest counts. Names in this file say scope for division, as the stored and public fields do.
 */
import type { Plan, PlanObject } from './plan.ts';

/**
 * The divisions that are hidden from buyers, and the divisions that are shown but not sold to them. Every other
 * division is open.
 */
export type ScopesInForce = { hidden: string[]; closed: string[] };

export const noScopes: ScopesInForce = { hidden: [], closed: [] };

/** A larger state is stricter. */
export const scopeState = { open: 0, closed: 1, hidden: 2 } as const;
export type ScopeState = (typeof scopeState)[keyof typeof scopeState];

/**
 * The divisions that a rule or section state restricts and that this chart lacks. On this chart their units would be
 * open.
 */
export function droppedScopes(
  { scopeIds }: Pick<Plan, 'scopeIds'>,
  ruled: readonly string[],
  states: Readonly<Record<string, 'open' | 'closed' | 'hidden'>>,
): string[] {
  const named = [...ruled, ...Object.keys(states).filter((scope) => states[scope] !== 'open')];
  return [...new Set(named)].filter((scope) => !scopeIds.has(scope)).sort();
}

export function isInScope(plan: Plan, object: PlanObject, isNamed: (scope: string) => boolean): boolean {
  const { section, outlineId, zoneId } = object;
  if (isNamed(plan.sections[section]!.id)) return true;
  return (outlineId !== null && isNamed(outlineId)) || (zoneId !== null && isNamed(zoneId));
}

/** `ScopeState` by object; null when every object is open, so that a lookup then costs nothing. */
export function scopeStatesOf(plan: Plan, { hidden, closed }: ScopesInForce): Uint8Array | null {
  if (hidden.length === 0 && closed.length === 0) return null;
  const hiddenSet = new Set(hidden);
  const closedSet = new Set(closed);
  const states = new Uint8Array(plan.objects.length);
  let strictest = 0;
  for (const [index, object] of plan.objects.entries()) {
    if (isInScope(plan, object, (scope) => hiddenSet.has(scope))) states[index] = scopeState.hidden;
    else if (isInScope(plan, object, (scope) => closedSet.has(scope))) states[index] = scopeState.closed;
    strictest = Math.max(strictest, states[index]!);
  }
  return strictest === scopeState.open ? null : states;
}
