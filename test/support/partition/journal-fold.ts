/**
 * Reads a journal from its stream and folds it. The checks here do not trust `apply`: a unit that a record gives to a
 * holder must be free at that moment (I1).
 */
import type { Plan } from '@parterre/shared/charts/plan';
import type { EventGroup, JournalRecord } from '@parterre/shared/protocol/records';
import type { EventState } from '../../../services/inventory-shard/src/rules/state/event-state.ts';
import { newState } from '../../../services/inventory-shard/src/rules/state/state.ts';
import { apply, closeGroup } from '../../../services/inventory-shard/src/rules/turn/apply.ts';
import { readGroups } from './journal-groups.ts';

/** A record with the stream sequence and the time of the group it is in. */
type FoldedRecord = { sequence: number; at: number; record: JournalRecord };

/** The plan of a commit group: its event, and the hash that the group names. */
export type PlanOf = (eventKey: string, hash: string) => Plan | Promise<Plan>;

export type FoldedEvent = { state: EventState; entries: FoldedRecord[]; violations: string[] };

/** Every event of the first `partitions` partitions, folded from sequence 1. */
export async function foldJournals(
  natsUrl: string,
  partitions: number,
  planOf: PlanOf,
): Promise<Map<string, FoldedEvent>> {
  const events = new Map<string, FoldedEvent>();
  for (const { eventKey, group, place } of await readGroups(natsUrl, partitions)) {
    await foldGroup(events, eventKey, group, place.sequence, planOf);
  }
  return events;
}

async function foldGroup(
  events: Map<string, FoldedEvent>,
  eventKey: string,
  group: EventGroup,
  sequence: number,
  planOf: PlanOf,
): Promise<void> {
  const plan = await planOf(eventKey, group.plan);
  const version = events.get(eventKey)?.state.version ?? 0;
  if (group.from !== undefined && group.from !== version) {
    throw new Error(`${eventKey}: the part at ${sequence} follows ${group.from}, and the event has ${version}`);
  }
  for (const record of group.records) {
    if (record.type === 'created') {
      const state = newState(record.config, plan);
      events.set(eventKey, { state, entries: [], violations: [] });
    }
    const event = events.get(eventKey)!;
    const before = event.entries.at(-1)?.record;
    event.violations.push(...violationsOf(event.state, record, before).map((what) => `${sequence}: ${what}`));
    apply(event.state, record, group.at, plan);
    event.entries.push({ sequence, at: group.at, record });
  }
  closeGroup(events.get(eventKey)!.state, sequence);
}

function violationsOf(state: EventState, record: JournalRecord, before: JournalRecord | undefined): string[] {
  if (record.type === 'held') {
    return record.lines
      .filter(({ unit }) => state.statuses[unit] !== 0)
      .map(({ unit }) => `${record.holdId} was given ${state.plan.labels.at(unit)}, which was not free`);
  }
  if (record.type === 'exchanged-with' && record.swappedWith !== undefined) return swapViolations(state, record);
  if (record.type === 'booked' || record.type === 'exchanged' || record.type === 'exchanged-with') {
    const slot = record.holdId === null ? 0 : (state.holds.get(record.holdId)?.slot ?? -1);
    // An offer leaves its blocked units to its booking.
    const offered = before?.type === 'unreserved' && before.bookingRef === record.bookingRef ? before.units : [];
    const isOpen = (unit: number): boolean => state.statuses[unit]! <= 1 || offered.includes(unit);
    const taken = record.lines
      .filter(({ unit }) => state.slotOf[unit] !== slot || !isOpen(unit))
      .map(({ unit }) => `${record.bookingRef} booked ${state.plan.labels.at(unit)}, which was not its own to book`);
    const booking = state.bookings.get(record.bookingRef);
    const given = record.type === 'booked' ? [] : record.units;
    const lost = given.filter((unit) => state.slotOf[unit] !== booking?.slot);
    return [...taken, ...lost.map((unit) => `${record.bookingRef} exchanged ${unit}, which it did not have`)];
  }
  if (record.type === 'expired' || record.type === 'released') {
    const slot = state.holds.get(record.holdId)?.slot;
    return record.units
      .filter((unit) => state.slotOf[unit] !== slot)
      .map((unit) => `${record.holdId} gave up ${state.plan.labels.at(unit)}, which it did not have`);
  }
  return [];
}

/** The new units are the other booking's, or were left without a holder by the first record of the swap. */
function swapViolations(state: EventState, record: JournalRecord & { type: 'exchanged-with' }): string[] {
  const other = state.bookings.get(record.swappedWith!)?.slot;
  return record.lines
    .filter(({ unit }) => state.statuses[unit] !== 2 || ![other, 0].includes(state.slotOf[unit]))
    .map(({ unit }) => `${record.bookingRef} swapped for ${state.plan.labels.at(unit)}, which was not the other's`);
}
