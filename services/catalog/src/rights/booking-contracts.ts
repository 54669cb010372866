/**
 * A booking of a season makes a contract and a right. They follow from the projection of the operation
 * (operations/follow.ts): their ids follow from the operation, so any process may make them again, and none is made
 * twice. The cancellation of the booking ends the contract, and with `release` the right, in one checked write.
 *
 * The labels come from the home's actor, which knows a booked part for a day, and later from the journal.
 *
 * Failure at each await: the store fails → the follower runs again; the home does not answer → the journal is read; the
 * cancellation comes before the follower → it makes the contract first. An exchange was counted before the contract was
 * made, so its own follower found none → the follower of the operation looks for exchanges behind the contract, also
 * when it runs again (contract-places.ts).
 */

import { labelsOf } from '@parterre/shared/charts/plan';
import { compileDocument } from '@parterre/shared/charts/plans/compile-document';
import type { KeptOperation } from '@parterre/shared/protocol/catalog/operations';
import type { Contract } from '@parterre/shared/protocol/catalog/rights';
import type { RightDisposition } from '@parterre/shared/protocol/catalog/season-sales';
import { done, Fault, refuse } from '@parterre/shared/protocol/errors';
import { derivedId } from '@parterre/shared/protocol/ids';
import { internalIdOf } from '@parterre/shared/protocol/operations/operation';
import { createHistoryOperations } from '../history/history.ts';
import type { Follower, Followers } from '../operations/follow.ts';
import { keptOperation } from '../operations/rules/kept-operation.ts';
import { currentViews } from '../projections/generations.ts';
import { change } from '../store/operations.ts';
import { rights } from '../store/right-collections.ts';
import { rightsAskMs } from '../store/rules/bounds.ts';
import { seasons } from '../store/season-collections.ts';
import { createContractPlaces, type ReadBooking } from './contract-places.ts';
import type { RightsPorts } from './rights-ports.ts';
import { newRight, withoutBooking } from './rules/right-state.ts';

type EndedBooking = { seasonKey: string; operationId: string; rightDisposition: RightDisposition };

export type BookingContracts = {
  follower: Follower;
  /** The places of the booking's contracts follow its exchange. */
  exchanged: Followers['ofExchanged'];
  /** The booking is cancelled in every event. Harmless when repeated. */
  end(booking: EndedBooking): Promise<void>;
};

export function createBookingContracts(ports: RightsPorts): BookingContracts {
  const { store, clock } = ports;
  const { 'history.booking': readBooking } = createHistoryOperations(ports);
  const places = createContractPlaces(ports, readBooking);

  async function follow(operation: KeptOperation): Promise<void> {
    const rightId = await makeRight(operation);
    if (rightId !== null) await places.follow(rightId);
  }

  /** The right of the booking, made if there is none; null without a booking. */
  async function makeRight(operation: KeptOperation): Promise<string | null> {
    const { owner, operationId, planActivationId, parts, actions, buyerRef } = operation;
    const action = actions.find(({ state }) => state === 'booked');
    if (owner.kind !== 'season' || !action || action.bookingRef === null || action.bookedAt === null) return null;
    const { bookingRef, bookedAt: createdAt } = action;
    const id = internalIdOf(owner, operationId);
    const rightId = rightIdOf(id);
    const season = await store.get(seasons, owner.key);
    if (!season) return null;
    if (await store.get(rights, rightId)) return rightId;
    const labels = await labelsIn(id, parts[0]!.eventKey, bookingRef);
    const holderRef = buyerRef ?? bookingRef;
    const { organisationId } = season.value;
    const common = { seasonKey: owner.key, holderRef, labels, source: 'booking' as const };
    const contract: Contract = {
      contractId: derivedId('sco', id),
      rightId,
      ...common,
      state: 'active',
      bookingRef,
      operationId,
      createdAt,
      planActivationId: planActivationId ?? '',
      importId: null,
      offerId: null,
      priorPlanActivationId: null,
      priorContractRef: null,
    };
    await store.insert(rights, rightId, newRight({ organisationId, ...common }, contract, createdAt));
    return rightId;
  }

  async function labelsIn(id: string, home: string, bookingRef: string): Promise<string[]> {
    const by = { source: 'timer' as const, actor: null, accessSource: 'public' as const };
    const asked = await ports.ask(home, { type: 'inspect-operation', id }, by, clock.elapsed() + rightsAskMs);
    if (asked.ok && asked.value.part?.state === 'booked' && asked.value.part.items.length > 0) {
      return [...new Set(asked.value.part.items.map(({ label }) => label))];
    }
    return labelsInJournal(ports, readBooking, { id, eventKey: home, bookingRef });
  }

  return {
    follower: follow,
    exchanged: places.exchanged,
    async end({ seasonKey, operationId, rightDisposition }) {
      const id = internalIdOf({ kind: 'season', key: seasonKey }, operationId);
      const { operations } = await currentViews(store);
      const operation = await store.get(operations, id);
      if (operation) await follow(keptOperation(operation.value));
      const absent = () => refuse('not_found', 'The booking has no contract.');
      await change(store, rights, rightIdOf(id), absent, (right) =>
        done(withoutBooking(right, operationId, rightDisposition, clock.now())),
      );
    },
  };
}

async function labelsInJournal(
  { store }: RightsPorts,
  readBooking: ReadBooking,
  { id, eventKey, bookingRef }: { id: string; eventKey: string; bookingRef: string },
): Promise<string[]> {
  const read = await readBooking({ eventKey, version: 0, bookingRef });
  const entries = read.ok ? read.value.booking.entries : [];
  const entry = entries.find(({ record }) => record.type === 'booked' && record.operation?.id === id);
  const document = entry && (await store.getBlob(entry.plan));
  if (!document || entry.record.type !== 'booked') throw new Fault(`find the seats of the booking ${bookingRef}`);
  const units = entry.record.lines.map(({ unit }) => unit);
  return labelsOf(compileDocument(document, entry.plan), units);
}

function rightIdOf(id: string): string {
  return derivedId('ssr', id);
}
