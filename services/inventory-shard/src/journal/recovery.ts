/**
 * Brings an event back: loads its last snapshot, then folds its journal from there to the event's last group. Recovery
 * runs only behind the partition's fence, so that no other process appends meanwhile (I3).
 *
 * The state is made of the snapshot, and the groups are folded, in slices (slices.ts): other work runs between them. A
 * change of chart is folded in several slices.
 *
 * Failure while the journal streams in: the link is lost, and no message comes (journal-reader.ts). Then the load fails,
 * and its caller tries again (I8). The load also fails when the catalog cannot give a plan that a group names: an event
 * that changed its chart needs the plan of every folded group.
 */
import type { JetStreamManager } from '@nats-io/jetstream';
import type { Plan } from '@parterre/shared/chart/plan';
import { Fault } from '@parterre/shared/errors';
import type { PlanSource } from '@parterre/shared/plans/plans';
import type { Group } from '@parterre/shared/records';
import { eventKeyOf, names, subjects } from '@parterre/shared/subjects';
import { decodeKept } from '@parterre/shared/wire';
import { type EventState, newState } from '../rules/state/state.ts';
import { foldGroupInSteps, fromSnapshotInSteps } from '../rules/turn/turn.ts';
import type { JournalReader } from './journal-reader.ts';
import { inSlices, laterTurn, type Turn } from './slices.ts';
import type { SnapshotStore } from './snapshots.ts';

/**
 * `storedVersion`: the sequence of the snapshot under the state, 0 without a snapshot. `replayed`: the groups that were
 * folded behind that snapshot.
 */
export type LoadedEvent = { state: EventState; storedVersion: number; replayed: Replayed };

export type Replayed = { groups: number; bytes: number };

/** An event, and either the number of groups in its journal or the sequence of its last group. */
export type JournaledEvent = { eventKey: string } & ({ groups: number } | { sequence: number });

export type EventLoader = {
  /**
   * The state folded from the event's whole journal, or null without a journal. Throws when the journal cannot be read.
   * `from` is an earlier result, which is folded on.
   */
  load(eventKey: string, from?: LoadedEvent): Promise<LoadedEvent | null>;
  /** The events whose load has begun already (prepared-events.ts). */
  prepared(): Iterable<string>;
  /** Every event with a journal in the partition. The server counts the groups of each. */
  events(): Promise<JournaledEvent[]>;
  /** Every event with a group behind the sequence `after`. `last` is the sequence of any message of the partition. */
  changed(after: number, last: number): Promise<JournaledEvent[]>;
};

export function createEventLoader(
  reader: JournalReader,
  manager: JetStreamManager,
  snapshots: SnapshotStore,
  plans: PlanSource,
  partition: number,
  turn: Turn,
): EventLoader {
  const stream = names.journalStream(partition);

  /** Asks at the same time for the journal's end, the snapshot, and the plan that the snapshot names. */
  async function load(eventKey: string, from?: LoadedEvent): Promise<LoadedEvent | null> {
    const subject = subjects.journal(partition, eventKey);
    const end = manager.streams.getMessage(stream, { last_by_subj: subject }).then((last) => last?.seq ?? 0);
    if (from) return foldOn(from, subject, await end);
    const snapshot = await snapshots.load(eventKey, end, (planHash) => void plans(planHash).catch(() => {}));
    const lastSequence = await end;
    if (lastSequence === 0) return null;
    const state =
      snapshot && (await inSlices(turn, fromSnapshotInSteps(snapshot, await plans(snapshot.config.planHash))));
    const storedVersion = snapshot?.version ?? 0;
    if (state && storedVersion >= lastSequence) return { state, storedVersion, replayed: { groups: 0, bytes: 0 } };
    return { ...(await replay(subject, state, lastSequence)), storedVersion };
  }

  async function foldOn(from: LoadedEvent, subject: string, last: number): Promise<LoadedEvent> {
    if (from.state.version >= last) return from;
    const { state, replayed } = await replay(subject, from.state, last);
    const groups = from.replayed.groups + replayed.groups;
    return { ...from, state, replayed: { groups, bytes: from.replayed.bytes + replayed.bytes } };
  }

  async function replay(
    subject: string,
    from: EventState | null,
    last: number,
  ): Promise<Pick<LoadedEvent, 'state' | 'replayed'>> {
    const replayed = { groups: 0, bytes: 0 };
    let state = from;
    for await (const messages of reader.read({ stream, subject, from: (from?.version ?? 0) + 1, last })) {
      for (const message of messages) {
        if (turn.isOver()) await laterTurn(turn);
        const group = decodeKept<Group>(message.data);
        const plan = state?.plan.hash === group.plan ? state.plan : await plans(group.plan);
        state ??= begin(group, subject, plan);
        const steps = foldGroupInSteps(state, group, message.seq, plan);
        while (!steps.next().done) if (turn.isOver()) await laterTurn(turn);
        replayed.groups++;
        replayed.bytes += message.data.length;
      }
    }
    if (state?.version !== last) throw new Fault(`replay ${subject} to sequence ${last}`);
    return { state, replayed };
  }

  function begin(group: Group, subject: string, plan: Plan): EventState {
    const first = group.records[0];
    if (first?.type !== 'created') throw new Fault(`replay ${subject}: its first record is not a created record`);
    return newState(first.config, plan);
  }

  async function events(): Promise<JournaledEvent[]> {
    const info = await manager.streams.info(stream, { subjects_filter: subjects.journalOfPartition(partition) });
    const found: JournaledEvent[] = [];
    for (const [subject, groups] of Object.entries(info.state.subjects ?? {})) {
      const eventKey = eventKeyOf(subject);
      if (eventKey !== null) found.push({ eventKey, groups });
    }
    return found;
  }

  async function changed(after: number, last: number): Promise<JournaledEvent[]> {
    const sequences = new Map<string, number>();
    const subject = subjects.journalOfPartition(partition);
    for await (const messages of reader.read({ stream, subject, from: after + 1, last, headersOnly: true })) {
      for (const { subject, seq } of messages) {
        const eventKey = eventKeyOf(subject);
        if (eventKey !== null && seq <= last) sequences.set(eventKey, seq);
      }
    }
    return [...sequences].map(([eventKey, sequence]) => ({ eventKey, sequence }));
  }

  return { load, prepared: () => [], events, changed };
}
