/**
 * Checks the invariants of the log as each message is stored (I1, I3, I4, I5), and those of the published changes (I7).
 * They hold through every failure of the writers. A violation throws.
 */
import type { FeedChange } from '@parterre/shared/protocol/feed-change';
import type { EpochRecord } from '@parterre/shared/protocol/journal/heads';
import { groupsOf, headOf, readGroup } from '@parterre/shared/protocol/journal/messages';
import type { EventGroup } from '@parterre/shared/protocol/records';
import { feedWatchedMs } from '@parterre/shared/runtime/feed-watch';
import { count } from '../tally.ts';
import type { Stored } from '../world/log.ts';
import type { EventHistory } from './history.ts';

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
  /** The tenure in which a commit was stored, and the time of its first group, by the commit's sequence. */
  readonly #commits = new Map<number, { tenure: number; at: number }>();
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

  /** Takes a stored message and returns it in words; null for the further records of a fence. */
  take({ sequence, subject, payload }: Stored): string | null {
    const head = headOf(payload);
    if ('owner' in head) return this.#takeEpoch(sequence, head);
    const name = `${this.#partition}/${sequence}: commit ${head.epoch}.${head.n}`;
    if (this.#barrier) throw new Error(`${name} follows a record of epoch ${this.#barrier.epoch}`);
    if (head.epoch !== this.epoch) throw new Error(`${name} follows the fence of epoch ${this.epoch}`);
    if (head.n !== this.#n + 1) throw new Error(`${name} follows commit ${this.#n}`);
    this.#n = head.n;
    const groups = groupsOf(subject, payload).map(({ eventKey, data }) => ({ eventKey, group: readGroup(data) }));
    this.#commits.set(sequence, { tenure: this.#tenure, at: groups[0]!.group.at });
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

  #takeEpoch(sequence: number, record: EpochRecord): string | null {
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
    if (!fence || fence.left === 0) this.#complete(name, record, goesOn);
    return goesOn === null || fence?.left === 0 ? name : null;
  }

  /** From here on this owner may append. Its epoch is the highest, and the records of a fence are consecutive. */
  #complete(name: string, { epoch, owner, fence }: EpochRecord, left: number | null): void {
    if (epoch <= this.epoch) throw new Error(`${name} follows ${this.epoch}`);
    if (fence && left !== 1) throw new Error(`${name} ends a fence of which something is missing`);
    if (this.owner !== owner || this.#wasReleased) this.#tenure++;
    this.#wasReleased = false;
    this.epoch = epoch;
    this.owner = owner;
    this.#n = 0;
    this.#barrier = null;
  }

  /**
   * I7. An owner that goes on publishes every change, also a change that it learned late was stored. Nobody may have
   * watched the event at a change that is old (shared/src/runtime/feed-watch.ts).
   */
  changeTold(eventKey: string, change: FeedChange, mayBeLost: boolean): void {
    this.#histories.get(eventKey)!.changeTold(change);
    this.#told.add(change.to);
    const before = this.#commits.get(change.from);
    const after = this.#commits.get(change.to);
    const isDue = before && before.tenure === after?.tenure && change.at - before.at < feedWatchedMs;
    if (isDue && !mayBeLost && !this.#told.has(change.from)) {
      throw new Error(`the change of ${eventKey} to ${change.from} is never told, the one to ${change.to} is`);
    }
  }
}
