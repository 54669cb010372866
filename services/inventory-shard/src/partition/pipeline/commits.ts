/**
 * The commits of one partition that are not durable yet. A commit has the groups that the partition cut in one turn,
 * at most one of each event: its parts. The journal appends it as one message, so it lands or is lost as a whole (I4).
 *
 * States of a commit: open → in flight, by `append` → ended (pipeline.ts). A commit whose append throws stays in
 * flight: it may have been sent, and only the log behind the next fence can tell. A commit is open only within one run
 * of `pump`: nothing awaits meanwhile. Two parts are alone in their commit: the first part of an event, since an event
 * without a message on its own subject does not exist, and an anchor (journal/shared-parts.ts).
 */
import type { FeedChange } from '@parterre/shared/protocol/feed-change';
import type { Link } from '@parterre/shared/protocol/journal/links';
import { commitOverhead, type PackedGroup, partsMax } from '@parterre/shared/protocol/journal/messages';
import { appendWindow, groupBytesMax } from '@parterre/shared/protocol/limits';
import { tracing } from '@parterre/shared/runtime/tracing';
import type { FrozenSnapshot, Journal } from '../../journal/journal.ts';
import type { Actor, PendingReply } from '../actor.ts';
import { sharedCommitsInFlightMax } from '../bounds.ts';
import { type Decided, findIn } from '../certain-answers.ts';
import { type AppendSpans, beginAppend } from '../command-spans.ts';
import type { Places } from '../figures.ts';

/** The group of one event in a commit. `data` is encoded. */
export type PendingPart = PackedGroup & {
  /** The event's link behind the part. */
  link: Link;
  actor: Actor;
  /** Replies to the commands whose records are in the part. */
  replies: PendingReply[];
  /** Reads and refusals that were decided on the state after the part. */
  behind: Decided[];
  /** Null if no front door watches the event. */
  change: FeedChange | null;
  snapshot: FrozenSnapshot | null;
  /** The last reply waits for the snapshot. */
  archives: boolean;
  /** The part has a commit of its own. */
  isAlone: boolean;
  /** The places that the part holds, books and frees, for the metrics; null where it does none of these. */
  places: Places | null;
};

export type PendingCommit = {
  epoch: number;
  n: number;
  sequence: number;
  parts: PendingPart[];
  /** Of traced commands in the parts. */
  traced: AppendSpans | null;
};

export class Commits {
  readonly #journal: Journal;
  readonly #sharedInFlightMax: number;
  readonly #inFlight: PendingCommit[] = [];
  #open: PendingPart[] = [];
  #openBytes = 0;

  constructor(journal: Journal, sharedInFlightMax = sharedCommitsInFlightMax) {
    this.#journal = journal;
    this.#sharedInFlightMax = sharedInFlightMax;
  }

  /** The oldest commit in flight. */
  get oldest(): PendingCommit | undefined {
    return this.#inFlight[0];
  }

  /**
   * Whether a part may be cut. It may close the open commit and begin another: both need room in the window. Few
   * shared commits are in flight, so that the next commit gathers what comes meanwhile.
   */
  get hasRoom(): boolean {
    const { inFlight } = this.#journal;
    return this.#open.length > 0 ? inFlight + 2 <= appendWindow : inFlight < this.#sharedInFlightMax;
  }

  /** Whether the open commit cannot take this part. */
  isFullFor(actor: Actor, data: Uint8Array, isAlone: boolean): boolean {
    if (this.#open.length === 0) return false;
    return (
      isAlone ||
      this.#open.length >= partsMax ||
      this.#openBytes + data.length > groupBytesMax ||
      this.#open.some((part) => part.actor === actor)
    );
  }

  /** Whether the open commit takes no further part. */
  get isComplete(): boolean {
    return this.#open.length >= partsMax || this.#open[0]?.isAlone === true;
  }

  add(part: PendingPart): void {
    this.#open.push(part);
    this.#openBytes += part.data.length + commitOverhead.eachPart;
  }

  /** Appends a commit. Throws when the append may be half done. The commit is in flight all the same. */
  append(parts: PendingPart[]): void {
    const { epoch, nextNumber: n, nextSequence: sequence } = this.#journal;
    const traced = tracing === null ? null : beginAppend(tracing, sequence, parts);
    this.#inFlight.push({ epoch, n, sequence, parts, traced });
    this.#journal.append(parts, traced?.header);
  }

  /** The parts of the open commit, which is open no longer. */
  takeOpen(): PendingPart[] {
    const parts = this.#open;
    this.#open = [];
    this.#openBytes = 0;
    return parts;
  }

  /** The oldest commit in flight, which has ended. */
  shift(): PendingCommit | undefined {
    return this.#inFlight.shift();
  }

  /** The actor's last part that is not durable yet, or null. */
  lastOf(actor: Actor): PendingPart | null {
    if (actor.groupsInFlight === 0) return null;
    const inOpen = this.#open.find((part) => part.actor === actor);
    if (inOpen) return inOpen;
    for (let i = this.#inFlight.length - 1; i >= 0; i--) {
      const part = partOf(this.#inFlight[i]!, actor);
      if (part) return part;
    }
    return null;
  }

  /** Searches the answers that wait for this actor's parts. */
  find(actor: Actor, matches: (pending: PendingReply) => boolean): PendingReply | undefined {
    if (actor.groupsInFlight === 0) return undefined;
    for (const commit of this.#inFlight) {
      const part = partOf(commit, actor);
      const found = part && (part.replies.find(matches) ?? findIn(part.behind, matches));
      if (found) return found;
    }
    return undefined;
  }
}

/** All answers that wait for a part. */
export function repliesOf({ replies, behind }: PendingPart): PendingReply[] {
  return behind.length === 0 ? replies : [...replies, ...behind.flatMap((each) => each.replies)];
}

function partOf({ parts }: PendingCommit, actor: Actor): PendingPart | undefined {
  return parts.find((part) => part.actor === actor);
}
