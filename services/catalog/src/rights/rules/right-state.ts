/** Rights with their contracts: how a booking, an import and a renewal make them, and how a cancellation ends them. Pure. */
import type { Cancellation, Contract, Right } from '@parterre/shared/catalog/rights';
import { done, type Outcome, refuse } from '@parterre/shared/errors';
import { sha256 } from '@parterre/shared/ids';
import type { CancelOutcome } from '@parterre/shared/operations/ports';
import type { RightDocument } from '../../store/rules/right-records.ts';

type NewRight = Pick<RightDocument, 'organisationId' | 'seasonKey' | 'holderRef' | 'labels' | 'source'>;

export function newRight(fields: NewRight, contract: Contract, now: number): RightDocument {
  const { seasonKey, holderRef, labels } = fields;
  const right = { ...fields, seasonKey, holderRef, labels, state: 'active' as const, contracts: [contract] };
  return indexed({ ...right, createdAt: now, updatedAt: now, open: null, notes: [] });
}

type Unindexed = Omit<RightDocument, 'contractIds' | 'bookings' | 'active' | 'offerable' | 'seats'>;

function indexed(right: Unindexed): RightDocument {
  const active = right.contracts.filter(({ state }) => state === 'active');
  const bookings = right.contracts.flatMap(({ bookingRef }) => (bookingRef === null ? [] : [bookingRef]));
  const plansOf = (contracts: readonly Contract[]) => [...new Set(contracts.map((each) => each.planActivationId))];
  return {
    ...right,
    contractIds: right.contracts.map(({ contractId }) => contractId),
    bookings: [...new Set(bookings)].map((ref) => bookingKey(right.seasonKey, ref)),
    active: plansOf(active),
    offerable: plansOf(active.filter(({ bookingRef }) => bookingRef === null)),
    seats: active.flatMap(({ planActivationId, labels }) => labels.map((label) => seatKey(planActivationId, label))),
  };
}

/** Labels and references may be longer than a key of the store. */
export function seatKey(planActivationId: string, label: string): string {
  return sha256(`${planActivationId} ${label}`);
}

export function bookingKey(seasonKey: string, bookingRef: string): string {
  return sha256(`${seasonKey} ${bookingRef}`);
}

export function rightOf(rightId: string, { seasonKey, holderRef, labels, state, contracts }: RightDocument): Right {
  return { rightId, seasonKey, holderRef, labels, state, contracts };
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

type NewCancellation = Pick<Cancellation, 'cancelActionId' | 'rightDisposition'> & {
  bookingRef: string;
  planActivationId: string;
  eventKeys: readonly string[];
};

/** Begins the cancellation of a contract's booking. A repetition finds the first. */
export function withCancellation(
  right: RightDocument,
  contractId: string,
  asked: NewCancellation,
  now: number,
): Outcome<RightDocument> {
  const contract = contractIn(right, contractId)!;
  const { cancelActionId, rightDisposition } = asked;
  if (contract.bookingRef !== asked.bookingRef || contract.planActivationId !== asked.planActivationId) {
    return refuse('conflict', 'The booking has another bookingRef or plan. Send those of the booking.', {
      reason: 'booking_mismatch',
    });
  }
  const begun = contract.cancellation;
  if (begun && begun.state !== 'cancel_failed') {
    const isSame = begun.cancelActionId === cancelActionId && begun.rightDisposition === rightDisposition;
    if (isSame) return done(right);
    return refuse('conflict', 'Another action cancels this booking. Read the booking.', { reason: 'action_reused' });
  }
  if (begun?.cancelActionId === cancelActionId) return done(right);
  const outcomes = asked.eventKeys.map((eventKey): CancelOutcome => ({ eventKey, state: 'pending', code: null }));
  const cancellation = { cancelActionId, rightDisposition, state: 'cancel_pending' as const, outcomes };
  const contracts = replaced(right, { ...contract, cancellation });
  return done(indexed({ ...right, contracts, open: true, updatedAt: laterThan(right, now) }));
}

/** The contract whose cancellation has events left. */
export function cancelling({ contracts }: RightDocument): (Contract & { cancellation: Cancellation }) | null {
  const found = contracts.find(({ cancellation }) => cancellation?.state === 'cancel_pending');
  return found ? { ...found, cancellation: found.cancellation! } : null;
}

/**
 * The events' outcomes. Once all have cancelled, the contract is cancelled, and with `release` the right ends: one
 * write. A booking that stands in an event keeps both.
 */
export function withOutcomes(
  right: RightDocument,
  contract: Contract & { cancellation: Cancellation },
  outcomes: readonly CancelOutcome[],
  now: number,
): RightDocument {
  const counts = (state: CancelOutcome['state']) => outcomes.filter((each) => each.state === state).length;
  const state =
    counts('pending') > 0
      ? 'cancel_pending'
      : counts('failed') === 0
        ? 'cancelled'
        : counts('cancelled') === 0
          ? 'cancel_failed'
          : 'partial_terminal';
  const cancellation = { ...contract.cancellation, state, outcomes: [...outcomes] } as Cancellation;
  const isOver = state === 'cancelled';
  const contracts = replaced(right, { ...contract, cancellation, ...(isOver && { state: 'cancelled' as const }) });
  const isReleased = isOver && cancellation.rightDisposition === 'release';
  return indexed({
    ...right,
    contracts,
    ...(isReleased && { state: 'released' as const }),
    updatedAt: laterThan(right, now),
  });
}

function replaced({ contracts }: RightDocument, contract: Contract): Contract[] {
  return contracts.map((each) => (each.contractId === contract.contractId ? contract : each));
}

function laterThan({ updatedAt }: RightDocument, now: number): number {
  return Math.max(now, updatedAt + 1);
}
