/**
 * New offers. A call makes one offer a contract, and reserves all seats or none.
 *
 * States of a new offer: preparing (hidden; its reservations are on their way) → offered, or refused (hidden; its
 * reservations go back). Only `offered` is shown, and only after the reservations of all offers of the call.
 *
 * Failure at each await: the store fails or an event does not answer → the offers of the call are refused, and the call
 * may be repeated; this process dies → its preparing offers are refused behind `actsUntil` (offer-work.ts), and offered
 * ones stay. A named call finds its offers, and makes those that are missing. A late copy of a reservation does nothing
 * behind `actsUntil`, or behind the end of its offer.
 */
import type { LineItem } from '@parterre/shared/protocol/answers';
import type { Contract, Offer } from '@parterre/shared/protocol/catalog/rights';
import type { CatalogInput } from '@parterre/shared/protocol/catalog-api';
import { done, type Outcome, type Refusal, refuse } from '@parterre/shared/protocol/errors';
import { derivedId, newId } from '@parterre/shared/protocol/ids';
import { totalOfItems } from '@parterre/shared/protocol/money';
import { checkStructure } from '../seasons/rules/season-state.ts';
import { change } from '../store/operations.ts';
import { offerItems, offers, rights } from '../store/right-collections.ts';
import { offerReservesMs, offersPerCallMax, offersReservedAtOnce } from '../store/rules/bounds.ts';
import type { Position } from '../store/rules/paging.ts';
import type { OfferDocument } from '../store/rules/right-records.ts';
import { findOne, type Store, type Stored } from '../store/store.ts';
import { asked, isUncertain, type OfferWork, offerUnknown } from './offer-work.ts';
import { actorOf, type RightsPorts, seasonAndPlan } from './rights-ports.ts';
import { decideMove, newOffer, offerOf, withoutReservations, withReservations } from './rules/offer-state.ts';
import { contractIn } from './rules/right-state.ts';

type Input = CatalogInput<'rights.offer'>;
type MadeOffers = { offers: Offer[]; truncated: boolean };

export async function makeOffers(ports: RightsPorts, work: OfferWork, input: Input): Promise<Outcome<MadeOffers>> {
  const { store, clock } = ports;
  const { scope, seasonKey, deadlineAt, callId = null } = input;
  const found = await seasonAndPlan(store, input, input.successorPlanActivationId);
  if (!found.ok) return found;
  const { season, plan } = found.value;
  const standing = await offersOfCall(store, seasonKey, callId);
  const active = checkStructure(season, 'active');
  if (!active.ok && standing.length === 0) return active;
  if (deadlineAt <= clock.now() && standing.length === 0) return pastDeadline;
  const chosen = await chooseContracts(store, input, plan.activationId, standing);
  if (!chosen.ok) return chosen;
  const { contracts, truncated } = chosen.value;
  const common = {
    organisationId: season.organisationId,
    seasonKey,
    eventKeys: plan.eventKeys,
    callId,
    deadlineAt,
    successorPlanActivationId: plan.activationId,
    actsUntil: clock.now() + offerReservesMs,
  };
  const begun: Stored<OfferDocument>[] = [];
  const taken: string[] = [];
  for (const { contractId, rightId, holderRef, labels } of contracts) {
    const id = newId('sro');
    const value = newOffer({ ...common, contractId, rightId, holderRef, labels }, clock.now());
    if ((await store.insert(offers, id, value)) === 'inserted') begun.push({ id, version: 1, value });
    else taken.push(contractId);
  }
  const reserved = taken.length > 0 ? openAlready(taken) : await reserveAll(ports, begun);
  if (!reserved.ok) {
    await refuseAll(ports, work, begun);
    return reserved;
  }
  const shown: Stored<OfferDocument>[] = [...standing];
  for (const { id } of begun) {
    const items = reserved.value.get(id) ?? [];
    const { currency, priceUnit } = season;
    const price = { total: totalOfItems(items), currency, ...(priceUnit && { priceUnit }) };
    // The items stand before the offer is shown.
    await store.insert(offerItems, id, { items });
    const written = await change(store, offers, id, offerUnknown, (offer) =>
      withReservations(offer, price, actorOf(scope), clock.now()),
    );
    if (!written.ok) {
      await refuseAll(ports, work, begun);
      return written;
    }
    shown.push(written.value);
    work.begin(id);
  }
  return done({ offers: shown.map(({ id, value }) => offerOf(id, value)), truncated });
}

const pastDeadline = refuse('invalid_request', 'The deadline of an offer lies in the future.', {
  details: { issues: [{ path: 'deadlineAt', message: 'Must be later than now.' }] },
});

function openAlready(contractIds: readonly string[]): Outcome<never> {
  return refuse('conflict', 'Some contracts have an open offer. The issues name them. No offer was made.', {
    reason: 'offer_open',
    details: {
      issues: contractIds.map((contractId) => {
        return { path: 'contractIds', code: 'offer_open', message: 'The contract has an open offer.', contractId };
      }),
    },
  });
}

/** Offers that an earlier run of the same named call has made. */
async function offersOfCall(store: Store, seasonKey: string, callId: string | null): Promise<Stored<OfferDocument>[]> {
  if (callId === null) return [];
  const query = { index: 'byCall', equal: [seasonKey, callId], limit: 2 * offersPerCallMax };
  const { documents } = await store.page(offers, query);
  return documents.filter(({ value }) => value.state !== 'preparing' && value.state !== 'refused');
}

type ContractChoice = { contracts: Contract[]; truncated: boolean };

async function chooseContracts(
  store: Store,
  { seasonKey, contractIds }: Input,
  planActivationId: string,
  standing: readonly Stored<OfferDocument>[],
): Promise<Outcome<ContractChoice>> {
  const offered = new Set(standing.map(({ value }) => value.contractId));
  if (!contractIds) {
    // A call that was cut short begins where it stopped: offered contracts are passed over.
    return done(await offerable(store, planActivationId, offersPerCallMax - standing.length));
  }
  const issues: { path: string; code: string; message: string; contractId: string }[] = [];
  const contracts: Contract[] = [];
  let hasUnknown = false;
  for (const [at, contractId] of contractIds.entries()) {
    if (offered.has(contractId) || contractIds.indexOf(contractId) < at) continue;
    const right = await findOne(store, rights, 'byContract', [contractId]);
    const contract = right?.value.seasonKey === seasonKey ? contractIn(right.value, contractId) : undefined;
    const issue = (code: string, message: string) =>
      issues.push({ path: `contractIds.${at}`, code, message, contractId });
    if (!right || !contract) {
      hasUnknown = true;
      issue('contract_not_found', 'Must be a contract of the season.');
    } else if (contract.state === 'renewed' || right.value.state !== 'active') {
      // A right outlives the cancellation of its booking, if its holder keeps it.
      issue(
        'contract_not_active',
        `The contract is ${right.value.state === 'released' ? 'released' : contract.state}.`,
      );
    } else if (await findOne(store, offers, 'byContract', [contractId])) {
      issue('offer_open', 'The contract has an open offer.');
    } else contracts.push(contract);
  }
  if (issues.length === 0) return done({ contracts, truncated: false });
  const message = 'Some contracts cannot be offered. The issues list all of them. No offer was made.';
  if (hasUnknown) return refuse('invalid_request', message, { reason: 'contract_not_found', details: { issues } });
  return refuse('conflict', message, { reason: issues[0]!.code, details: { issues } });
}

async function offerable(store: Store, planActivationId: string, most: number): Promise<ContractChoice> {
  const contracts: Contract[] = [];
  const query = { index: 'byOfferable', equal: [planActivationId], limit: offersPerCallMax };
  let after: Position | null | undefined;
  while (after !== null) {
    const { documents, next } = await store.page(rights, { ...query, after });
    for (const { value } of documents) {
      for (const contract of value.contracts) {
        const { state, bookingRef, contractId } = contract;
        const isFit = contract.planActivationId === planActivationId && state === 'active' && bookingRef === null;
        if (!isFit || value.state !== 'active') continue;
        if (await findOne(store, offers, 'byContract', [contractId])) continue;
        if (contracts.length === most) return { contracts, truncated: true };
        contracts.push(contract);
      }
    }
    after = next;
  }
  return { contracts, truncated: false };
}

/** The frozen items by offer; else the refusal that keeps the offers from being made, with every conflict. */
async function reserveAll(
  ports: RightsPorts,
  begun: readonly Stored<OfferDocument>[],
): Promise<Outcome<ReadonlyMap<string, LineItem[]>>> {
  const frozen = new Map<string, LineItem[]>();
  const parts = begun.flatMap((offer) => offer.value.eventKeys.map((eventKey) => ({ offer, eventKey })));
  const conflicts: object[] = [];
  for (let at = 0; at < parts.length; at += offersReservedAtOnce) {
    const some = parts.slice(at, at + offersReservedAtOnce);
    const told = await Promise.all(some.map(({ offer, eventKey }) => reserve(ports, offer, eventKey)));
    for (const [index, answer] of told.entries()) {
      if (answer.ok) {
        const { id } = some[index]!.offer;
        frozen.set(id, [...(frozen.get(id) ?? []), ...answer.value.items]);
        continue;
      }
      // Nothing is gained by further questions to events that do not answer.
      if (isUncertain(answer)) return silent;
      const { offer, eventKey } = some[index]!;
      conflicts.push(...conflictsOf(offer.value, eventKey, answer.refusal));
    }
  }
  if (conflicts.length === 0) return done(frozen);
  return refuse('conflict', 'Some seats cannot be reserved. The conflicts list all of them. No offer was made.', {
    reason: 'seats_taken',
    details: { conflicts },
  });
}

function reserve(ports: RightsPorts, { id, value }: Stored<OfferDocument>, eventKey: string) {
  const { seasonKey, labels, actsUntil } = value;
  const owner = { kind: 'season' as const, key: seasonKey };
  const selections = labels.map((label) => ({ label }));
  const callId = derivedId('call', id, 'reserve');
  return asked(ports, eventKey, { type: 'reserve', callId, offerId: id, owner, selections, actsUntil });
}

const silent = refuse('shard_unavailable', 'An event did not answer in time. No offer was made. Try again.', {
  retryable: true,
});

/** A refusal that names no seats is about all of them. */
function conflictsOf(
  { contractId, labels }: OfferDocument,
  eventKey: string,
  { code, reason, details }: Refusal,
): object[] {
  const conflicts = details?.conflicts;
  if (Array.isArray(conflicts)) return conflicts.map((conflict: object) => ({ contractId, eventKey, ...conflict }));
  const named: readonly string[] = Array.isArray(details?.labels) ? details.labels : labels;
  return named.map((label) => ({ contractId, eventKey, label, status: reason ?? code }));
}

/** Offers that are shown already end as released. */
async function refuseAll(ports: RightsPorts, work: OfferWork, begun: readonly Stored<OfferDocument>[]): Promise<void> {
  const { store, clock } = ports;
  for (const { id } of begun) {
    await change(store, offers, id, offerUnknown, (offer) =>
      offer.state === 'preparing'
        ? done(withoutReservations(id, offer, clock.now()))
        : decideMove(id, offer, { move: 'release' }, { source: 'timer', actor: null }, clock.now()),
    );
    work.begin(id);
  }
}
