/**
 * Folds the parts of one event into its state: those of its own subject, and those of shared commits between them.
 *
 * Each part carries the event's link (I9): a part that does not follow the state is a gap. The parts behind a gap are
 * passed over, up to the part that follows the state before the gap and begins with an `accepted` or `restored` record,
 * or with `created` where nothing was left.
 */
import type { JetStreamManager } from '@nats-io/jetstream';
import type { PlanSource } from '@parterre/shared/charts/plans/plans';
import { isSameLink, type Link, linkFromText, linkOf } from '@parterre/shared/protocol/journal/links';
import { followsGap, linkAfter, readGroup } from '@parterre/shared/protocol/journal/messages';
import type { EventGroup, LinkedGroup } from '@parterre/shared/protocol/records';
import { names, subjects } from '@parterre/shared/protocol/subjects';
import type { EventState } from '../rules/state/state.ts';
import { foldGroupInSteps } from '../rules/turn/turn.ts';
import { groupsOfEvent, MissingPart, type PlacedData, SharedReading, type SpanReader } from './journal-reader.ts';
import { beginState, type EventPlace, type SalvagedEvent } from './lost-history.ts';
import { LostRecords } from './lost-records.ts';
import type { SharedParts } from './shared-parts.ts';
import { laterTurn, type Turn } from './slices.ts';

export type Replayed = { groups: number; bytes: number };

export type Folded = { state: EventState; link: Link };

/** `gap`: at the first part that does not follow. `passedOver`: the parts from there on. */
export type PartsFold = Pick<SalvagedEvent, 'state' | 'link' | 'origin' | 'passedOver'> & {
  replayed: Replayed;
  gap: LostRecords | null;
  /** The parts that a begun restoration has not written yet. */
  left: number;
};

export type Index = Pick<SharedParts, 'of' | 'anchored' | 'unreadable'>;

/** The parts of a partition's events, and the plans to fold them on. */
export type PartsSource = {
  reader: SpanReader;
  manager: Pick<JetStreamManager, 'streams'>;
  partition: number;
  plans: PlanSource;
  turn: Turn;
  shared: Index | null;
};

/** The event's last message on its own subject, and its known shared parts. */
export type PartsEnd = { ownLast: number; behind: readonly number[] };

/** Folds the event's parts behind `from`, and passes over those behind a gap that nobody has accepted. */
export async function foldParts(
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

export function unfinished(eventKey: string, { version, link }: EventPlace): LostRecords {
  return new LostRecords(eventKey, { source: 'restoration', sequence: version, link });
}

/** A restored part stands for the lost part. */
function originOf({ records: [first] }: EventGroup, own: EventPlace): EventPlace {
  if (first?.type !== 'restored' || first.link === undefined) return own;
  return { version: first.sequence, link: linkFromText(first.link) ?? own.link };
}

/** The sequence of a subject's last message, 0 without one. */
export async function lastOf(
  manager: Pick<JetStreamManager, 'streams'>,
  stream: string,
  subject: string,
): Promise<number> {
  return (await manager.streams.getMessage(stream, { last_by_subj: subject }))?.seq ?? 0;
}
