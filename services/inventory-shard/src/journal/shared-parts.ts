/**
 * The shared parts of a partition that only this index finds: by event, the sequences of shared commits with a part of
 * the event.
 *
 * Each part names the version before it. A message on the event's own subject therefore shows every shared part before
 * it: the message is an anchor. Shared parts without an anchor stand behind the low-water mark. The mark is the last
 * sequence before the first part without an anchor, and each message of the second form repeats it (docs/journal.md).
 * When many bytes stand behind the mark, the event that holds the mark is `due`: its next part has a commit of its own.
 * A part without records does as well.
 *
 * States: new, before the fence → reading → known, when every shared commit between the mark and the fence has been
 * added → closed. In a log of the first form: new → none → closed. Loads wait for `known` or `none`. Commits of this term
 * wait until all is known. The mark rises only then. The reading can fail, and is repeated
 * (partition/actor-pool.ts).
 */
import { Fault } from '@parterre/shared/errors';
import type { PackedGroup } from '@parterre/shared/journal/messages';
import { unanchoredBytesMax } from './bounds.ts';

/** A commit, as far as it matters here. */
export type SharedCommit = { sequence: number; eventKeys: readonly string[]; bytes: number };

/** `left`: the parts without an anchor. `offset` counts the bytes of the commits before. */
type CommitBehind = { eventKeys: readonly string[]; left: number; offset: number };

/** The sequences of shared commits behind the mark. `anchor`: the event's last known message on its own subject. */
type EventParts = { sequences: number[]; anchor: number };

export class SharedParts {
  #state: 'new' | 'reading' | 'none' | 'known' | 'closed' = 'new';
  #mark = 0;
  #last = 0;
  #bytes = 0;
  /** Commits of this term that came before all was known. */
  readonly #early: SharedCommit[] = [];
  /** By sequence, in order: the shared commits behind the mark. */
  readonly #commits = new Map<number, CommitBehind>();
  readonly #events = new Map<string, EventParts>();
  #due: string | null = null;
  /** The anchor under way for the due event. */
  #underWay = { eventKey: '', sequence: 0 };
  readonly #bytesMax: number;
  readonly #known: Promise<void>;
  #resolve!: () => void;
  #reject!: (why: Error) => void;

  /** `bytesMax` bounds the bytes behind the mark. */
  constructor(bytesMax = unanchoredBytesMax) {
    this.#bytesMax = bytesMax;
    this.#known = new Promise((resolve, reject) => {
      this.#resolve = resolve;
      this.#reject = reject;
    });
    // Each load that waits hears of the end.
    this.#known.catch(() => {});
  }

  /** The log has only messages of the first form. */
  openEmpty(): void {
    this.#state = 'none';
    this.#resolve();
  }

  /** `mark` is the log's own, `last` the sequence of the fence. `fill` must follow. */
  open(mark: number, last: number): void {
    this.#state = 'reading';
    this.#mark = mark;
    this.#last = last;
  }

  /** `commits` are the shared commits between the mark and the fence, in order. */
  fill(commits: readonly SharedCommit[]): void {
    if (this.#state !== 'reading') return;
    for (const commit of commits) this.#put(commit);
    this.#state = 'known';
    for (const commit of this.#early.splice(0)) this.#take(commit);
    this.#raise();
    this.#resolve();
  }

  get mark(): number {
    return this.#mark;
  }

  /** The event that is to get an anchor, or null. */
  get due(): string | null {
    return this.#due;
  }

  /** The due event gets an anchor at this sequence, if the append lands. */
  anchoring(eventKey: string, sequence: number): void {
    this.#underWay = { eventKey, sequence };
    this.#due = null;
  }

  /** A commit is durable. Does nothing in a log of the first form. */
  add(sequence: number, parts: readonly PackedGroup[]): void {
    if (this.#state !== 'reading' && this.#state !== 'known') return;
    let bytes = 0;
    for (const { data } of parts) bytes += data.length;
    const commit = { sequence, eventKeys: parts.map(({ eventKey }) => eventKey), bytes };
    if (this.#state === 'reading') this.#early.push(commit);
    else this.#take(commit);
  }

  #take(commit: SharedCommit): void {
    this.#last = commit.sequence;
    if (commit.eventKeys.length === 1) {
      this.anchored(commit.eventKeys[0]!, commit.sequence);
      return;
    }
    this.#put(commit);
    this.#raise();
  }

  #put({ sequence, eventKeys, bytes }: SharedCommit): void {
    this.#commits.set(sequence, { eventKeys, left: eventKeys.length, offset: this.#bytes });
    this.#bytes += bytes;
    for (const eventKey of eventKeys) {
      const event = this.#events.get(eventKey);
      if (event) event.sequences.push(sequence);
      else this.#events.set(eventKey, { sequences: [sequence], anchor: 0 });
    }
  }

  /** A message on the event's own subject stands at this sequence. */
  anchored(eventKey: string, anchor: number): void {
    const event = this.#events.get(eventKey);
    if (event && event.anchor < anchor) {
      for (const sequence of event.sequences) {
        if (sequence > event.anchor && sequence < anchor) this.#commits.get(sequence)!.left--;
      }
      event.anchor = anchor;
    }
    this.#raise();
  }

  #raise(): void {
    if (this.#state !== 'known') return;
    this.#mark = this.#last;
    this.#due = null;
    for (const [sequence, { eventKeys, left, offset }] of this.#commits) {
      if (left > 0) {
        this.#mark = sequence - 1;
        if (this.#bytes - offset > this.#bytesMax) this.#due = this.#firstWithoutAnchor(sequence, eventKeys);
        return;
      }
      this.#commits.delete(sequence);
      for (const eventKey of eventKeys) this.#forget(eventKey);
    }
  }

  #firstWithoutAnchor(sequence: number, eventKeys: readonly string[]): string | null {
    const eventKey = eventKeys.find((each) => this.#events.get(each)!.anchor < sequence)!;
    const isUnderWay = this.#underWay.eventKey === eventKey && this.#underWay.sequence > this.#last;
    return isUnderWay ? null : eventKey;
  }

  /** The mark passes the event's first commit. */
  #forget(eventKey: string): void {
    const event = this.#events.get(eventKey)!;
    event.sequences.shift();
    if (event.sequences.length === 0) this.#events.delete(eventKey);
  }

  /** The event's sequences behind the mark, in order. Throws when the term ends before they are known. */
  async of(eventKey: string): Promise<readonly number[]> {
    await this.#known;
    return [...(this.#events.get(eventKey)?.sequences ?? [])];
  }

  close(): void {
    this.#state = 'closed';
    this.#due = null;
    this.#reject(new Fault('read the shared parts: the term is over'));
    this.#commits.clear();
    this.#events.clear();
  }
}
