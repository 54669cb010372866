/**
 * Checks the clients' record of some events against the journals of these events: first with the journal as the witness
 * (`witness.ts`). When that check fails, the search for any other order tells the kind of fault.
 */
import type { FoldedEvent } from '../partition/journal-fold.ts';
import type { Operation } from './history.ts';
import { type EventHistory, type JournalEntry, scheduledFrom } from './journal-entry.ts';
import { findOrder } from './linearizability.ts';
import { matchJournal } from './match-journal.ts';
import type { SearchInput } from './search-input.ts';
import type { Change } from './seat-model.ts';
import { checkWitness } from './witness.ts';

const VIOLATIONS_TOLD_MAX = 12;

/**
 * The violations of every event, each beginning with the event's key. An empty list proves all histories linearizable.
 */
export function checkHistories(
  { operations, epochAtZero }: { operations: Operation[]; epochAtZero: number },
  folded: Map<string, FoldedEvent>,
): string[] {
  const eventKeys = new Set(operations.map(({ eventKey }) => eventKey));
  return [...eventKeys].flatMap((eventKey) => {
    const ofEvent = operations.filter((operation) => operation.eventKey === eventKey);
    const event = folded.get(eventKey);
    if (!event) return [`${eventKey}: has no journal`];
    const seatTotal = event.state.plan.unitCount;
    const history = { operations: ofEvent, journal: journalOf(event), seatTotal, epochAtZero };
    return checkHistory(history).map((violation) => `${eventKey}: ${violation}`);
  });
}

export function checkHistory(history: EventHistory): string[] {
  const violations = checkWitness(history);
  if (violations.length === 0) return [];
  const verdict = findOrder(searchInputOf(history));
  const told = violations.slice(0, VIOLATIONS_TOLD_MAX);
  if (violations.length > told.length) told.push(`and ${violations.length - told.length} more`);
  const other = verdict.kind === 'linearizable' ? 'another order explains it' : `${verdict.kind}: ${verdict.why}`;
  return [...told, `any order at all: ${other}`];
}

/** A journal's part of the search's input: hints, effects of open operations, and the clock's own changes. */
export function searchInputOf(history: EventHistory): SearchInput {
  const { operations, journal, seatTotal, epochAtZero } = history;
  const { positionOf, effects } = matchJournal(history);
  const scheduled = journal.flatMap((entry, i) => {
    if (!entry.scheduled || !entry.change) return [];
    return [{ change: entry.change, from: scheduledFrom(entry, epochAtZero), hint: i + 1 }];
  });
  return { operations, seatTotal, scheduled, hints: positionOf, effects };
}

function journalOf({ state, entries }: FoldedEvent): JournalEntry[] {
  const labelsOf = (units: number[]): string[] => units.map((unit) => state.plan.labels.at(unit)).sort();
  return entries.map(({ sequence, at, record }) => {
    const scheduled = record.type === 'expired' || (record.type === 'unblocked' && record.reason === 'scheduled');
    return { sequence, at, change: changeOf(record, labelsOf), scheduled };
  });
}

function changeOf(
  record: FoldedEvent['entries'][number]['record'],
  labelsOf: (units: number[]) => string[],
): Change | null {
  const { type } = record;
  switch (type) {
    case 'held': {
      const { holdId, lines, expiresAt } = record;
      return { type, holdId, labels: labelsOf(lines.map(({ unit }) => unit)), expiresAt };
    }
    case 'extended':
      return { type, holdId: record.holdId, expiresAt: record.expiresAt };
    case 'released':
      return { type, holdId: record.holdId, labels: labelsOf(record.units) };
    case 'expired':
      return { type, holdId: record.holdId, labels: labelsOf(record.units), expiresAt: record.expiresAt };
    case 'booked': {
      const { bookingRef, holdId, lines } = record;
      return { type, bookingRef, holdId: holdId ?? '', labels: labelsOf(lines.map(({ unit }) => unit)) };
    }
    case 'unbooked':
      return { type, bookingRef: record.bookingRef, labels: labelsOf(record.units) };
    case 'blocked':
      return { type, labels: labelsOf(record.units), reason: record.reason ?? '' };
    case 'unblocked':
      return { type, labels: labelsOf(record.units) };
    // Clients of these histories exchange nothing.
    case 'exchanged':
    case 'exchanged-with':
    case 'exchange-pinned':
    case 'exchange-unpinned':
    case 'exchange-refused':
    case 'chart-set':
    case 'renumbered':
    case 'created':
    case 'hold-ttl-set':
    case 'status-set':
    case 'configured':
    case 'event-configured':
    case 'public-sale-set':
    case 'sale-settings-set':
    case 'chart-updated':
    case 'releases-set':
    case 'release-closed':
    case 'availability-set':
    case 'revealed':
    case 'sold-out':
    case 'resale-listed':
    case 'resale-removed':
    case 'channel-created':
    case 'channel-changed':
    case 'channel-state-set':
    case 'channels-assigned':
    case 'channel-archived':
    case 'clock-set':
    case 'hold-kept':
    case 'reserved':
    case 'unreserved':
    case 'locked':
    case 'lock-drained':
    case 'unlocked':
    case 'part-held':
    case 'part-pinned':
    case 'part-unpinned':
    case 'operation-aborted':
    case 'action-refused':
    case 'call-named':
    case 'holds-ended':
    case 'reservation-made':
    case 'reservation-changed':
    case 'reservation-ended':
    case 'reservation-booked':
    case 'accepted':
    case 'restored':
      return null;
    default:
      return record satisfies never;
  }
}
