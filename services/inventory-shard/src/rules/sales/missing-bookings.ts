/**
 * Bookings that a state lacks, and that another history of its event proves (I9). A seat that is free gets its booking
 * back, as a record. Every other seat is a conflict: nobody loses a seat that was told to be theirs, and an operator
 * judges.
 */
import type { SeatConflict } from '@parterre/shared/protocol/loss-acceptance';
import type { JournalRecord, Line } from '@parterre/shared/protocol/records';
import { type Booking, type EventState, heldLines, isFree, unitStatusName } from '../state/state.ts';

export type MissingBookings = { records: JournalRecord[]; conflicts: SeatConflict[] };

/** Changes neither state. `callId` names the restoration in the records. */
export function missingBookings(state: EventState, proven: EventState, callId: string): MissingBookings {
  const found: MissingBookings = { records: [], conflicts: [] };
  const unitOf = unitsBetween(proven, state);
  for (const booking of proven.bookings.values()) {
    const known = state.bookings.get(booking.ref);
    const kept = new Set(known && heldLines(state, known).map(({ unit }) => unit));
    const lines: Line[] = [];
    for (const line of heldLines(proven, booking)) {
      const unit = unitOf(line.unit);
      if (unit !== null && kept.has(unit)) continue;
      const why = conflictOf(state, known, unit);
      if (why === null) lines.push(lineOn(state, line, unitOf));
      else found.conflicts.push({ label: proven.plan.labels.at(line.unit), bookingRef: booking.ref, is: why });
    }
    if (lines.length > 0) found.records.push(bookedAgain(booking, lines, callId));
  }
  return found;
}

/** From units of one plan to those with the same label on another. Null for a place that the other chart lacks. */
function unitsBetween(from: EventState, to: EventState): (unit: number) => number | null {
  if (from.plan.hash === to.plan.hash) return (unit) => unit;
  const units = new Map(to.plan.labels.all().map((label, unit) => [label, unit]));
  return (unit) => units.get(from.plan.labels.at(unit)) ?? null;
}

/** Null for a seat that can be booked again. */
function conflictOf(state: EventState, known: Readonly<Booking> | undefined, unit: number | null): string | null {
  if (unit === null) return 'not on the chart';
  if (!isFree(state, unit)) return unitStatusName(state, unit);
  // The journal has later changes of this booking, which may have given the seat up.
  return known ? 'given up since' : null;
}

/** Channels and releases that the state does not have are left out. */
function lineOn(state: EventState, line: Line, unitOf: (unit: number) => number | null): Line {
  const { unit, group, channelId, releaseId, ...terms } = line;
  const place = { unit: unitOf(unit)!, ...(group !== undefined && { group: unitOf(group) ?? unitOf(unit)! }) };
  const channel = channelId !== undefined && state.channels.byId.has(channelId) && { channelId };
  const release = releaseId !== undefined && state.releases.some(({ id }) => id === releaseId) && { releaseId };
  return { ...place, ...terms, ...channel, ...release };
}

function bookedAgain({ ref, accessSource }: Readonly<Booking>, lines: Line[], callId: string): JournalRecord {
  const by = { source: 'operator', actor: null } as const;
  return { type: 'booked', bookingRef: ref, callId, holdId: null, accessSource, lines, by };
}

/** The booked seats of a state, by booking. */
export function bookedLabels(state: EventState | null): Map<string, string[]> {
  const labels = new Map<string, string[]>();
  for (const booking of state?.bookings.values() ?? []) {
    const held = heldLines(state!, booking).map(({ unit }) => state!.plan.labels.at(unit));
    if (held.length > 0) labels.set(booking.ref, held);
  }
  return labels;
}
