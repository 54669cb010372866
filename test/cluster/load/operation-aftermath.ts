/**
 * The checks after a load of sales over several events with kills, once its buyers have stopped: each operation is
 * held, booked and cancelled in every event of its owner or in none. Nothing is left to do. Every buyer was told the
 * truth. The journals fold without a violation, and front doors serve the folded state. The report of a season equals
 * its journals.
 */
import { setTimeout as pause } from 'node:timers/promises';
import { internalIdOf } from '@parterre/shared/protocol/operations/operation';
import { type FoldedEvent, foldJournals } from '../../support/partition/journal-fold.ts';
import { type Access, call, type Deployment, servedOtherwise } from './aftermath.ts';
import type { OperationBooking, OperationLoad, OperationSale, SingleSale } from './operation-buyers.ts';

type Folded = Map<string, FoldedEvent>;

const looksMax = 20;
const lookMs = 2_000;

/** All violations; an empty list means that every check passed. */
export async function operationViolationsAfter(
  load: OperationLoad,
  { access, natsUrl, partitions, planOf }: Deployment,
): Promise<string[]> {
  const eventKeys = [...new Set(load.sales.flatMap(({ owner }) => owner.eventKeys))];
  let folded = await foldJournals(natsUrl, partitions, planOf);
  // Catalogs go on with what dead front doors have left.
  for (let look = 1; look < looksMax && load.sales.some((sale) => isOpen(folded, sale)); look++) {
    await pause(lookMs);
    folded = await foldJournals(natsUrl, partitions, planOf);
  }
  const violations = [...load.violations];
  for (const eventKey of eventKeys) {
    const event = folded.get(eventKey)!;
    violations.push(...event.violations.map((what) => `${eventKey}: ${what}`));
    violations.push(...(await servedOtherwise(access, eventKey, event)));
  }
  for (const sale of load.sales) {
    const name = `${sale.operationId} of ${sale.owner.key}, ${JSON.stringify(statesOf(folded, sale))}`;
    violations.push(...wrongOf(folded, sale).map((what) => `${name}: ${what}`));
  }
  for (const single of load.singles) violations.push(...wrongOfSingle(folded, single));
  return [...violations, ...(await reportedOtherwise(access, folded, load.sales))];
}

/** The states of the operation's parts, in the order of the owner's events. */
function statesOf(folded: Folded, sale: OperationSale): string[] {
  return partsOf(folded, sale).map((part) => part?.state ?? 'none');
}

function partsOf(folded: Folded, { owner, operationId }: OperationSale) {
  const { kind, key, eventKeys } = owner;
  const id = internalIdOf({ kind, key }, operationId);
  return eventKeys.map((eventKey) => folded.get(eventKey)!.state.parts.get(id));
}

/** Whether something is left to do: a pin, a member that waits for its home, or the rest of a cancellation. */
function isOpen(folded: Folded, sale: OperationSale): boolean {
  const states = statesOf(folded, sale);
  const live = states.filter((state) => state === 'held').length;
  if (states.includes('pinned') || (live > 0 && live < states.length)) return true;
  return sale.bookings.some((booking) => new Set(cancelledIn(folded, sale, booking)).size > 1);
}

function wrongOf(folded: Folded, sale: OperationSale): string[] {
  const wrong: string[] = [];
  const states = statesOf(folded, sale);
  const booked = states.filter((state) => state === 'booked').length;
  if (isOpen(folded, sale)) wrong.push('it is still open');
  if (booked > 0 && booked < states.length) wrong.push('some events have booked, and others have not');
  const action = booked > 0 ? partsOf(folded, sale)[0]?.action?.id : undefined;
  for (const booking of sale.bookings) {
    const { actionId, bookingRef, outcome } = booking;
    if (outcome === 'booked' && action !== actionId) wrong.push(`${actionId} was confirmed, and not made`);
    if (outcome === 'refused' && action === actionId) wrong.push(`${actionId} was refused, and made`);
    for (const eventKey of action === actionId ? sale.owner.eventKeys : []) {
      const labels = labelsUnder(folded.get(eventKey)!, 'booked', bookingRef);
      if (labels !== sale.labels.toSorted().join()) wrong.push(`${eventKey} has booked ${labels}`);
    }
    wrong.push(...wrongOfCancellation(folded, sale, booking));
  }
  const isThere = states.some((state) => state === 'held' || state === 'booked');
  if (sale.held === 'refused' && isThere) wrong.push('the hold was refused, and stands');
  if (sale.released && isThere) wrong.push('the release was confirmed, and seats are still taken');
  const isUnasked = sale.bookings.length === 0 && !sale.released;
  if (sale.held === 'held' && isUnasked && booked > 0) wrong.push('nobody has asked for its booking');
  return wrong;
}

/** A booking that is not cancelled keeps its seats in every event. */
function wrongOfCancellation(folded: Folded, sale: OperationSale, booking: OperationBooking): string[] {
  const { actionId, outcome, cancelled } = booking;
  const wrong: string[] = [];
  const [first = '', ...others] = new Set(cancelledIn(folded, sale, booking));
  const isMade = first !== '' || others.length > 0;
  if (isMade && (others.length > 0 || first !== sale.labels.toSorted().join()))
    wrong.push(`the events have cancelled ${JSON.stringify([first, ...others])} of ${actionId}`);
  if (isMade && cancelled === 'not asked') wrong.push(`nobody has asked for the cancellation of ${actionId}`);
  if (isMade && cancelled === 'refused') wrong.push(`the cancellation of ${actionId} was refused, and made`);
  if (!isMade && cancelled === 'cancelled') wrong.push(`the cancellation of ${actionId} was confirmed, and not made`);
  if (outcome === 'booked' && cancelled === 'refused') wrong.push(`${actionId} was confirmed, and cannot be cancelled`);
  return wrong;
}

/** The seats that the booking has lost, in the order of the owner's events. */
function cancelledIn(folded: Folded, { owner }: OperationSale, { bookingRef }: OperationBooking): string[] {
  return owner.eventKeys.map((eventKey) => labelsUnder(folded.get(eventKey)!, 'unbooked', bookingRef));
}

/** The labels of each record that books or cancels under this reference. */
function labelsUnder({ state, entries }: FoldedEvent, type: 'booked' | 'unbooked', bookingRef: string): string {
  const found = entries.flatMap(({ record }) => {
    if (record.type !== type || record.bookingRef !== bookingRef) return [];
    const units = record.type === 'booked' ? record.lines.map(({ unit }) => unit) : record.units;
    const labels = units.map((unit) => state.plan.labels.at(unit));
    return [labels.sort().join()];
  });
  return found.join('; ');
}

function wrongOfSingle(folded: Folded, { eventKey, label, bookingRef, isBooked }: SingleSale): string[] {
  const event = folded.get(eventKey)!;
  const labels = labelsUnder(event, 'booked', bookingRef);
  const isRight = labels === label || (!isBooked && labels === '');
  const isCancelled = labelsUnder(event, 'unbooked', bookingRef) !== '';
  return isRight && !isCancelled
    ? []
    : [`${bookingRef} of ${eventKey}: ${label} was confirmed, and the journal has ${labels}`];
}

/** Whether the report of a season counts other bookings than the journals have. */
async function reportedOtherwise(access: Access, folded: Folded, sales: readonly OperationSale[]): Promise<string[]> {
  const owners = new Set(sales.map(({ owner }) => owner).filter(({ kind }) => kind === 'season'));
  const wrong: string[] = [];
  for (const owner of owners) {
    const made = sales.filter((sale) => sale.owner === owner && statesOf(folded, sale).includes('booked'));
    const isCancelled = (sale: OperationSale) =>
      sale.bookings.some((each) => cancelledIn(folded, sale, each)[0] !== '');
    const cancelled = made.filter(isCancelled).length;
    const inventory = { occurrenceCount: owner.eventKeys.length, bookings: made.length };
    const kept = JSON.stringify({ ...inventory, booked: made.length - cancelled, cancelled });
    const path = `/v1/seasons/${owner.key}/reports`;
    const read = async () => {
      const { report } = await call<{ report: { inventory: object } }>(access, 'GET', path);
      return JSON.stringify(report.inventory);
    };
    let told = await read();
    // A catalog may still note the end of a cancellation.
    for (let look = 1; look < looksMax && told !== kept; look++) {
      await pause(lookMs);
      told = await read();
    }
    if (told !== kept) wrong.push(`the report of ${owner.key} has ${told}, the journals have ${kept}`);
  }
  return wrong;
}
