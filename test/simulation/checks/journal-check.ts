/**
 * Checks the invariants of the log as each message is stored (I1, I3, I4, I5), and those of the published changes (I7).
 * They hold through every failure of the writers. A violation throws.
 */
import type { FeedChange } from '@parterre/shared/protocol/feed-change';
import type { EpochRecord } from '@parterre/shared/protocol/journal/heads';
import { groupsOf, headOf, readGroup } from '@parterre/shared/protocol/journal/messages';
import type { EventGroup } from '@parterre/shared/protocol/records';
import { feedWatchedMs } from '@parterre/shared/runtime/feed-watch';
import { SECOND_MS } from '@parterre/shared/runtime/units';
import { count } from '../tally.ts';
import type { Stored } from '../world/log.ts';
import type { EventHistory } from './history.ts';

/**
 * An owner counts each of its events as watched for `feedWatchedMs` (shared/src/runtime/feed-watch.ts) at least, from
 * the beginning of its tenure on. Clocks that drift and a slow fence take a part of this time.
 */
const surelyWatchedMs = feedWatchedMs - 15 * SECOND_MS;

export class JournalCheck {
  /** The epoch of the last complete fence. */
  epoch = 0;
  /** The owner that made it. */
  owner = '';
  readonly #partition: number;
  readonly #histories: Map<string, EventHistory>;
  #n = 0;
  #wasReleased = false;
  #tenure = 0;
  #tenureBeganAt = 0;
  /** By sequence: the tenure in which a commit was stored, and whether its events surely counted as watched. */
  readonly #commits = new Map<number, { tenure: number; isWatched: boolean }>();
  readonly #told = new Set<number>();
  /** A record that no group may follow: a release of the partition, or an incomplete fence. */
  #barrier: EpochRecord | null = null;
  readonly #checkTime: (group: EventGroup) => void;
  readonly #moments: Map<string, number>;

  constructor(
    partition: number,
    histories: Map<string, EventHistory>,
    checkTime: (group: EventGroup) => void,
    moments: Map<string, number>,
  ) {
    this.#moments = moments;
    this.#partition = partition;
    this.#histories = histories;
    this.#checkTime = checkTime;
  }

  /**
   * Takes a message that was stored at `now`, in milliseconds of true time. Returns the message in words; null for the
   * further records of a fence.
   */
  take({ sequence, subject, payload }: Stored, now: number): string | null {
    const head = headOf(payload);
    if ('owner' in head) return this.#takeEpoch(sequence, head, now);
    const name = `${this.#partition}/${sequence}: commit ${head.epoch}.${head.n}`;
    if (this.#barrier) throw new Error(`${name} follows a record of epoch ${this.#barrier.epoch}`);
    if (head.epoch !== this.epoch) throw new Error(`${name} follows the fence of epoch ${this.epoch}`);
    if (head.n !== this.#n + 1) throw new Error(`${name} follows commit ${this.#n}`);
    this.#n = head.n;
    const groups = groupsOf(subject, payload).map(({ eventKey, data }) => ({ eventKey, group: readGroup(data) }));
    this.#commits.set(sequence, { tenure: this.#tenure, isWatched: now - this.#tenureBeganAt < surelyWatchedMs });
    if (new Set(groups.map(({ eventKey }) => eventKey)).size !== groups.length)
      throw new Error(`${name} repeats an event`);
    if (groups.length > 1) count(this.#moments, 'a commit of several events');
    return `${name}: ${groups.map(({ eventKey, group }) => this.#takeGroup(eventKey, group, sequence)).join('; ')}`;
  }

  #takeGroup(eventKey: string, group: EventGroup, sequence: number): string {
    if (group.records.length === 0) count(this.#moments, 'an anchor without records');
    this.#checkTime(group);
    this.#histories.get(eventKey)!.take(group, sequence);
    return `${eventKey}: ${group.records.map(({ type, by }) => `${type} by ${by.actor ?? by.source}`).join(', ')}`;
  }

  #takeEpoch(sequence: number, record: EpochRecord, now: number): string | null {
    const { epoch, owner, released, fence } = record;
    const name = `${this.#partition}/${sequence}: epoch ${epoch} of ${owner}`;
    const before = this.#barrier;
    if (released) {
      if (before || epoch !== this.epoch || owner !== this.owner) throw new Error(`${name} is not its to release`);
      this.#barrier = record;
      this.#wasReleased = true;
      return `${name} is released`;
    }
    const goesOn = before?.fence && before.epoch === epoch && before.owner === owner ? before.fence.left : null;
    this.#barrier = record;
    if (!fence || fence.left === 0) this.#complete(name, record, goesOn, now);
    return goesOn === null || fence?.left === 0 ? name : null;
  }

  /** From here on this owner may append. Its epoch is the highest, and the records of a fence are consecutive. */
  #complete(name: string, { epoch, owner, fence }: EpochRecord, left: number | null, now: number): void {
    if (epoch <= this.epoch) throw new Error(`${name} follows ${this.epoch}`);
    if (fence && left !== 1) throw new Error(`${name} ends a fence of which something is missing`);
    if (this.owner !== owner || this.#wasReleased) {
      this.#tenure++;
      this.#tenureBeganAt = now;
    }
    this.#wasReleased = false;
    this.epoch = epoch;
    this.owner = owner;
    this.#n = 0;
    this.#barrier = null;
  }

  /**
   * I7. An owner that goes on publishes every change of a watched event, also a change that it learned late was stored.
   * A change of an unwatched event is not published. The changes behind that change are published again when the event
   * is used anew, since a new actor counts as watched.
   */
  changeTold(eventKey: string, change: FeedChange, mayBeLost: boolean): void {
    this.#histories.get(eventKey)!.changeTold(change);
    this.#told.add(change.to);
    const before = this.#commits.get(change.from);
    const isDue = before?.isWatched && before.tenure === this.#commits.get(change.to)?.tenure;
    if (isDue && !mayBeLost && !this.#told.has(change.from)) {
      throw new Error(`the change of ${eventKey} to ${change.from} is never told, the one to ${change.to} is`);
    }
  }
}
