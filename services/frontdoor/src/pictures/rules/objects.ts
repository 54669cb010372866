/** The state of every unit as callers read it: by label, without the default status. Pure. */

import type { Plan } from '@parterre/shared/charts/plan';
import { categoryOf } from '@parterre/shared/charts/plan';
import { noScopes, scopeState } from '@parterre/shared/charts/scopes';
import type { EventView } from '@parterre/shared/protocol/answers';
import { statusNames, unitStatus } from '@parterre/shared/protocol/records';
import type { Spelled } from '../../answers/answers.ts';
import type { Audience } from './audience.ts';

/**
 * Buyers see their own four words. `not_for_sale` covers blocked units, units of a category that is not sold, and units
 * that the buyer may not select. Servers and operators see the four true statuses.
 */
const words: Record<Audience['words'], readonly string[]> = {
  buyer: ['free', 'held', 'booked', 'not_for_sale'],
  server: statusNames,
};

/** The status of a unit that a buyer does not see at all. */
export const stripped = 4;

/**
 * The status that a buyer sees of a unit within reach. `scopes` is the `ScopeState` of each object; null if all
 * divisions are open. A closed unit always has the same status.
 */
export function shownToBuyers(plan: Plan, unit: number, status: number, scopes: Uint8Array | null): number {
  const state = scopes === null ? scopeState.open : scopes[plan.objectOfUnit[unit]!]!;
  if (state !== scopeState.open) return state === scopeState.hidden ? stripped : unitStatus.blocked;
  if (status !== unitStatus.free) return status;
  return categoryOf(plan, unit).notForSale ? unitStatus.blocked : status;
}

export function statusWord(status: number, audience: Pick<Audience, 'words'>): string {
  return words[audience.words][status]!;
}

/** `seats` is a JSON object by label, as text. Building an object first would take several times as long. */
export type Objects = { default: BuyerWord; seats: string };

type BuyerWord = 'free' | 'held' | 'booked' | 'not_for_sale';

/** Labels that are made together, which is quicker than one by one. */
const labelsAtOnce = 256;

/**
 * `shown` is the visible status of each unit. With `compact` the default is the most common status, and the lower code
 * wins a tie; otherwise it is `free`. While units are hidden from the audience, the default is `not_for_sale`: a page
 * that still draws the hidden units shows them as not for sale, and learns no label.
 */
export function objectsOf(plan: Plan, shown: Uint8Array, audience: Pick<Audience, 'words'>, compact: boolean): Objects {
  const usual = shown.includes(stripped) ? unitStatus.blocked : compact ? commonest(shown) : unitStatus.free;
  const words = [0, 1, 2, 3].map((status) => `:"${statusWord(status, audience)}"`);
  let seats = '';
  for (let from = 0; from < plan.unitCount; from += labelsAtOnce) {
    const to = Math.min(from + labelsAtOnce, plan.unitCount);
    let labels: string[] | null = null;
    for (let unit = from; unit < to; unit++) {
      const status = shown[unit]!;
      if (status === usual || status === stripped) continue;
      labels ??= plan.labels.range(from, to);
      seats += `,${JSON.stringify(labels[unit - from])}${words[status]}`;
    }
  }
  // Only buyers get the default.
  return { default: statusWord(usual, audience) as BuyerWord, seats: `{${seats.slice(1)}}` };
}

function commonest(shown: Uint8Array): number {
  const totals = [0, 0, 0, 0, 0];
  for (const status of shown) totals[status]!++;
  return totals.indexOf(Math.max(...totals.slice(0, stripped)));
}

/** The words of `seats` are the words of the audience. No type tells them. */
export type WithSeats<Fields> = Spelled<Fields & { seats: Record<string, never> }, string>;

/** `{...fields, seats}` as JSON. */
export function jsonWithSeats<Fields extends object>(fields: Fields, { seats }: Objects): WithSeats<Fields> {
  return `${JSON.stringify(fields).slice(0, -1)},"seats":${seats}}` as WithSeats<Fields>;
}

/** Of the last known state of a halted event. */
export const staleMark = { stale: true } as const;

type TrueStatuses = Pick<EventView, 'version' | 'updatedAt' | 'scopes' | 'stale'> & { statuses: Uint8Array };

/**
 * The body of `GET /v1/events/{key}/objects`: all units that are not free, with true statuses. `reservations`: by
 * label.
 */
export function trueObjects(
  plan: Plan,
  { statuses, scopes = noScopes, ...told }: TrueStatuses,
  reservations: Record<string, { id: string; name: string }> | null = null,
) {
  const objects = objectsOf(plan, statuses, { words: 'server' }, false);
  const { version: snapshotVersion, updatedAt, stale } = told;
  const { hidden, closed } = scopes;
  return jsonWithSeats(
    { hidden, closed, snapshotVersion, updatedAt, ...(reservations && { reservations }), ...(stale && staleMark) },
    objects,
  );
}
