/** The promises of a saga's end: each operation is whole or gone, and its callers were told the truth. */
import { operationStates } from '@parterre/shared/protocol/catalog/operations';
import type { BuyerAnswer } from './buyers.ts';
import { isFinal } from './buyers.ts';
import type { SagaProjection } from './catalogs.ts';
import type { SagaEvent } from './saga-event.ts';
import { must, type OracleOperation, type SagaOracle } from './saga-oracle.ts';

type End = {
  oracle: SagaOracle;
  projection: SagaProjection;
  events: readonly SagaEvent[];
  told: readonly BuyerAnswer[];
};

/** Moments that a run of many histories should reach, and their numbers. */
export type Moments = Record<string, number>;

export function checkEnd({ oracle, projection, events, told }: End): void {
  for (const [id, operation] of oracle.operations) {
    named(id, () => {
      checkWhole(oracle, operation);
      checkDocument(projection, id, operation);
      checkTold(
        operation,
        told.filter((each) => each.id === id),
      );
    });
  }
  for (const each of told) {
    if (oracle.operations.has(each.id) || each.outcome === null || !isFinal(each.outcome)) continue;
    must(!each.outcome.ok, `${each.call} of ${each.id} was confirmed, and no journal has it`);
  }
  for (const { key, state } of events) must(state.holds.active.size === 0, `${key} still has a hold`);
}

function named(id: string, check: () => void): void {
  try {
    check();
  } catch (error) {
    throw new Error(`${id}: ${error instanceof Error ? error.message : error}`);
  }
}

/** Booked in every event, or in none; and then no unit is left. */
function checkWhole(oracle: SagaOracle, { eventKeys, parts, ends }: OracleOperation): void {
  const isBooked = parts.get(eventKeys[0]!)?.state === 'booked';
  for (const eventKey of eventKeys) {
    const part = parts.get(eventKey);
    if (isBooked) must(part?.state === 'booked', `${eventKey} has not booked, it is ${part?.state}`);
    if (!part) continue;
    must(isBooked || part.state !== 'booked', `${eventKey} has booked alone`);
    must(part.state !== 'held' && part.state !== 'pinned', `the part of ${eventKey} is still ${part.state}`);
    for (const unit of part.units) {
      const holder = oracle.holderOf(eventKey, unit);
      if (isBooked) must(holder === part.ref, `${eventKey} lacks unit ${unit}: ${holder} has it`);
      else must(holder === undefined || holder !== part.holdId, `${eventKey} still holds unit ${unit}`);
    }
  }
  must(ends.size <= 1, `the parts expired at different times: ${[...ends].join(', ')}`);
}

function checkDocument(projection: SagaProjection, id: string, { eventKeys, parts }: OracleOperation): void {
  must(projection.isCounted, 'the projection has not counted everything');
  const document = projection.documents.get(id)!.value;
  must(!document.isOpen && operationStates.includes(document.state), `its document is open: ${document.state}`);
  for (const [at, eventKey] of eventKeys.entries()) {
    const state = parts.get(eventKey)?.state ?? 'none';
    must(
      document.parts[at]!.state === state,
      `${eventKey} is ${state}, and its document says ${document.parts[at]!.state}`,
    );
  }
  const home = parts.get(eventKeys[0]!)?.state;
  if (home === 'booked') must(document.state === 'booked', `it is booked, and its document says ${document.state}`);
}

function checkTold(operation: OracleOperation, told: readonly BuyerAnswer[]): void {
  const holds = told.filter(({ call }) => call === 'hold');
  // The first event's refusal leaves no record, so a repetition is decided anew.
  const isRefused =
    holds.length > 0 && holds.every(({ outcome }) => outcome !== null && isFinal(outcome) && !outcome.ok);
  const home = operation.parts.get(operation.eventKeys[0]!);
  if (isRefused) must(!home || home.state === 'aborted', 'every hold was refused, and the home held');
  for (const each of told) checkCall(operation, each);
}

function checkCall({ eventKeys, parts, ends }: OracleOperation, { call, actionId, outcome }: BuyerAnswer): void {
  if (outcome === null || !isFinal(outcome)) return;
  const home = parts.get(eventKeys[0]!);
  if (!outcome.ok) {
    if (call === 'book') must(home?.state !== 'booked' || home.action !== actionId, 'a booking was refused, and made');
    return;
  }
  const { state, expiresAt, booking } = outcome.value;
  if (call === 'book' && booking?.state === 'booked' && booking.actionId === actionId) {
    must(home?.state === 'booked' && home.action === actionId, 'a booking was confirmed, and not made');
  }
  if (call === 'release')
    must(home?.state !== 'booked' || state !== 'expired', 'a release was confirmed, and it is booked');
  if ((call === 'hold' || call === 'extend') && state === 'committed') {
    for (const end of ends) must(end >= expiresAt!, `told ${expiresAt}, and a part ended at ${end}`);
  }
}

export function momentsOf({ operations, exchanged, refusedTries }: SagaOracle, told: readonly BuyerAnswer[]): Moments {
  const moments: Moments = {};
  if (exchanged > 0) moments['an exchange over events'] = exchanged;
  if (refusedTries > 0) moments['a try of an exchange refused'] = refusedTries;
  const note = (name: string): void => {
    moments[name] = (moments[name] ?? 0) + 1;
  };
  for (const { eventKeys, parts, refused } of operations.values()) {
    note(`home ${parts.get(eventKeys[0]!)?.state ?? 'never asked'}`);
    if (refused.size > 0) note('an action refused');
  }
  for (const { call, outcome } of told) {
    if (outcome === null) continue;
    note(`${call} ${outcome.ok ? outcome.value.state : outcome.refusal.retryable ? 'without an answer' : 'refused'}`);
  }
  return moments;
}
