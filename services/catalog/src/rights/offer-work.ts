/**
 * The work behind the decisions about offers: reservations of a dead call go back, a committed offer is booked in every
 * event, an ended offer frees its seats, and an offer past its deadline lapses. The offer's document has the decision
 * (rules/offer-state.ts), so any catalog does its work, twice at worst. The events take a repeated command once (I5).
 *
 * States of the work: open → done. The index of open offers has these only.
 *
 * Failure at each await: an event does not answer → the outcome stays `pending`, and the next look asks again; the
 * store fails or the process dies → the document is open still; two catalogs do one work → one of their writes is
 * stale. A successor contract is written before its offer is `renewed`: its id follows from the offer.
 */
import type { CommitOutcome, Contract } from '@parterre/shared/protocol/catalog/rights';
import type { Caller, Command } from '@parterre/shared/protocol/commands';
import { done, Fault, type Outcome, refuse } from '@parterre/shared/protocol/errors';
import { derivedId } from '@parterre/shared/protocol/ids';
import { pauseUnless } from '@parterre/shared/runtime/clock';
import { createLifecycles, type Lifecycles } from '../lifecycles/lifecycles.ts';
import { keepNotes } from '../seasons/season-notes.ts';
import { change } from '../store/operations.ts';
import { offers, rights } from '../store/right-collections.ts';
import { offerDeadlinesPollMs, offersLapsedPerLook, rightsAskMs } from '../store/rules/bounds.ts';
import type { OfferDocument } from '../store/rules/right-records.ts';
import { seasons } from '../store/season-collections.ts';
import type { Stored } from '../store/store.ts';
import type { RightsPorts } from './rights-ports.ts';
import { atRest, lapsed, withCommits, withoutReservations } from './rules/offer-state.ts';
import { contractIn, withRenewal } from './rules/right-state.ts';

export type OfferWork = Pick<Lifecycles<OfferDocument>, 'carryOn' | 'begin' | 'watch' | 'stop'> & {
  /** Ends every offer whose deadline has passed. */
  lapse(): Promise<void>;
};

const byTimer: Caller = { source: 'timer', actor: null, accessSource: 'public' };

export function createOfferWork(ports: RightsPorts): OfferWork {
  const { store, clock, log } = ports;
  const engine = createLifecycles<OfferDocument>({
    store,
    clock,
    log,
    collection: offers,
    advance: (document) => advance(ports, document),
    written() {},
  });
  const stopping = new AbortController();
  let lapsing: Promise<void> = Promise.resolve();

  async function lapse(): Promise<void> {
    const query = { index: 'byDeadline', equal: [true], limit: offersLapsedPerLook };
    const { documents } = await store.page(offers, query);
    const due = documents.filter(({ value }) => value.deadlineAt <= clock.now());
    for (const { id } of due) {
      const ended = await change(store, offers, id, offerUnknown, (offer) => done(lapsed(id, offer, clock.now())));
      if (ended.ok && ended.value.value.open) engine.begin(id);
    }
  }

  async function lapseOn(): Promise<void> {
    while (!stopping.signal.aborted) {
      try {
        await lapse();
      } catch (error) {
        log.warn({ err: error }, 'the deadlines of offers cannot be read now');
      }
      await pauseUnless(stopping.signal, clock, offerDeadlinesPollMs);
    }
  }

  return {
    carryOn: engine.carryOn,
    begin: engine.begin,
    lapse,
    watch() {
      engine.watch();
      lapsing = lapseOn();
    },
    async stop() {
      stopping.abort();
      await Promise.all([engine.stop(), lapsing]);
    },
  };
}

export function offerUnknown(): Outcome<never> {
  return refuse('not_found', 'There is no such offer. Check its id.');
}

async function advance(ports: RightsPorts, { id, value }: Stored<OfferDocument>): Promise<OfferDocument | null> {
  const now = ports.clock.now();
  if (value.state === 'preparing') return now > value.actsUntil ? withoutReservations(id, value, now) : null;
  await keepOfferNotes(ports, id, value);
  if (value.state === 'committing') return commit(ports, id, value);
  if (value.freeing && !(await freed(ports, id, value))) return null;
  return atRest(value);
}

async function keepOfferNotes({ store }: RightsPorts, id: string, { seasonKey, notes }: OfferDocument): Promise<void> {
  const season = notes.length > 0 ? await store.get(seasons, seasonKey) : null;
  if (!season) return;
  const named = notes.map((note) => {
    const data = { offerId: id, ...(note.details as Record<string, unknown>) };
    const occurrence = note.occurrence && { ...note.occurrence, data };
    return { ...note, callId: `${id} ${note.callId}`, details: data, ...(occurrence && { occurrence }) };
  });
  await keepNotes(store, seasonKey, season.value, named);
}

/** True once no event has the seats reserved any more. An event that has booked them keeps them. */
async function freed(ports: RightsPorts, id: string, { commitOutcomes }: OfferDocument): Promise<boolean> {
  const reserved = commitOutcomes.filter(({ state }) => state !== 'committed');
  const told = await Promise.all(
    reserved.map(({ eventKey }) =>
      asked(ports, eventKey, { type: 'unreserve', callId: derivedId('call', id, 'free'), offerId: id }),
    ),
  );
  for (const answer of told) {
    if (!answer.ok && !isUncertain(answer))
      ports.log.error({ offer: id, refusal: answer.refusal }, 'seats of an offer');
  }
  return told.every((answer) => answer.ok || !isUncertain(answer));
}

async function commit(ports: RightsPorts, id: string, offer: OfferDocument): Promise<OfferDocument | null> {
  const bookingRef = offer.bookingRef!;
  const outcomes = await Promise.all(
    offer.commitOutcomes.map(async (outcome): Promise<CommitOutcome> => {
      const { eventKey, state } = outcome;
      if (state !== 'pending') return outcome;
      const callId = derivedId('call', id, 'book');
      const book = { type: 'book-reserved' as const, callId, offerId: id, bookingRef };
      const told = await asked(ports, eventKey, book, { ...byTimer, ...offer.committedBy });
      if (told.ok) return { eventKey, state: 'committed', code: null };
      return isUncertain(told) ? outcome : { eventKey, state: 'failed', code: told.refusal.code };
    }),
  );
  if (outcomes.every((outcome, at) => outcome.state === offer.commitOutcomes[at]!.state)) return null;
  const isRenewed = outcomes.every(({ state }) => state === 'committed');
  const successor = isRenewed ? await renewed(ports, id, offer) : null;
  // The notes of the commit are kept already.
  return withCommits(id, { ...offer, notes: [] }, outcomes, successor, ports.clock.now());
}

/** Writes the successor contract, and resolves with its id. */
async function renewed({ store, clock }: RightsPorts, id: string, offer: OfferDocument): Promise<string> {
  const contractId = derivedId('sco', id);
  const now = clock.now();
  const written = await change(store, rights, offer.rightId, offerUnknown, (right) => {
    const before = contractIn(right, offer.contractId);
    const { rightId, seasonKey, holderRef, labels, bookingRef, successorPlanActivationId } = offer;
    const successor: Contract = {
      contractId,
      rightId,
      seasonKey,
      holderRef,
      labels,
      bookingRef,
      source: 'renewal',
      state: 'active',
      planActivationId: successorPlanActivationId,
      operationId: null,
      importId: null,
      offerId: id,
      priorPlanActivationId: before?.planActivationId ?? null,
      priorContractRef: offer.contractId,
      createdAt: now,
    };
    return done(withRenewal(right, offer.contractId, successor, now));
  });
  if (!written.ok) throw new Fault(`write the contract of the offer ${id}`, written.refusal);
  return contractId;
}

export function asked<C extends Command>({ ask, clock }: RightsPorts, eventKey: string, command: C, caller = byTimer) {
  return ask(eventKey, command, caller, clock.elapsed() + rightsAskMs);
}

export function isUncertain({ refusal }: { refusal: { retryable?: true; outcome?: 'unknown' } }): boolean {
  return refusal.retryable === true || refusal.outcome !== undefined;
}
