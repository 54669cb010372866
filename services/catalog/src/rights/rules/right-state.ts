/**
 * Rights with their contracts: how a booking, an import and a renewal make them, and how a cancellation ends them.
 * Pure.
 */
import type { Contract } from '@parterre/shared/protocol/catalog/rights';
import type { RightDisposition } from '@parterre/shared/protocol/catalog/season-sales';
import { sha256 } from '@parterre/shared/protocol/ids';
import type { RightDocument } from '../../store/rules/right-records.ts';

type NewRight = Pick<RightDocument, 'organisationId' | 'seasonKey' | 'holderRef' | 'labels' | 'source'>;

/** `order` is its place among the rights of its plan. [the time] */
export function newRight(fields: NewRight, contract: Contract, now: number, order = now): RightDocument {
  const { seasonKey, holderRef, labels } = fields;
  const right = { ...fields, seasonKey, holderRef, labels, state: 'active' as const, contracts: [contract] };
  return indexed({ ...right, createdAt: now, updatedAt: now, order });
}

type Unindexed = Omit<RightDocument, 'contractIds' | 'bookings' | 'active' | 'offerable' | 'seats'>;

function indexed(right: Unindexed): RightDocument {
  const active = right.contracts.filter(({ state }) => state === 'active');
  const bookings = right.contracts.flatMap(({ bookingRef }) => (bookingRef === null ? [] : [bookingRef]));
  const plansOf = (contracts: readonly Contract[]) => [...new Set(contracts.map((each) => each.planActivationId))];
  return {
    ...right,
    contractIds: right.contracts.map(({ contractId }) => contractId),
    bookings: [right.seasonKey, right.organisationId].flatMap((owner) =>
      [...new Set(bookings)].map((ref) => bookingKey(owner, ref)),
    ),
    active: plansOf(active),
    offerable: plansOf(active.filter(({ bookingRef }) => bookingRef === null)),
    seats: active.flatMap(({ planActivationId, labels }) => labels.map((label) => seatKey(planActivationId, label))),
  };
}

/** Labels and references may be longer than a key of the store. */
export function seatKey(planActivationId: string, label: string): string {
  return sha256(`${planActivationId} ${label}`);
}

/** A right is found by a reference in its season, and in its organisation: an event does not know its seasons. */
export function bookingKey(owner: string, bookingRef: string): string {
  return sha256(`${owner} ${bookingRef}`);
}

export function contractIn({ contracts }: Pick<RightDocument, 'contracts'>, contractId: string): Contract | undefined {
  return contracts.find((contract) => contract.contractId === contractId);
}

/** The contract of a renewal takes the place of the offered contract. The right stays. */
export function withRenewal(right: RightDocument, renewed: string, successor: Contract, now: number): RightDocument {
  if (contractIn(right, successor.contractId)) return right;
  const contracts = right.contracts.map((each) =>
    each.contractId === renewed && each.state === 'active' ? { ...each, state: 'renewed' as const } : each,
  );
  return indexed({ ...right, contracts: [...contracts, successor], updatedAt: laterThan(right, now) });
}

/** The booking of the operation is cancelled. A right that is preserved lives on without a contract. */
export function withoutBooking(
  right: RightDocument,
  operationId: string,
  disposition: RightDisposition,
  now: number,
): RightDocument {
  const contract = right.contracts.find((each) => each.operationId === operationId);
  if (!contract || contract.state === 'cancelled') return right;
  const contracts = right.contracts.map((each) =>
    each === contract ? { ...each, state: 'cancelled' as const } : each,
  );
  const state = disposition === 'release' ? ('released' as const) : right.state;
  return indexed({ ...right, contracts, state, updatedAt: laterThan(right, now) });
}

/** The contract has other places, and so has the right that it uses. */
export function withContract(right: RightDocument, changed: Contract, now: number): RightDocument {
  const contracts = right.contracts.map((each) => (each.contractId === changed.contractId ? changed : each));
  return indexed({ ...right, labels: changed.labels, contracts, updatedAt: laterThan(right, now) });
}

function laterThan({ updatedAt }: RightDocument, now: number): number {
  return Math.max(now, updatedAt + 1);
}
