/**
 * The checks after a load of group sales with kills, once its buyers have stopped: each operation is booked in every event
 * of its group or in none, and holds in every event or in none. Nothing is left to do. Every buyer was told the truth. The
 * journals fold without a violation, and front doors serve their fold.
 */
import { setTimeout as pause } from 'node:timers/promises';
import type { Plan } from '@parterre/shared/chart/plan';
import { internalIdOf } from '@parterre/shared/operations/operation';
import { type FoldedEvent, foldJournals } from '../../support/partition/journal-fold.ts';
import { type Access, servedOtherwise } from './aftermath.ts';
import type { GroupLoad, GroupSale, SingleSale } from './group-buyers.ts';

type Folded = Map<string, FoldedEvent>;

const looksMax = 20;
const lookMs = 2_000;

/** All violations; an empty list means that every check passed. */
export async function groupViolationsAfter(
  load: GroupLoad,
  { access, natsUrl, partitions, plan }: { access: Access; natsUrl: string; partitions: number; plan: Plan },
): Promise<string[]> {
  const eventKeys = [...new Set(load.sales.flatMap(({ group }) => group.eventKeys))];
  let folded = await foldJournals(natsUrl, partitions, () => plan);
  // Catalogs go on with what dead front doors have left.
  for (let look = 1; look < looksMax && load.sales.some((sale) => isOpen(folded, sale)); look++) {
    await pause(lookMs);
    folded = await foldJournals(natsUrl, partitions, () => plan);
  }
  const violations = [...load.violations];
  for (const eventKey of eventKeys) {
    const event = folded.get(eventKey)!;
    violations.push(...event.violations.map((what) => `${eventKey}: ${what}`));
    violations.push(...(await servedOtherwise(access, eventKey, event)));
  }
  for (const sale of load.sales) {
    const name = `${sale.operationId} of ${sale.group.key}, ${JSON.stringify(statesOf(folded, sale))}`;
    violations.push(...wrongOf(folded, sale).map((what) => `${name}: ${what}`));
  }
  for (const single of load.singles) violations.push(...wrongOfSingle(folded, single));
  return violations;
}

/** The states of the operation's parts, in the order of the group's events. */
function statesOf(folded: Folded, sale: GroupSale): string[] {
  return partsOf(folded, sale).map((part) => part?.state ?? 'none');
}

function partsOf(folded: Folded, { group, operationId }: GroupSale) {
  const id = internalIdOf({ kind: 'group', key: group.key }, operationId);
  return group.eventKeys.map((eventKey) => folded.get(eventKey)!.state.parts.get(id));
}

/** Whether something is left to do: a pin, or a member that waits for its home. */
function isOpen(folded: Folded, sale: GroupSale): boolean {
  const states = statesOf(folded, sale);
  const live = states.filter((state) => state === 'held').length;
  return states.includes('pinned') || (live > 0 && live < states.length);
}

function wrongOf(folded: Folded, sale: GroupSale): string[] {
  const wrong: string[] = [];
  const states = statesOf(folded, sale);
  const booked = states.filter((state) => state === 'booked').length;
  if (isOpen(folded, sale)) wrong.push('it is still open');
  if (booked > 0 && booked < states.length) wrong.push('some events have booked, and others have not');
  const action = booked > 0 ? partsOf(folded, sale)[0]?.action?.id : undefined;
  for (const { actionId, bookingRef, outcome } of sale.bookings) {
    if (outcome === 'booked' && action !== actionId) wrong.push(`${actionId} was confirmed, and not made`);
    if (outcome === 'refused' && action === actionId) wrong.push(`${actionId} was refused, and made`);
    for (const eventKey of action === actionId ? sale.group.eventKeys : []) {
      const labels = bookedLabels(folded.get(eventKey)!, bookingRef);
      if (labels.join('; ') !== sale.labels.toSorted().join())
        wrong.push(`${eventKey} has booked ${labels.join('; ')}`);
    }
  }
  const isThere = states.some((state) => state === 'held' || state === 'booked');
  if (sale.held === 'refused' && isThere) wrong.push('the hold was refused, and stands');
  if (sale.released && isThere) wrong.push('the release was confirmed, and seats are still taken');
  const isUnasked = sale.bookings.length === 0 && !sale.released;
  if (sale.held === 'held' && isUnasked && booked > 0) wrong.push('nobody has asked for its booking');
  return wrong;
}

/** The labels of each record that books under this reference. */
function bookedLabels({ state, entries }: FoldedEvent, bookingRef: string): string[] {
  return entries.flatMap(({ record }) => {
    if (record.type !== 'booked' || record.bookingRef !== bookingRef) return [];
    const labels = record.lines.map(({ unit }) => state.plan.labels.at(unit));
    return [labels.sort().join()];
  });
}

function wrongOfSingle(folded: Folded, { eventKey, label, bookingRef, isBooked }: SingleSale): string[] {
  const labels = bookedLabels(folded.get(eventKey)!, bookingRef);
  const isRight = isBooked ? labels.join('; ') === label : labels.length <= 1;
  return isRight
    ? []
    : [`${bookingRef} of ${eventKey}: ${label} was confirmed, and the journal has ${labels.join('; ')}`];
}
