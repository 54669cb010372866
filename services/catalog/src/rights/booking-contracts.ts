/**
 * A booking of a season makes a contract and a right. They are a consequence of the journals: their ids follow from the
 * operation, so any process may make them again, and none is made twice. They are made when somebody asks for the
 * contracts of a season: the numbers of bookings and of their contracts tell whether some are missing.
 *
 * The labels come from the home's actor, which knows a booked part for a day, and later from the journal.
 *
 * Failure at each await: the store fails → the call fails, and the next one makes what is missing; the home does not
 * answer → the journal is read.
 */
import type { Contract } from '@parterre/shared/catalog/rights';
import { labelsOf } from '@parterre/shared/chart/plan';
import { Fault } from '@parterre/shared/errors';
import { derivedId } from '@parterre/shared/ids';
import { internalIdOf } from '@parterre/shared/operations/operation';
import { compileDocument } from '@parterre/shared/plans/compile-document';
import { awaitCounted, createWaits } from '../history/await-counted.ts';
import { createHistoryOperations } from '../history/history.ts';
import { currentViews } from '../projections/generations.ts';
import { hasBooked } from '../projections/rules/operation-states.ts';
import { ownerIdOf } from '../projections/rules/operation-view.ts';
import { rights } from '../store/right-collections.ts';
import { bookingsRightedAtOnce, rightsAskMs } from '../store/rules/bounds.ts';
import type { OperationProjection } from '../store/rules/records.ts';
import type { RightDocument } from '../store/rules/right-records.ts';
import { seasons } from '../store/season-collections.ts';
import type { Position, Stored } from '../store/store.ts';
import type { RightsPorts, Versions } from './rights-ports.ts';
import { newRight } from './rules/right-state.ts';

/** States of operations that have booked in every event. */
const bookedStates = ['booked', 'cancel_pending', 'cancelled'] as const;

export type BookingContracts = {
  /** Makes the missing contracts of the season's bookings. */
  all(seasonKey: string, versions: Versions): Promise<void>;
  /** The right of one booking; null unless every event has booked. */
  of(seasonKey: string, operationId: string, versions: Versions): Promise<Stored<RightDocument> | null>;
};

export function createBookingContracts(ports: RightsPorts): BookingContracts {
  const { store } = ports;
  const waits = createWaits();
  const { 'history.booking': readBooking } = createHistoryOperations(ports);

  async function all(seasonKey: string, versions: Versions): Promise<void> {
    await awaitCounted(ports, waits, ...versions);
    const { operations } = await currentViews(store);
    const ownerId = ownerIdOf({ kind: 'season', key: seasonKey });
    const madeCount = store.count(rights, { index: 'bySource', equal: [seasonKey, 'booking'], above: 0 });
    const counts = bookedStates.map((state) =>
      store.count(operations, { index: 'byState', equal: [ownerId, state], above: 0 }),
    );
    let missing = (await Promise.all(counts)).reduce((sum, count) => sum + count, -(await madeCount));
    // The missing ones are the newest, as a rule.
    for (const state of bookedStates) {
      let after: Position | null | undefined;
      while (missing > 0 && after !== null) {
        const query = { index: 'byState', equal: [ownerId, state], descending: true, limit: bookingsRightedAtOnce };
        const { documents, next } = await store.page(operations, { ...query, after });
        const ids = documents.map(({ id }) => rightIdOf(id));
        const known = new Set((await store.getMany(rights, ids)).map(({ id }) => id));
        const unknown = documents.filter(({ id }) => !known.has(rightIdOf(id)));
        await Promise.all(unknown.map(({ id, value }) => make(seasonKey, id, value)));
        missing -= unknown.length;
        after = next;
      }
    }
  }

  async function of(seasonKey: string, operationId: string, versions: Versions) {
    const id = internalIdOf({ kind: 'season', key: seasonKey }, operationId);
    const made = await store.get(rights, rightIdOf(id));
    if (made) return made;
    await awaitCounted(ports, waits, ...versions);
    const { operations } = await currentViews(store);
    const found = await store.get(operations, id);
    if (!found?.value.parts.every(hasBooked)) return null;
    await make(seasonKey, id, found.value);
    return store.get(rights, rightIdOf(id));
  }

  async function make(seasonKey: string, id: string, operation: OperationProjection): Promise<void> {
    const season = await store.get(seasons, seasonKey);
    const actionId = operation.parts[0]!.action?.id;
    const action = operation.actions.find((each) => each.id === actionId);
    const bookingRef = action?.bookingRef;
    if (!season || !bookingRef) return;
    const labels = await labelsIn(id, operation, bookingRef);
    const holderRef = operation.buyerRef ?? bookingRef;
    const now = operation.parts[0]!.bookedAt ?? operation.createdAt;
    const rightId = rightIdOf(id);
    const contract: Contract = {
      ...{ contractId: derivedId('sco', id), rightId, seasonKey, holderRef, labels, bookingRef, source: 'booking' },
      ...{ planActivationId: operation.head.planActivationId ?? '', state: 'active', cancellation: null },
      ...{ operationId: operation.head.operationId, importId: null, offerId: null },
      ...{ priorPlanActivationId: null, priorContractRef: null, createdAt: now },
    };
    const { organisationId } = season.value;
    const right = newRight({ organisationId, seasonKey, holderRef, labels, source: 'booking' }, contract, now);
    await store.insert(rights, rightId, right);
  }

  async function labelsIn(id: string, { head }: OperationProjection, bookingRef: string): Promise<string[]> {
    const home = head.eventKeys[0]!;
    const by = { source: 'timer' as const, actor: null, accessSource: 'public' as const };
    const asked = await ports.ask(home, { type: 'inspect-operation', id }, by, ports.clock.elapsed() + rightsAskMs);
    if (asked.ok && asked.value.part?.state === 'booked' && asked.value.part.items.length > 0) {
      return [...new Set(asked.value.part.items.map(({ label }) => label))];
    }
    return labelsInJournal(id, home, bookingRef);
  }

  async function labelsInJournal(id: string, eventKey: string, bookingRef: string): Promise<string[]> {
    const read = await readBooking({ eventKey, version: 0, bookingRef });
    const entries = read.ok ? read.value.booking.entries : [];
    const entry = entries.find(({ record }) => record.type === 'booked' && record.operation?.id === id);
    const document = entry && (await store.getBlob(entry.plan));
    if (!document || entry.record.type !== 'booked') throw new Fault(`find the seats of the booking ${bookingRef}`);
    const plan = compileDocument(document, entry.plan);
    return labelsOf(
      plan,
      entry.record.lines.map(({ unit }) => unit),
    );
  }

  return { all, of };
}

function rightIdOf(id: string): string {
  return derivedId('ssr', id);
}
