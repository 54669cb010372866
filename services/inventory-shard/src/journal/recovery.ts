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
 * A snapshot and an owner's memory are evidence (I9): the event is loaded only where the journal has the part that they
 * name. A difference is read again for `lossCertainMs`, since a deposed leader may answer a read. Each part carries the
 * event's link: a part that does not follow the state is a gap. A gap behind a snapshot is tried over the whole
 * journal. A gap there is read again for `lossCertainMs` with new consumers: one copy of a stream may have a message
 * that its server cannot read any more and skips, while the others have the message. A gap that stays is a loss.
 *
 * Failure while the journal streams in: the link is lost, and no message comes (journal-reader.ts). Then the load
 * fails, and its caller tries again (I8). The load also fails when the catalog cannot give a plan that a group names:
 * an event that changed its chart needs the plan of every folded group.
 */
import type { JetStreamManager } from '@nats-io/jetstream';
import type { Plan } from '@parterre/shared/charts/plan';
import type { PlanSource } from '@parterre/shared/charts/plans/plans';
import { Fault } from '@parterre/shared/protocol/errors';
import { isSameLink, type Link, linkOf } from '@parterre/shared/protocol/journal/links';
import { groupsOf, linkAfter, readGroup, readPartHead } from '@parterre/shared/protocol/journal/messages';
import { lossCertainMs, retryPauseMs, retryPauseMsMax } from '@parterre/shared/protocol/limits';
import type { EventGroup, Part } from '@parterre/shared/protocol/records';
import { eventKeyOf, names, subjects } from '@parterre/shared/protocol/subjects';
import { type Clock, pause, systemClock } from '@parterre/shared/runtime/clock';
import { type EventState, newState } from '../rules/state/state.ts';
import { foldGroupInSteps, fromSnapshotInSteps } from '../rules/turn/turn.ts';
import { groupsOfEvent, type PlacedData, SharedReading, type SpanReader, sharedCommitsIn } from './journal-reader.ts';
import { type Evidence, LostRecords, Remembered } from './lost-records.ts';
import type { ReadCommit, SharedParts } from './shared-parts.ts';
import { inSlices, laterTurn, type Turn } from './slices.ts';
import type { SnapshotStore } from './snapshots/snapshots.ts';

/**
 * `storedVersion`: the sequence of the snapshot under the state, 0 without a snapshot. `replayed`: the groups that were
 * folded behind that snapshot. `link`: the event's link behind the state's last part.
 */
export type LoadedEvent = { state: EventState; link: Link; storedVersion: number; replayed: Replayed };

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

/** Evidence of this process, and the clock of repeated reads. */
export type LossPorts = { clock: Clock; remembered: Remembered };

type Index = Pick<SharedParts, 'of' | 'anchored' | 'unreadable'>;

export function createEventLoader(
  reader: SpanReader,
  manager: Pick<JetStreamManager, 'streams'>,
  snapshots: SnapshotStore,
  plans: PlanSource,
  partition: number,
  turn: Turn,
  shared: Index | null = null,
  { clock, remembered }: LossPorts = { clock: systemClock, remembered: new Remembered() },
): EventLoader {
  const stream = names.journalStream(partition);
  const judge = judgeOf(manager, stream, clock);
  const replay = replayOf({ reader, manager, plans, turn, shared }, partition);
  const replayWhole = async (eventKey: string, ...ends: [ownLast: number, behind: readonly number[]]) => {
    const replayed = await untilCertain(clock, () => replay(eventKey, null, ...ends));
    return { ...replayed, storedVersion: 0 };
  };

  /** Asks at the same time for the journal's end, the snapshot, and the plan that the snapshot names. */
  async function load(eventKey: string, from?: LoadedEvent): Promise<LoadedEvent | null> {
    const own = untilCertain(clock, () => lastOfEvent(manager, partition, eventKey));
    const ends = Promise.all([own, shared?.of(eventKey) ?? []]);
    // A load that fails before it needs the ends must leave no rejection behind.
    ends.catch(() => {});
    if (from) return foldOn(eventKey, from, ...(await ends));
    // The plan is asked for early. A failure shows where the plan is needed, below.
    const stored = await snapshots.load(eventKey, {
      judge: ({ sequence, link }) => judge(eventKey, { source: 'snapshot', sequence, link }),
      willNeed: (planHash) => void plans(planHash).catch(() => {}),
    });
    const memory = remembered.of(eventKey);
    if (memory) await judge(eventKey, memory);
    const [ownLast, behind] = await ends;
    if (ownLast === 0) return null;
    shared?.anchored(eventKey, ownLast);
    if (!stored) return replayWhole(eventKey, ownLast, behind);
    const { snapshot, link } = stored;
    const state = await inSlices(turn, fromSnapshotInSteps(snapshot, await plans(snapshot.config.planHash)));
    try {
      return { ...(await replay(eventKey, { state, link }, ownLast, behind)), storedVersion: snapshot.version };
    } catch (error) {
      if (!(error instanceof LostRecords)) throw error;
      return replayWhole(eventKey, ownLast, behind);
    }
  }

  async function foldOn(
    eventKey: string,
    from: LoadedEvent,
    ownLast: number,
    behind: readonly number[],
  ): Promise<LoadedEvent> {
    shared?.anchored(eventKey, ownLast);
    const { state, link, replayed } = await replay(eventKey, from, ownLast, behind);
    const groups = from.replayed.groups + replayed.groups;
    return { ...from, state, link, replayed: { groups, bytes: from.replayed.bytes + replayed.bytes } };
  }

  const anchorOf = anchorsOf(reader, manager, partition, shared);
  return { load, anchorOf, prepared: () => [], ...createEventLists(reader, manager, partition) };
}

type Judge = (eventKey: string, evidence: Evidence) => Promise<void>;

/** The result throws `LostRecords` where the journal does not have the part that the evidence names. */
function judgeOf(manager: Pick<JetStreamManager, 'streams'>, stream: string, clock: Clock): Judge {
  /** The event's link behind its part at this sequence; null where the event has no part there. */
  async function linkAt(eventKey: string, sequence: number): Promise<Link | null> {
    const message = await manager.streams.getMessage(stream, { seq: sequence });
    const part = message && groupsOf(message.subject, message.data).find((group) => group.eventKey === eventKey);
    return part ? linkAfter(part.data) : null;
  }

  return async (eventKey, evidence) => {
    const certainAt = clock.elapsed() + lossCertainMs;
    for (;;) {
      const link = await linkAt(eventKey, evidence.sequence);
      if (link && isSameLink(link, evidence.link)) return;
      if (clock.elapsed() >= certainAt) throw new LostRecords(eventKey, evidence);
      await pause(clock, retryPauseMs);
    }
  };
}

/** Reads again, with growing pauses, while the journal seems to have lost records. */
async function untilCertain<T>(clock: Clock, read: () => Promise<T>): Promise<T> {
  const certainAt = clock.elapsed() + lossCertainMs;
  for (let pauseMs = retryPauseMs; ; pauseMs = Math.min(2 * pauseMs, retryPauseMsMax)) {
    try {
      return await read();
    } catch (error) {
      if (!(error instanceof LostRecords) || clock.elapsed() >= certainAt) throw error;
    }
    await pause(clock, pauseMs);
  }
}

type ReplayPorts = {
  reader: SpanReader;
  manager: Pick<JetStreamManager, 'streams'>;
  plans: PlanSource;
  turn: Turn;
  shared: Index | null;
};

type Replayer = (
  eventKey: string,
  from: Pick<LoadedEvent, 'state' | 'link'> | null,
  ownLast: number,
  behind: readonly number[],
) => Promise<Pick<LoadedEvent, 'state' | 'link' | 'replayed'>>;

/** The result folds the journal behind a state. `behind`: the event's known shared parts. */
function replayOf({ reader, manager, plans, turn, shared }: ReplayPorts, partition: number): Replayer {
  const stream = names.journalStream(partition);
  return async (eventKey, from, ownLast, behind) => {
    const replayed = { groups: 0, bytes: 0 };
    let state = from?.state ?? null;
    let link = from?.link ?? linkOf(eventKey);
    async function fold({ sequence, data }: PlacedData): Promise<void> {
      if (turn.isOver()) await laterTurn(turn);
      const group = readGroup(data);
      if (state && group.from > state.version) await foldShared(state.version + 1, group.from);
      const plan = state?.plan.hash === group.plan ? state.plan : await plans(group.plan);
      state ??= begin(group, eventKey, plan);
      if (group.from !== state.version || !isSameLink(group.link, link)) {
        throw new LostRecords(eventKey, { source: 'chain', sequence, link });
      }
      const steps = foldGroupInSteps(state, group, sequence, plan);
      while (!steps.next().done) if (turn.isOver()) await laterTurn(turn);
      link = linkAfter(data);
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
      return { state, link, replayed };
    } finally {
      await reading.end();
    }
  };
}

function begin(group: EventGroup, eventKey: string, plan: Plan): EventState {
  const first = group.records[0];
  if (first?.type !== 'created') throw new Fault(`replay ${eventKey}: its first record is not a created record`);
  return newState(first.config, plan);
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
      return { ...readPartHead(data), from: last, link: linkAfter(data) };
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

/**
 * The sequence of the event's last message on its own subject, 0 without one. NATS answers a last message that it
 * cannot read like a subject without messages, and still counts it. Such an event is not a new one.
 */
async function lastOfEvent(
  manager: Pick<JetStreamManager, 'streams'>,
  partition: number,
  eventKey: string,
): Promise<number> {
  const stream = names.journalStream(partition);
  const subject = subjects.journal(partition, eventKey);
  const last = await lastOf(manager, stream, subject);
  if (last > 0) return last;
  const { state } = await manager.streams.info(stream, { subjects_filter: subject });
  const count = state.subjects?.[subject] ?? 0;
  if (count > 0) throw new LostRecords(eventKey, { source: 'end', sequence: state.last_seq, link: linkOf(eventKey) });
  return 0;
}

/** The sequence of a subject's last message, 0 without one. */
async function lastOf(manager: Pick<JetStreamManager, 'streams'>, stream: string, subject: string): Promise<number> {
  return (await manager.streams.getMessage(stream, { last_by_subj: subject }))?.seq ?? 0;
}
