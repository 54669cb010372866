/**
 * Matches records with operations: by shared names (holdId, bookingRef, a block's reason) for answered operations, and
 * by the call for open ones. Every unmatched record or operation is a violation.
 */
import { type Call, describe, type Operation } from './history.ts';
import type { EventHistory, JournalEntry } from './journal-entry.ts';
import { type Change, claimsChange } from './seat-model.ts';

export type Matched = {
  /** By id of the operation; positions count from 1. */
  positionOf: Map<number, number>;
  operationAt: Map<number, Operation>;
  /** The effects of open operations. */
  effects: Map<number, Change>;
  violations: string[];
};

type Candidate = { position: number; change: Change };

export function matchJournal({ operations, journal }: EventHistory): Matched {
  const matched: Matched = { positionOf: new Map(), operationAt: new Map(), effects: new Map(), violations: [] };
  const records = indexByName(journal);
  const byInvocation = operations.toSorted((a, b) => a.invokedAt - b.invokedAt);
  // When records share a name, the operation that ended first takes the first.
  const acknowledged = operations.filter(claimsChange).sort((a, b) => a.returnedAt - b.returnedAt);
  for (const operation of acknowledged) {
    const candidates = records.get(nameOf(operation)) ?? [];
    const record = candidates.shift();
    if (record) pair(matched, operation, record.position);
    else matched.violations.push(`${describe(operation)} was acknowledged, and the journal does not have it`);
  }
  const orphans = [...records.values()].flat().sort((a, b) => a.position - b.position);
  matchOpen(matched, byInvocation, orphans);
  return matched;
}

function pair(matched: Matched, operation: Operation, position: number): void {
  matched.positionOf.set(operation.id, position);
  matched.operationAt.set(position, operation);
}

/** Records of callers, by the name under which an acknowledged operation finds them; oldest first. */
function indexByName(journal: JournalEntry[]): Map<string, Candidate[]> {
  const records = new Map<string, Candidate[]>();
  const renewals = new Map<string, number>();
  for (const [i, { change, scheduled }] of journal.entries()) {
    if (!change || scheduled) continue;
    let name = nameOfChange(change);
    if (change.type === 'extended') {
      const renewal = (renewals.get(change.holdId) ?? 0) + 1;
      renewals.set(change.holdId, renewal);
      name += ` ${renewal}`;
    }
    const candidates = records.get(name);
    if (candidates) candidates.push({ position: i + 1, change });
    else records.set(name, [{ position: i + 1, change }]);
  }
  return records;
}

function nameOfChange(change: Change): string {
  switch (change.type) {
    case 'held':
    case 'extended':
    case 'released':
    case 'expired':
      return `${change.type} ${change.holdId}`;
    case 'booked':
    case 'unbooked':
      return `${change.type} ${change.bookingRef}`;
    case 'blocked':
      return `blocked ${change.reason}`;
    case 'unblocked':
      return `unblocked ${change.labels}`;
    default:
      return change satisfies never;
  }
}

/** The name of the record that an acknowledged operation claims. */
function nameOf({ call, outcome }: Operation): string {
  const answer = outcome.kind === 'ok' ? outcome.answer : null;
  switch (call.type) {
    case 'hold':
      return `held ${answer?.type === 'hold' ? answer.holdId : ''}`;
    case 'extend':
      return `extended ${call.holdId} ${answer?.type === 'extend' ? answer.extends : ''}`;
    case 'release':
      return `released ${call.holdId}`;
    case 'book':
      return `booked ${call.bookingRef}`;
    case 'unbook':
      return `unbooked ${call.bookingRef}`;
    case 'block':
      return `blocked ${call.reason}`;
    case 'unblock':
      return `unblocked ${answer?.type === 'unblock' ? answer.labels : ''}`;
    default:
      return call.type;
  }
}

/**
 * Gives each unclaimed record to the oldest open operation that asked for it and had begun by then. Among equal open
 * operations the order makes no difference, because an open operation has a begin and no end.
 */
function matchOpen(matched: Matched, byInvocation: Operation[], orphans: Candidate[]): void {
  const open = new Map<string, Operation[]>();
  for (const operation of byInvocation) {
    if (operation.outcome.kind !== 'unknown') continue;
    const asked = askedIn(operation.call);
    open.set(asked, [...(open.get(asked) ?? []), operation]);
  }
  for (const { position, change } of orphans) {
    const operation = open.get(askedFor(change))?.shift();
    if (operation) {
      pair(matched, operation, position);
      matched.effects.set(operation.id, change);
      continue;
    }
    const refused = byInvocation.filter(({ call }) => askedIn(call) === askedFor(change)).map(describe);
    const asked =
      refused.length === 0 ? 'that nobody asked for' : `that no open call can have made; ${refused.join('; ')}`;
    matched.violations.push(`record ${position} is one ${asked}: ${JSON.stringify(change)}`);
  }
}

function askedIn(call: Call): string {
  const { type, ...named } = call;
  return `${type} ${type === 'hold' || type === 'unblock' ? call.labels.toSorted() : Object.values(named)}`;
}

function askedFor(change: Change): string {
  switch (change.type) {
    case 'held':
      return `hold ${change.labels}`;
    case 'extended':
      return `extend ${change.holdId}`;
    case 'released':
    case 'expired':
      return `release ${change.holdId}`;
    case 'booked':
      return `book ${change.holdId},${change.bookingRef}`;
    case 'unbooked':
      return `unbook ${change.bookingRef}`;
    case 'blocked':
      return `block ${change.labels},${change.reason}`;
    case 'unblocked':
      return `unblock ${change.labels}`;
    default:
      return change satisfies never;
  }
}
