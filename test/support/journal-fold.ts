/**
 * Reads a journal from the stream as it stands and folds it, with checks of its own that do not trust `apply`: a unit that
 * a record gives away must not belong to anybody at that moment (I1).
 */
import { DeliverPolicy, jetstream, jetstreamManager } from '@nats-io/jetstream';
import { connect } from '@nats-io/transport-node';
import type { Plan } from '@parterre/shared/chart/plan';
import type { Group, JournalRecord } from '@parterre/shared/records';
import { eventKeyOf, names, subjects } from '@parterre/shared/subjects';
import { decodeKept } from '@parterre/shared/wire';
import { apply } from '../../services/inventory-shard/src/rules/apply.ts';
import { advance, type EventState, newState } from '../../services/inventory-shard/src/rules/state.ts';

/** A record with the stream sequence and the time of the group it is in. */
type FoldedRecord = { sequence: number; at: number; record: JournalRecord };

type PlanOf = (eventKey: string, hash: string) => Plan | Promise<Plan>;

export type FoldedEvent = { state: EventState; entries: FoldedRecord[]; violations: string[] };

/** Every event of the first `partitions` partitions, folded from sequence 1. */
export async function foldJournals(
  natsUrl: string,
  partitions: number,
  planOf: PlanOf,
): Promise<Map<string, FoldedEvent>> {
  const nats = await connect({ servers: natsUrl });
  const events = new Map<string, FoldedEvent>();
  try {
    const manager = await jetstreamManager(nats);
    for (let partition = 0; partition < partitions; partition++) {
      const stream = names.journalStream(partition);
      const { last_seq: last } = (await manager.streams.info(stream)).state;
      if (last === 0) continue;
      const consumer = await jetstream(nats).consumers.get(stream, {
        filter_subjects: subjects.journalOfPartition(partition),
        deliver_policy: DeliverPolicy.All,
      });
      for await (const message of await consumer.consume()) {
        const eventKey = eventKeyOf(message.subject);
        if (eventKey !== null) await foldGroup(events, eventKey, decodeKept<Group>(message.data), message.seq, planOf);
        if (message.seq >= last) break;
      }
      await consumer.delete();
    }
  } finally {
    await nats.close();
  }
  return events;
}

async function foldGroup(
  events: Map<string, FoldedEvent>,
  eventKey: string,
  group: Group,
  sequence: number,
  planOf: PlanOf,
): Promise<void> {
  const plan = await planOf(eventKey, group.plan);
  for (const record of group.records) {
    if (record.type === 'created') {
      const state = newState(record.config, plan);
      events.set(eventKey, { state, entries: [], violations: [] });
    }
    const event = events.get(eventKey)!;
    event.violations.push(...violationsOf(event.state, record).map((what) => `${sequence}: ${what}`));
    apply(event.state, record, group.at, plan);
    event.entries.push({ sequence, at: group.at, record });
  }
  advance(events.get(eventKey)!.state, sequence);
}

function violationsOf(state: EventState, record: JournalRecord): string[] {
  if (record.type === 'held') {
    return record.lines
      .filter(({ unit }) => state.statuses[unit] !== 0)
      .map(({ unit }) => `${record.holdId} was given ${state.plan.labels.at(unit)}, which was not free`);
  }
  if (record.type === 'booked') {
    const slot = record.holdId === null ? 0 : (state.holds.get(record.holdId)?.slot ?? -1);
    return record.lines
      .filter(({ unit }) => state.slotOf[unit] !== slot || state.statuses[unit]! > 1)
      .map(({ unit }) => `${record.bookingRef} booked ${state.plan.labels.at(unit)}, which was not its own to book`);
  }
  if (record.type === 'expired' || record.type === 'released') {
    const slot = state.holds.get(record.holdId)?.slot;
    return record.units
      .filter((unit) => state.slotOf[unit] !== slot)
      .map((unit) => `${record.holdId} gave up ${state.plan.labels.at(unit)}, which it did not have`);
  }
  return [];
}
