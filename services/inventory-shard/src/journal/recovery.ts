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
 * name. So is the catalog's last part of the event, where the journal has nothing of the event, and where the
 * stream lacks messages that somebody knew. A difference is read again for `lossCertainMs`, since a deposed leader may
 * answer a read. Each part carries the event's link: a part that does not follow the state is a gap. A gap behind a
 * snapshot is tried once more over the whole journal; a gap there is a loss.
 *
 * A loss that the operator has accepted is none (accepted-losses.ts). Evidence of the lost history is passed over. So
 * are the parts behind a gap, up to the part that follows the state before the gap and begins with an `accepted` or
 * `restored` record, or with `created` where nothing was left. `salvage` reads the same for the operator's decision,
 * and stops at the gap.
 *
 * Failure while the journal streams in: the link is lost, and no message comes (journal-reader.ts). Then the load
 * fails, and its caller tries again (I8). The load also fails when the catalog cannot give a plan that a group names:
 * an event that changed its chart needs the plan of every folded group.
 */
import type { JetStreamManager } from '@nats-io/jetstream';
import type { PlanSource } from '@parterre/shared/charts/plans/plans';
import type { CountedPart } from '@parterre/shared/protocol/catalog/history';
import { Fault } from '@parterre/shared/protocol/errors';
import { isSameLink, type Link, linkFromText, linkOf } from '@parterre/shared/protocol/journal/links';
import { followsGap, groupsOf, linkAfter, readGroup, readPartHead } from '@parterre/shared/protocol/journal/messages';
import { lossCertainMs, retryPauseMs } from '@parterre/shared/protocol/limits';
import type { EventGroup, LinkedGroup, Part } from '@parterre/shared/protocol/records';
import { eventKeyOf, names, subjects } from '@parterre/shared/protocol/subjects';
import { type Clock, pause, systemClock } from '@parterre/shared/runtime/clock';
import type { EventState } from '../rules/state/state.ts';
import { foldGroupInSteps, fromSnapshotInSteps } from '../rules/turn/turn.ts';
import { type AcceptedLosses, nothingAccepted } from './accepted-losses.ts';
import { type CountedParts, nothingCounted } from './counted-evidence.ts';
import {
  groupsOfEvent,
  MissingPart,
  type PlacedData,
  SharedReading,
  type SpanReader,
  sharedCommitsIn,
} from './journal-reader.ts';
import { beginState, type EventPlace, type LostHistory, lostHistoryOf, type SalvagedEvent } from './lost-history.ts';
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

/** Evidence of this process and of the catalog, and the clock of repeated reads. */
export type LossPorts = { clock: Clock; remembered: Remembered; counted: CountedParts; accepted: AcceptedLosses };

type Folded = { state: EventState; link: Link };

/** `gap`: at the first part that does not follow. `passedOver`: the parts from there on. */
type PartsFold = Pick<SalvagedEvent, 'state' | 'link' | 'origin' | 'passedOver'> & {
  replayed: Replayed;
  gap: LostRecords | null;
  /** The parts that a begun restoration has not written yet. */
  left: number;
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
  losses: LossPorts = {
    clock: systemClock,
    remembered: new Remembered(),
    counted: nothingCounted,
    accepted: nothingAccepted,
  },
): EventLoader {
  const stream = names.journalStream(partition);
  const { remembered, counted } = losses;
  const judge = judgeOf(manager, stream, losses);
  const source: PartsSource = { reader, manager, partition, plans, turn, shared };
  const replay = replayOf(source);
  const salvage = salvageOf(source, snapshots, losses, judge);

  /** Asks at the same time for the journal's end, the snapshot, and the plan that the snapshot names. */
  async function load(eventKey: string, from?: LoadedEvent): Promise<LoadedEvent | null> {
    const own = lastOf(manager, stream, subjects.journal(partition, eventKey));
    const ends = Promise.all([own, shared?.of(eventKey) ?? []]);
    // A load that fails before it needs the ends must leave no rejection behind.
    ends.catch(() => {});
    // An earlier load may have begun before somebody knew that the stream is short.
    if (from && !remembered.isShort(partition)) return foldOn(eventKey, from, ...(await ends));
    // The plan is asked for early. A failure shows where the plan is needed, below.
    const stored = await snapshots.load(eventKey, {
      judge: ({ sequence, link }) => judge(eventKey, { source: 'snapshot', sequence, link }),
      willNeed: (planHash) => void plans(planHash).catch(() => {}),
    });
    const memory = remembered.of(eventKey);
    if (memory && !(await judge(eventKey, memory))) remembered.forget(eventKey);
    const [ownLast, behind] = await ends;
    const isNew = ownLast === 0;
    if (isNew || remembered.isShort(partition)) await judgeCounted(eventKey);
    if (isNew) return null;
    shared?.anchored(eventKey, ownLast);
    if (!stored) return { ...(await replay(eventKey, null, ownLast, behind)), storedVersion: 0 };
    const { snapshot, link } = stored;
    const state = await inSlices(turn, fromSnapshotInSteps(snapshot, await plans(snapshot.config.planHash)));
    try {
      return { ...(await replay(eventKey, { state, link }, ownLast, behind)), storedVersion: snapshot.version };
    } catch (error) {
      if (!(error instanceof LostRecords)) throw error;
      return { ...(await replay(eventKey, null, ownLast, behind)), storedVersion: 0 };
    }
  }

  /** A whole stream is served also while the catalog does not answer. */
  async function judgeCounted(eventKey: string): Promise<void> {
    const asked = counted.last(eventKey);
    const last = await (remembered.isShort(partition) ? asked : asked.catch(() => null));
    if (last) await judge(eventKey, evidenceOf(last));
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
    lostHistoryOf({ plans, turn }, eventKey, salvaged, await counted.all(eventKey));
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

/** The parts of a partition's events, and the plans to fold them on. */
type PartsSource = {
  reader: SpanReader;
  manager: Pick<JetStreamManager, 'streams'>;
  partition: number;
  plans: PlanSource;
  turn: Turn;
  shared: Index | null;
};

/** The event's last message on its own subject, and its known shared parts. */
type PartsEnd = { ownLast: number; behind: readonly number[] };

/**
 * True where the journal has the part that the evidence names, false where the operator has accepted the loss. Throws
 * `LostRecords` otherwise.
 */
type Judge = (eventKey: string, evidence: Evidence) => Promise<boolean>;

function judgeOf(
  manager: Pick<JetStreamManager, 'streams'>,
  stream: string,
  { clock, accepted }: Pick<LossPorts, 'clock' | 'accepted'>,
): Judge {
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
      if (link && isSameLink(link, evidence.link)) return true;
      if ((await accepted.upTo(eventKey)) >= evidence.sequence) return false;
      if (clock.elapsed() >= certainAt) throw new LostRecords(eventKey, evidence);
      await pause(clock, retryPauseMs);
    }
  };
}

function evidenceOf({ sequence, data }: CountedPart): Evidence {
  return { source: 'catalog', sequence, link: linkAfter(data) };
}

function salvageOf(
  source: PartsSource,
  snapshots: SnapshotStore,
  { remembered, counted }: LossPorts,
  judge: Judge,
): EventLoader['salvage'] {
  const { manager, partition, shared } = source;
  const stream = names.journalStream(partition);
  return async (eventKey) => {
    const lost: Evidence[] = [];
    const lostTo: number[] = [];
    const weigh = async (evidence: Evidence): Promise<void> => {
      lostTo.push(evidence.sequence);
      await judge(eventKey, evidence).catch((error) => {
        if (!(error instanceof LostRecords)) throw error;
        lost.push(evidence);
      });
    };
    const memory = remembered.of(eventKey);
    const last = await counted.last(eventKey).catch(() => null);
    const weighed = Promise.all([memory && weigh(memory), last && weigh(evidenceOf(last))]);
    const stored = await snapshots.load(eventKey, {
      judge: ({ sequence, link }) => weigh({ source: 'snapshot', sequence, link }).then(() => true),
      willNeed: () => {},
    });
    await weighed;
    const subject = subjects.journal(partition, eventKey);
    const [ownLast, behind] = await Promise.all([lastOf(manager, stream, subject), shared?.of(eventKey) ?? []]);
    const fold = await foldParts(source, eventKey, null, { ownLast, behind });
    if (fold.gap) lost.push(fold.gap.evidence);
    if (fold.left > 0) lost.push(unfinished(eventKey, fold.origin).evidence);
    const { state, link, origin, passedOver } = fold;
    return { state, link, origin, lost, passedOver, stored, lostTo: Math.max(ownLast, behind.at(-1) ?? 0, ...lostTo) };
  };
}

/** Folds the event's parts behind `from`, and passes over those behind a gap that nobody has accepted. */
async function foldParts(
  { reader, manager, partition, plans, turn, shared }: PartsSource,
  eventKey: string,
  from: Folded | null,
  { ownLast, behind }: PartsEnd,
): Promise<PartsFold> {
  const stream = names.journalStream(partition);
  const fold: PartsFold = {
    state: from?.state ?? null,
    link: from?.link ?? linkOf(eventKey),
    origin: { version: from?.state.version ?? 0, link: from?.link ?? linkOf(eventKey) },
    replayed: { groups: 0, bytes: 0 },
    gap: null,
    left: 0,
    passedOver: [],
  };
  const version = (): number => fold.state?.version ?? 0;
  async function take({ sequence, data }: PlacedData): Promise<void> {
    if (turn.isOver()) await laterTurn(turn);
    const group = readGroup(data);
    if (!fold.gap && fold.state && group.from > version()) await takeShared(version() + 1, group.from);
    if (!follows(fold, group)) {
      fold.gap ??= new LostRecords(eventKey, { source: 'chain', sequence, link: fold.link });
      fold.passedOver.push({ sequence, data });
      return;
    }
    fold.gap = null;
    const plan = fold.state?.plan.hash === group.plan ? fold.state.plan : await plans(group.plan);
    fold.state ??= beginState(group, eventKey, plan);
    const steps = foldGroupInSteps(fold.state, group, sequence, plan);
    while (!steps.next().done) if (turn.isOver()) await laterTurn(turn);
    fold.link = linkAfter(data);
    fold.origin = originOf(group, { version: sequence, link: fold.link });
    fold.left = leftBehind(group);
    fold.replayed.groups++;
    fold.replayed.bytes += data.length;
  }
  const reading = new SharedReading(reader, stream, subjects.commits(partition), eventKey, (subject) =>
    lastOf(manager, stream, subject),
  );
  /** Folds the shared parts behind the state, from the sequence `first` to the part at `last`. */
  async function takeShared(first: number, last: number): Promise<void> {
    try {
      for await (const part of reading.read(version(), first, last)) await take(part);
    } catch (error) {
      // The part behind shows the gap.
      if (!(error instanceof MissingPart)) throw error;
    }
  }
  try {
    const first = version() + 1;
    const span = { stream, subject: subjects.journal(partition, eventKey), from: first, last: ownLast };
    if (ownLast >= first) for await (const group of groupsOfEvent(reader, span, eventKey)) await take(group);
    const last = Math.max(ownLast, behind.at(-1) ?? 0, shared ? 0 : version());
    // All parts behind the event's last message on its own subject are known, so nothing before the first is read.
    // A part that reopens an event has a message of its own.
    if (!fold.gap && version() < last) await takeShared(behind.find((sequence) => sequence > version())!, last);
    return fold;
  } finally {
    await reading.end();
  }
}

/** Behind a gap only a part follows that the operator's acceptance has written, or the event's new beginning. */
function follows({ state, link, gap }: PartsFold, group: LinkedGroup): boolean {
  if (group.from !== (state?.version ?? 0) || !isSameLink(group.link, link)) return false;
  return gap === null || followsGap(group.records);
}

function leftBehind({ records: [first] }: EventGroup): number {
  return first?.type === 'restored' ? first.left : 0;
}

function unfinished(eventKey: string, { version, link }: EventPlace): LostRecords {
  return new LostRecords(eventKey, { source: 'restoration', sequence: version, link });
}

/** A restored part stands for the lost part. */
function originOf({ records: [first] }: EventGroup, own: EventPlace): EventPlace {
  if (first?.type !== 'restored' || first.link === undefined) return own;
  return { version: first.sequence, link: linkFromText(first.link) ?? own.link };
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

/** The sequence of a subject's last message, 0 without one. */
async function lastOf(manager: Pick<JetStreamManager, 'streams'>, stream: string, subject: string): Promise<number> {
  return (await manager.streams.getMessage(stream, { last_by_subj: subject }))?.seq ?? 0;
}
