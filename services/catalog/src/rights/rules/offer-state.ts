/**
 * The states of a renewal offer, and its moves. Each move is one checked write, so a renewal that races its deadline
 * has one winner. Pure.
 *
 *   preparing → offered → intent_received → committing → renewed | partial_terminal
 *             → refused   offered ──────────→ committing
 *                         offered, intent_received → declined | lapsed → released
 *                         offered, intent_received → released
 */
import type { CommitOutcome, Contract, Offer, OfferMove, OfferState } from '@parterre/shared/protocol/catalog/rights';
import type { SeasonNote } from '@parterre/shared/protocol/catalog/seasons';
import { done, type Outcome, refuse } from '@parterre/shared/protocol/errors';
import { derivedId } from '@parterre/shared/protocol/ids';
import type { SeasonOccurrence } from '@parterre/shared/protocol/vocabulary';
import type { OfferDocument } from '../../store/rules/right-records.ts';
import { bookingKey } from './right-state.ts';

type Draft = Pick<OfferDocument, 'organisationId' | 'seasonKey' | 'eventKeys' | 'callId' | 'actsUntil' | 'deadlineAt'> &
  Pick<Contract, 'contractId' | 'rightId' | 'holderRef' | 'labels'> & { successorPlanActivationId: string };

export function newOffer(draft: Draft, now: number): OfferDocument {
  const unset = { intentId: null, intentAt: null, commitActionId: null, orderRef: null, bookingRef: null };
  const outcomes = draft.eventKeys.map((eventKey): CommitOutcome => ({ eventKey, state: 'pending', code: null }));
  return {
    ...draft,
    ...unset,
    successorContractId: null,
    commitOutcomes: outcomes,
    state: 'preparing',
    createdAt: now,
    updatedAt: now,
    open: true,
    freeing: false,
    notes: [],
    openOf: draft.contractId,
    listedIn: null,
    timed: null,
    booking: null,
  };
}

export function offerOf(offerId: string, { state, ...offer }: OfferDocument): Offer {
  const { organisationId: _1, seasonKey: _2, eventKeys: _3, callId: _4, actsUntil: _5, freeing: _6, ...more } = offer;
  const { notes: _7, openOf: _8, listedIn: _9, timed: _10, booking: _11, open: _12, committedBy: _13, ...shown } = more;
  return { offerId, ...shown, state: state as OfferState };
}

/** True for an offer whose seats are reserved and not decided. */
export function isPending({ state }: Pick<OfferDocument, 'state'>): boolean {
  return state === 'offered' || state === 'intent_received';
}

/** Every seat is reserved: the offer is shown. */
export function withReservations(
  offer: OfferDocument,
  price: Pick<Offer, 'total' | 'currency' | 'priceUnit'>,
  actorKind: string,
  now: number,
): Outcome<OfferDocument> {
  if (offer.state === 'offered') return done(offer);
  if (offer.state !== 'preparing') return notReserved;
  return done(moved(offer, { state: 'offered', listedIn: offer.seasonKey, timed: true, ...price }, actorKind, now));
}

const notReserved = refuse('overloaded', 'The seats could not be reserved in time. Try again.', { retryable: true });

/** Some seat cannot be reserved, or nobody knows. Whatever is reserved goes back. */
export function withoutReservations(id: string, offer: OfferDocument, now: number): OfferDocument {
  if (offer.state !== 'preparing') return offer;
  const updatedAt = laterThan(offer, now);
  return { ...offer, state: 'refused', freeing: true, openOf: id, open: true, updatedAt };
}

/** The caller of a move. */
export type MovedBy = NonNullable<OfferDocument['committedBy']>;

/** The offer after the move; the same offer where the move was made before. */
export function decideMove(
  id: string,
  offer: OfferDocument,
  move: OfferMove,
  by: MovedBy,
  now: number,
): Outcome<OfferDocument> {
  const actorKind = by.source;
  if (isPending(offer) && move.move !== 'release' && offer.deadlineAt <= now) return over(offer, 'lapsed');
  switch (move.move) {
    case 'intend':
      if (offer.state === 'offered') {
        const intent = { intentId: derivedId('sri', id), intentAt: now };
        return done(moved(offer, { state: 'intent_received', ...intent }, actorKind, now));
      }
      return offer.intentId !== null && !isLost(offer) ? done(offer) : over(offer);
    case 'extend':
      if (!isPending(offer)) return over(offer);
      if (move.deadlineAt < offer.deadlineAt) return notLater;
      if (move.deadlineAt === offer.deadlineAt) return done(offer);
      return done(noted(offer, { deadlineAt: move.deadlineAt }, 'season.renewal.extended', actorKind, now));
    case 'commit':
      return decideCommit(offer, move, by, now);
    case 'decline':
      if (offer.state === 'declined') return done(offer);
      return isPending(offer) ? done(ended(id, offer, 'declined', actorKind, now)) : over(offer);
    case 'release':
      if (offer.state === 'released') return done(offer);
      if (offer.state === 'declined' || offer.state === 'lapsed' || isPending(offer)) {
        return done(ended(id, offer, 'released', actorKind, now));
      }
      return over(offer);
  }
}

function decideCommit(
  offer: OfferDocument,
  { commitActionId, orderRef, bookingRef, planActivationId }: OfferMove & { move: 'commit' },
  by: MovedBy,
  now: number,
): Outcome<OfferDocument> {
  if (planActivationId !== offer.successorPlanActivationId) {
    return refuse('conflict', 'The offer is for another plan. Send the plan of the offer.', {
      reason: 'plan_mismatch',
    });
  }
  if (offer.commitActionId !== null) {
    const isSame =
      offer.commitActionId === commitActionId && offer.orderRef === orderRef && offer.bookingRef === bookingRef;
    if (isSame) return done(offer);
    return refuse('conflict', 'Another action commits this offer. Read the offer.', { reason: 'action_reused' });
  }
  if (!isPending(offer)) return over(offer);
  const booking = bookingKey(offer.seasonKey, bookingRef);
  const commit = { commitActionId, orderRef, bookingRef, booking, committedBy: by };
  return done(moved(offer, { state: 'committing', timed: null, ...commit }, by.source, now));
}

/** The deadline has passed without a decision. */
export function lapsed(id: string, offer: OfferDocument, now: number): OfferDocument {
  return isPending(offer) && offer.deadlineAt <= now ? ended(id, offer, 'lapsed', 'timer', now) : offer;
}

/** The events' answers to a commit. The offer is renewed once every event has booked. */
export function withCommits(
  id: string,
  offer: OfferDocument,
  commitOutcomes: CommitOutcome[],
  successorContractId: string | null,
  now: number,
): OfferDocument {
  const updatedAt = laterThan(offer, now);
  if (commitOutcomes.some(({ state }) => state === 'pending')) return { ...offer, commitOutcomes, updatedAt };
  const isWhole = commitOutcomes.every(({ state }) => state === 'committed');
  const state = isWhole ? ('renewed' as const) : ('partial_terminal' as const);
  const fields = { state, commitOutcomes, successorContractId, openOf: id, freeing: !isWhole };
  return moved(offer, fields, 'timer', now);
}

function ended(
  id: string,
  offer: OfferDocument,
  state: 'declined' | 'lapsed' | 'released',
  actorKind: string,
  now: number,
): OfferDocument {
  // The seats of a declined or lapsed offer are free already, or on their way.
  const freeing = isPending(offer) || offer.freeing;
  return moved(offer, { state, timed: null, openOf: id, freeing }, actorKind, now);
}

/** The reservation's end is done. */
export function atRest(offer: OfferDocument): OfferDocument {
  return { ...offer, notes: [], freeing: false, open: null };
}

function moved(
  offer: OfferDocument,
  fields: Partial<OfferDocument> & { state: OfferState },
  actorKind: string,
  now: number,
): OfferDocument {
  return noted(offer, fields, `season.renewal.${fields.state}`, actorKind, now);
}

function noted(
  offer: OfferDocument,
  fields: Partial<OfferDocument>,
  action: SeasonOccurrence,
  actorKind: string,
  now: number,
): OfferDocument {
  const { contractId, rightId, holderRef, labels, successorPlanActivationId } = offer;
  const next = { ...offer, ...fields, open: true as const, updatedAt: laterThan(offer, now) };
  const { deadlineAt, state, bookingRef, successorContractId } = next;
  const data = {
    contractId,
    rightId,
    holderRef,
    labels,
    successorPlanActivationId,
    deadlineAt,
    state,
    bookingRef,
    successorContractId,
  };
  const note: SeasonNote = { callId: `${next.updatedAt} ${action}`, action, actorKind, details: data, at: now };
  return { ...next, notes: [...offer.notes, { ...note, occurrence: { eventName: action, data } }] };
}

function isLost({ state }: OfferDocument): boolean {
  return state === 'declined' || state === 'lapsed' || state === 'released' || state === 'partial_terminal';
}

function over({ state }: OfferDocument, told: string = state): Outcome<never> {
  return refuse('conflict', `The offer is ${told.replaceAll('_', ' ')}. It does not take this move any more.`, {
    reason: `offer_${told}`,
    details: { state: told },
  });
}

const notLater = refuse('invalid_request', 'An offer is extended only to a later time.', {
  details: { issues: [{ path: 'deadlineAt', message: 'Must be later than the deadline of the offer.' }] },
});

function laterThan({ updatedAt }: OfferDocument, now: number): number {
  return Math.max(now, updatedAt + 1);
}
