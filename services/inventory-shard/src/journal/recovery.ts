/**
 * Brings an event back: loads its last snapshot, then folds its journal from there to the event's last group. Recovery
 * runs only behind the partition's fence, so that no other process appends meanwhile (I3).
 *
 * The journal of an event is its own subject, and its parts of shared commits. Each part names the version before it.
 * Where the state has an older version, shared parts come first: they stand between the two. Shared parts behind the
 * event's last message on its own subject are those that the partition knows (shared-parts.ts). An event that may have
 * a part in a shared commit that cannot be read is not loaded.
 *
 * The state is made of the snapshot, and the groups are folded, in slices (slices.ts): other work runs between them. A
 * change of chart is folded in several slices.
 *
 * Failure while the journal streams in: the link is lost, and no message comes (journal-reader.ts). Then the load
 * fails, and its caller tries again (I8). The load also fails when the catalog cannot give a plan that a group names:
 * an event that changed its chart needs the plan of every folded group.
 */
import type { JetStreamManager } from '@nats-io/jetstream';
import type { Plan } from '@parterre/shared/charts/plan';
import type { PlanSource } from '@parterre/shared/charts/plans/plans';
import { Fault } from '@parterre/shared/protocol/errors';
import { readGroup, readPartHead } from '@parterre/shared/protocol/journal/messages';
import type { EventGroup, Part } from '@parterre/shared/protocol/records';
import { eventKeyOf, names, subjects } from '@parterre/shared/protocol/subjects';
import { type EventState, newState } from '../rules/state/state.ts';
import { foldGroupInSteps, fromSnapshotInSteps } from '../rules/turn/turn.ts';
import { groupsOfEvent, type PlacedData, SharedReading, type SpanReader, sharedCommitsIn } from './journal-reader.ts';
import type { ReadCommit, SharedParts } from './shared-parts.ts';
import { inSlices, laterTurn, type Turn } from './slices.ts';
import type { SnapshotStore } from './snapshots/snapshots.ts';

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
  /**
   * An anchor for an event that is not loaded: its last part without records, to follow that part. Needs no plan and no
   * state. Null if the event needs none.
   */
  anchorOf(eventKey: string): Promise<Part | null>;
  /** The events whose load has begun already (prepared-events.ts). */
  prepared(): Iterable<string>;
  /**
   * Every event with a journal in the partition. The server counts the groups of each, unless the partition has shared
   * commits. `last` is the sequence of any message of the partition.
   */
  events(last: number): Promise<JournaledEvent[]>;
  /** Every event with a group behind the sequence `after`. `last` is the sequence of any message of the partition. */
  changed(after: number, last: number): Promise<JournaledEvent[]>;
  /** The shared commits behind the sequence `after`, up to the sequence `last`, in order. */
  sharedCommits(after: number, last: number): Promise<ReadCommit[]>;
};

type Index = Pick<SharedParts, 'of' | 'anchored' | 'unreadable'>;

export function createEventLoader(
  reader: SpanReader,
  manager: Pick<JetStreamManager, 'streams'>,
  snapshots: SnapshotStore,
  plans: PlanSource,
  partition: number,
  turn: Turn,
  shared: Index | null = null,
): EventLoader {
  const stream = names.journalStream(partition);

  /** Asks at the same time for the journal's end, the snapshot, and the plan that the snapshot names. */
  async function load(eventKey: string, from?: LoadedEvent): Promise<LoadedEvent | null> {
    const own = lastOf(manager, stream, subjects.journal(partition, eventKey));
    const ends = Promise.all([own, shared?.of(eventKey) ?? []]);
    if (from) return foldOn(eventKey, from, ...(await ends));
    // Without an index a snapshot may be ahead of all known groups. It has durable groups alone.
    const end = ends.then(([own, behind]) => (shared ? Math.max(own, behind.at(-1) ?? 0) : Number.POSITIVE_INFINITY));
    // The plan is asked for early. A failure shows where the plan is needed, below.
    const snapshot = await snapshots.load(eventKey, end, (planHash) => void plans(planHash).catch(() => {}));
    const [ownLast, behind] = await ends;
    if (ownLast === 0) return null;
    shared?.anchored(eventKey, ownLast);
    const state =
      snapshot && (await inSlices(turn, fromSnapshotInSteps(snapshot, await plans(snapshot.config.planHash))));
    const storedVersion = snapshot?.version ?? 0;
    return { ...(await replay(eventKey, state, ownLast, behind)), storedVersion };
  }

  async function foldOn(
    eventKey: string,
    from: LoadedEvent,
    ownLast: number,
    behind: readonly number[],
  ): Promise<LoadedEvent> {
    shared?.anchored(eventKey, ownLast);
    const { state, replayed } = await replay(eventKey, from.state, ownLast, behind);
    const groups = from.replayed.groups + replayed.groups;
    return { ...from, state, replayed: { groups, bytes: from.replayed.bytes + replayed.bytes } };
  }

  /** `behind`: the event's known shared parts. */
  async function replay(
    eventKey: string,
    from: EventState | null,
    ownLast: number,
    behind: readonly number[],
  ): Promise<Pick<LoadedEvent, 'state' | 'replayed'>> {
    const replayed = { groups: 0, bytes: 0 };
    let state = from;
    async function fold({ sequence, data }: PlacedData): Promise<void> {
      if (turn.isOver()) await laterTurn(turn);
      const group = readGroup(data);
      if (state && group.from > state.version) await foldShared(state.version + 1, group.from);
      const plan = state?.plan.hash === group.plan ? state.plan : await plans(group.plan);
      state ??= begin(group, eventKey, plan);
      if (group.from !== state.version) throw gapIn(eventKey, sequence, group.from, state);
      const steps = foldGroupInSteps(state, group, sequence, plan);
      while (!steps.next().done) if (turn.isOver()) await laterTurn(turn);
      replayed.groups++;
      replayed.bytes += data.length;
    }
    const reading = new SharedReading(reader, stream, subjects.commits(partition), eventKey, (subject) =>
      lastOf(manager, stream, subject),
    );
    /** Folds the shared parts behind the state, from the sequence `first` to the part at `last`. */
    async function foldShared(first: number, last: number): Promise<void> {
      for await (const part of reading.read(state?.version ?? 0, first, last)) await fold(part);
    }
    try {
      const first = (state?.version ?? 0) + 1;
      const span = { stream, subject: subjects.journal(partition, eventKey), from: first, last: ownLast };
      if (ownLast >= first) for await (const group of groupsOfEvent(reader, span, eventKey)) await fold(group);
      const version = state?.version ?? 0;
      const last = Math.max(ownLast, behind.at(-1) ?? 0, shared ? 0 : version);
      // All parts behind the event's last message on its own subject are known, so nothing before the first is read.
      if (version < last) await foldShared(behind.find((sequence) => sequence > version)!, last);
      if (state?.version !== last) throw new Fault(`replay ${eventKey} to sequence ${last}`);
      assertCertain(shared, eventKey, last);
      return { state, replayed };
    } finally {
      await reading.end();
    }
  }

  function begin(group: EventGroup, eventKey: string, plan: Plan): EventState {
    const first = group.records[0];
    if (first?.type !== 'created') throw new Fault(`replay ${eventKey}: its first record is not a created record`);
    return newState(first.config, plan);
  }

  const anchorOf = anchorsOf(reader, manager, partition, shared);
  return { load, anchorOf, prepared: () => [], ...createEventLists(reader, manager, partition) };
}

function anchorsOf(
  reader: SpanReader,
  manager: Pick<JetStreamManager, 'streams'>,
  partition: number,
  shared: Index | null,
): EventLoader['anchorOf'] {
  const stream = names.journalStream(partition);
  const subject = subjects.commits(partition);
  return async (eventKey) => {
    const own = lastOf(manager, stream, subjects.journal(partition, eventKey));
    const [ownLast, behind] = await Promise.all([own, shared?.of(eventKey) ?? []]);
    shared?.anchored(eventKey, ownLast);
    const last = behind.at(-1) ?? 0;
    if (last <= ownLast) return null;
    assertCertain(shared, eventKey, last);
    for await (const { data } of groupsOfEvent(reader, { stream, subject, from: last, last }, eventKey)) {
      return { ...readPartHead(data), from: last };
    }
    throw new Fault(`read part ${last} of ${eventKey}`);
  };
}

/** `last` is the event's last known part. */
function assertCertain(shared: Index | null, eventKey: string, last: number): void {
  const unreadable = shared?.unreadable ?? 0;
  if (unreadable <= last) return;
  throw new Fault(
    `replay ${eventKey} behind ${last}: it may have a part in commit ${unreadable}, which cannot be read`,
  );
}

function gapIn(eventKey: string, sequence: number, from: number, { version }: EventState): Fault {
  return new Fault(`replay ${eventKey}: part ${sequence} follows ${from}, and the state has ${version}`);
}

function createEventLists(
  reader: SpanReader,
  manager: Pick<JetStreamManager, 'streams'>,
  partition: number,
): Omit<EventLoader, 'load' | 'anchorOf' | 'prepared'> {
  const stream = names.journalStream(partition);
  const wholeJournal = subjects.journalOfPartition(partition);
  const lastShared = (): Promise<number> => lastOf(manager, stream, subjects.commits(partition));

  async function events(last: number): Promise<JournaledEvent[]> {
    // The subject of an event does not count its shared parts.
    if ((await lastShared()) > 0) return changed(0, last);
    const info = await manager.streams.info(stream, { subjects_filter: wholeJournal });
    const found: JournaledEvent[] = [];
    for (const [subject, groups] of Object.entries(info.state.subjects ?? {})) {
      const eventKey = eventKeyOf(subject);
      if (eventKey !== null) found.push({ eventKey, groups });
    }
    return found;
  }

  async function changed(after: number, last: number): Promise<JournaledEvent[]> {
    const sequences = new Map<string, number>();
    for await (const messages of reader.read({
      stream,
      subject: wholeJournal,
      from: after + 1,
      last,
      headersOnly: true,
    })) {
      for (const { subject, seq } of messages) {
        const eventKey = eventKeyOf(subject);
        if (eventKey !== null && seq <= last) sequences.set(eventKey, seq);
      }
    }
    for await (const { eventKeys, sequence } of commitsOf(after, last)) {
      for (const eventKey of eventKeys ?? []) sequences.set(eventKey, Math.max(sequence, sequences.get(eventKey) ?? 0));
    }
    return [...sequences].map(([eventKey, sequence]) => ({ eventKey, sequence }));
  }

  /** The end of the shared subject may stand behind `to` already. */
  async function* commitsOf(after: number, to: number): AsyncGenerator<ReadCommit> {
    const last = await lastShared();
    if (last <= after) return;
    yield* sharedCommitsIn(reader, { stream, subject: subjects.commits(partition), from: after + 1, last }, to);
  }

  async function sharedCommits(after: number, to: number): Promise<ReadCommit[]> {
    const commits: ReadCommit[] = [];
    for await (const commit of commitsOf(after, to)) commits.push(commit);
    return commits;
  }

  return { events, changed, sharedCommits };
}

/** The sequence of a subject's last message, 0 without one. */
async function lastOf(manager: Pick<JetStreamManager, 'streams'>, stream: string, subject: string): Promise<number> {
  return (await manager.streams.getMessage(stream, { last_by_subj: subject }))?.seq ?? 0;
}
