/**
 * One map of several events: one status a label, as a buyer sees it. A label is free where every performance has
 * it free; otherwise it shows the firmest status. `partial` names the performances that lack a label which another has
 * free. A label that no performance shows is left out. Pure.
 */
import type { Plan } from '@parterre/shared/chart/plan';
import { unitStatus } from '@parterre/shared/records';
import { statusWord, stripped } from '../../pictures/pictures.ts';

/** One performance: `seen` has the status of each unit of `plan`, or `stripped`. */
export type PerformanceMap = { eventKey: string; plan: Plan; seen: Uint8Array; salesClosed: boolean };

/** Parts of the answer, as JSON text: a map of a large chart is never an object. */
export type GroupMapJson = { seats: string; partial: string };

const buyers = { words: 'buyer' } as const;

export function groupMap(performances: readonly PerformanceMap[]): GroupMapJson {
  let seats = '';
  let partial = '';
  for (const { label, statuses } of unitsOf(performances)) {
    const firmest = firmestOf(statuses);
    if (firmest === null) continue;
    const name = JSON.stringify(label);
    seats += `,${name}:"${statusWord(firmest, buyers)}"`;
    if (firmest === unitStatus.free || !statuses.includes(unitStatus.free)) continue;
    const blocked = performances.filter((_, index) => statuses[index] !== unitStatus.free);
    partial += `,${name}:${JSON.stringify(blocked.map(({ eventKey }) => eventKey))}`;
  }
  return { seats: `{${seats.slice(1)}}`, partial: `{${partial.slice(1)}}` };
}

/** The statuses of `groupMap` alone. */
export function seatsEverywhere(performances: readonly PerformanceMap[]): string {
  let seats = '';
  for (const { label, statuses } of unitsOf(performances)) {
    const firmest = firmestOf(statuses);
    if (firmest !== null) seats += `,${JSON.stringify(label)}:"${statusWord(firmest, buyers)}"`;
  }
  return `{${seats.slice(1)}}`;
}

/** The map of one performance: every label that it shows. */
export function performanceSeats({ plan, seen }: PerformanceMap): string {
  let seats = '';
  for (let unit = 0; unit < plan.unitCount; unit++) {
    if (seen[unit] !== stripped)
      seats += `,${JSON.stringify(plan.labels.at(unit))}:"${statusWord(seen[unit]!, buyers)}"`;
  }
  return `{${seats.slice(1)}}`;
}

/** Null where no performance shows the label. A performance that hides the label does not sell it. */
function firmestOf(statuses: readonly number[]): number | null {
  let firmest = 0;
  let isShown = false;
  for (const status of statuses) {
    if (status !== stripped) isShown = true;
    firmest = Math.max(firmest, status === stripped ? unitStatus.blocked : status);
  }
  return isShown ? firmest : null;
}

/**
 * Each label with its status in every performance; `stripped` where a performance lacks it. The array is reused. Events
 * of one chart version have one plan, unless an operator has adjusted the chart of one of them.
 */
function* unitsOf(performances: readonly PerformanceMap[]): Generator<{ label: string; statuses: number[] }> {
  const [first, ...others] = performances;
  if (!first) return;
  const statuses: number[] = new Array(performances.length).fill(0);
  if (others.every(({ plan }) => plan.hash === first.plan.hash)) {
    for (let unit = 0; unit < first.plan.unitCount; unit++) {
      for (const [index, { seen }] of performances.entries()) statuses[index] = seen[unit]!;
      yield { label: first.plan.labels.at(unit), statuses };
    }
    return;
  }
  const told = new Set<string>();
  for (const { plan } of performances) {
    for (let unit = 0; unit < plan.unitCount; unit++) {
      const label = plan.labels.at(unit);
      if (told.has(label)) continue;
      told.add(label);
      for (const [index, each] of performances.entries()) {
        const own = each.plan.labels.unitOf(label);
        statuses[index] = own === undefined ? stripped : each.seen[own]!;
      }
      yield { label, statuses };
    }
  }
}
