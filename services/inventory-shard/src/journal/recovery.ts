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
 * A snapshot, an owner's memory and the catalog are evidence (I9): the event is loaded only where the journal has the
 * part that they name. A catalog that does not answer is waited for only where the stream lacks messages that somebody
 * knew. A difference is read again for `lossCertainMs`, since a deposed leader may
 * answer a read. Each part carries the event's link: a part that does not follow the state is a gap. A gap behind a
 * snapshot is tried over the whole journal, and a gap there is read again for `lossCertainMs` with new consumers: one
 * copy of a stream may have a message that its server cannot read any more and skips, while the others have the
 * message. A gap that stays is a loss.
 *
 * A loss that the operator has accepted is none (accepted-losses.ts, parts-fold.ts). Evidence of the lost history is
 * passed over. `salvage` reads the same for the operator's decision (salvage.ts).
 *
 * Failure while the journal streams in: the link is lost, and no message comes (journal-reader.ts). Then the load
 * fails, and its caller tries again (I8). The load also fails when the catalog cannot give a plan that a group names:
 * an event that changed its chart needs the plan of every folded group.
 */
import type { JetStreamManager } from '@nats-io/jetstream';
import type { PlanSource } from '@parterre/shared/charts/plans/plans';
import { Fault } from '@parterre/shared/protocol/errors';
import { type Link, linkOf } from '@parterre/shared/protocol/journal/links';
import { linkAfter, readPartHead } from '@parterre/shared/protocol/journal/messages';
import type { Part } from '@parterre/shared/protocol/records';
import { eventKeyOf, names, subjects } from '@parterre/shared/protocol/subjects';
import { systemClock } from '@parterre/shared/runtime/clock';
import type { EventState } from '../rules/state/state.ts';
import { fromSnapshotInSteps } from '../rules/turn/turn.ts';
import { nothingAccepted } from './accepted-losses.ts';
import { nothingCounted } from './counted-evidence.ts';
import { judgeOf, type LossPorts, untilCertain, witnessesOf } from './evidence-judge.ts';
import { groupsOfEvent, type SpanReader, sharedCommitsIn } from './journal-reader.ts';
import { type LostHistory, lostHistoryOf, type SalvagedEvent } from './lost-history.ts';
import { LostRecords, Remembered } from './lost-records.ts';
import {
  type Folded,
  foldParts,
  type Index,
  lastOf,
  type PartsSource,
  type Replayed,
  unfinished,
} from './parts-fold.ts';
import { salvageOf } from './salvage.ts';
import type { ReadCommit } from './shared-parts.ts';
import { inSlices, type Turn } from './slices.ts';
import type { SnapshotStore } from './snapshots/snapshots.ts';

/**
 * `storedVersion`: the sequence of the snapshot under the state, 0 without a snapshot. `replayed`: the groups that were
 * folded behind that snapshot. `link`: the event's link behind the state's last part.
 */
export type LoadedEvent = { state: EventState; link: Link; storedVersion: number; replayed: Replayed };

/** An event, and either the number of groups in its journal or the sequence of its last group. */
export type JournaledEvent = { eventKey: string } & ({ groups: number } | { sequence: number });

export type EventLoader = {
  /**
   * The state folded from the event's whole journal, or null without a journal. Throws when the journal cannot be read.
   * `from` is an earlier result, which is folded on.
   */
  load(eventKey: string, from?: LoadedEvent): Promise<LoadedEvent | null>;
  /** For an event that is not loaded. Takes at least `lossCertainMs` where evidence and journal differ. */
  salvage(eventKey: string): Promise<SalvagedEvent>;
  /** The history that a salvaged event lost. Its parts are folded into the salvaged state. Throws without a catalog. */
  lostHistory(eventKey: string, salvaged: SalvagedEvent): Promise<LostHistory>;
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

export function createEventLoader(
  reader: SpanReader,
  manager: Pick<JetStreamManager, 'streams'>,
  snapshots: SnapshotStore,
  plans: PlanSource,
  partition: number,
  turn: Turn,
  shared: Index | null = null,
  losses: LossPorts = {
    clock: systemClock,
    remembered: new Remembered(),
    counted: nothingCounted,
    accepted: nothingAccepted,
  },
): EventLoader {
  const stream = names.journalStream(partition);
  const { clock, remembered, counted } = losses;
  const judge = judgeOf(manager, stream, losses);
  const source: PartsSource = { reader, manager, partition, plans, turn, shared };
  const replay = replayOf(source);
  const salvage = salvageOf(source, snapshots, losses, judge);
  const { askCatalog, askMemory } = witnessesOf(losses, partition, judge);
  const replayWhole = async (eventKey: string, ...ends: [ownLast: number, behind: readonly number[]]) => {
    const replayed = await untilCertain(clock, () => replay(eventKey, null, ...ends));
    return { ...replayed, storedVersion: 0 };
  };

  /** Asks at the same time for the journal's end, the snapshot, the plan that it names, and the catalog's last part. */
  async function load(eventKey: string, from?: LoadedEvent): Promise<LoadedEvent | null> {
    const own = untilCertain(clock, () => lastOfEvent(manager, partition, eventKey));
    const ends = Promise.all([own, shared?.of(eventKey) ?? []]);
    // A load that fails before it needs the ends must leave no rejection behind.
    ends.catch(() => {});
    const isKept = await askMemory(eventKey, from);
    // An earlier load may have begun before somebody knew that the stream is short.
    if (from && isKept && !remembered.isShort(partition)) return foldOn(eventKey, from, ...(await ends));
    const known = askCatalog(eventKey);
    known.catch(() => {});
    // The plan is asked for early. A failure shows where the plan is needed, below.
    const stored = await snapshots.load(eventKey, {
      judge: ({ sequence, link }) => judge(eventKey, { source: 'snapshot', sequence, link }),
      willNeed: (planHash) => void plans(planHash).catch(() => {}),
    });
    const [ownLast, behind] = await ends;
    await known;
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
  const lostHistory: EventLoader['lostHistory'] = async (eventKey, salvaged) =>
    lostHistoryOf({ plans, turn }, eventKey, salvaged, await counted.all(eventKey, partition));
  return { load, salvage, lostHistory, anchorOf, prepared: () => [], ...createEventLists(reader, manager, partition) };
}

type Replayer = (
  eventKey: string,
  from: Folded | null,
  ownLast: number,
  behind: readonly number[],
) => Promise<Folded & { replayed: Replayed }>;

/** The result throws `LostRecords` at a gap that no operator has accepted. */
function replayOf(source: PartsSource): Replayer {
  const { shared } = source;
  return async (eventKey, from, ownLast, behind) => {
    const { state, link, origin, replayed, gap, left } = await foldParts(source, eventKey, from, { ownLast, behind });
    if (gap) throw gap;
    if (left > 0) throw unfinished(eventKey, origin);
    const last = Math.max(ownLast, behind.at(-1) ?? 0, shared ? 0 : (state?.version ?? 0));
    if (state?.version !== last) throw new Fault(`replay ${eventKey} to sequence ${last}`);
    assertCertain(shared, eventKey, last);
    return { state, link, replayed };
  };
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
): Omit<EventLoader, 'load' | 'salvage' | 'lostHistory' | 'anchorOf' | 'prepared'> {
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
