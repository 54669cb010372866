/** The state of every unit as callers read it: by label, leaving out the most common status. Pure. */

import type { EventView } from '@parterre/shared/answers';
import type { Plan } from '@parterre/shared/chart/plan';
import { categoryOf } from '@parterre/shared/chart/plan';
import { noScopes, scopeState } from '@parterre/shared/chart/scopes';
import { statusNames, unitStatus, unpackStatuses } from '@parterre/shared/records';

/**
 * Who looks. Buyers see four words of their own: what is blocked, and what belongs to a category that is not sold, is
 * `not_for_sale`. Servers and operators see the four true statuses.
 */
export type Audience = 'buyer' | 'server';

const words: Record<Audience, readonly string[]> = {
  buyer: ['free', 'held', 'booked', 'not_for_sale'],
  server: statusNames,
};

/** `seats` is an object by label, as JSON already: made as one it would take several times as long. */
export type Objects = { default: string; seats: string; ga: Record<string, { free: number }> };

/** What a buyer is not shown at all. */
export const stripped = 4;

/** `scopes` is the `ScopeState` by object, null where all are open: what is closed has one status, whatever became of it. */
export function shownStatus(
  plan: Plan,
  unit: number,
  status: number,
  audience: Audience,
  scopes: Uint8Array | null = null,
): number {
  if (audience === 'server') return status;
  const state = scopes === null ? scopeState.open : scopes[plan.objectOfUnit[unit]!]!;
  if (state !== scopeState.open) return state === scopeState.hidden ? stripped : unitStatus.blocked;
  if (status !== unitStatus.free) return status;
  return categoryOf(plan, unit).notForSale ? unitStatus.blocked : status;
}

export function statusWord(status: number, audience: Audience): string {
  return words[audience][status]!;
}

/** With `compact` the default is the commonest status, the lower code winning ties; else it is `free`. */
export function objectsOf(
  plan: Plan,
  statuses: Uint8Array,
  audience: Audience,
  compact: boolean,
  scopes: Uint8Array | null = null,
): Objects {
  const shown = new Uint8Array(plan.unitCount);
  const totals = [0, 0, 0, 0, 0];
  for (let unit = 0; unit < plan.unitCount; unit++) {
    const status = shownStatus(plan, unit, statuses[unit]!, audience, scopes);
    shown[unit] = status;
    totals[status]!++;
  }
  const usual = compact ? totals.indexOf(Math.max(...totals.slice(0, stripped))) : unitStatus.free;
  let seats = '';
  for (let unit = 0; unit < plan.unitCount; unit++) {
    if (shown[unit] === usual || shown[unit] === stripped) continue;
    seats += `,${JSON.stringify(plan.labels.at(unit))}:"${statusWord(shown[unit]!, audience)}"`;
  }
  return {
    default: statusWord(usual, audience),
    seats: `{${seats.slice(1)}}`,
    ga: freePlaces(plan, statuses, audience, null, scopes),
  };
}

/** `{...fields, seats}` as JSON. */
export function jsonWithSeats(fields: Record<string, unknown>, { seats }: Objects): string {
  return `${JSON.stringify(fields).slice(0, -1)},"seats":${seats}}`;
}

/** Free places of the GA areas: of all of them, or of those that `units` are in. */
export function freePlaces(
  plan: Plan,
  statuses: Uint8Array,
  audience: Audience,
  units: Iterable<number> | null,
  scopes: Uint8Array | null = null,
): Record<string, { free: number }> {
  const ga: Record<string, { free: number }> = Object.create(null);
  const wanted = units === null ? null : new Set<number>();
  for (const unit of units ?? []) wanted?.add(plan.objectOfUnit[unit]!);
  for (const object of wanted ?? plan.objects.keys()) {
    const area = plan.objects[object]!;
    if (area.type !== 'gaArea') continue;
    if (audience === 'buyer' && scopes?.[object] === scopeState.hidden) continue;
    let free = 0;
    for (let unit = area.firstUnit; unit < area.firstUnit + area.unitCount; unit++) {
      if (shownStatus(plan, unit, statuses[unit]!, audience, scopes) === unitStatus.free) free++;
    }
    ga[area.id] = { free };
  }
  return ga;
}

/** The body of `GET /v1/events/{key}/objects`: all that is not free, in true words. */
export function operatorObjects(plan: Plan, view: EventView): string {
  const objects = objectsOf(plan, unpackStatuses(view.statuses, view.unitCount), 'server', false);
  const { version: snapshotVersion, updatedAt, scopes: { hidden, closed } = noScopes } = view;
  return jsonWithSeats({ hidden, closed, snapshotVersion, updatedAt }, objects);
}
