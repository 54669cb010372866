/**
 * The shared parts of a partition that only this index finds: by event, the sequences of shared commits with a part of
 * the event.
 *
 * Each part names the version before it. A message on the event's own subject therefore shows every shared part before
 * it: the message is an anchor. Shared parts without an anchor stand behind the low-water mark. The mark is the last
 * sequence before the first part without an anchor, and each message repeats it
 * When many bytes stand behind the mark, the event that holds the mark is `due`: its next part has a commit of its own.
 * A part without records does as well.
 *
 * A shared commit that cannot be read names no event. An event with a later message is safe: the chain of its parts
 * shows whether it has a part in that commit. Every other event is in doubt, and is not loaded (recovery.ts). The mark
 * stays where the term began, so that each later owner meets the commit too. Commits before it wait for no anchor.
 *
 * States: new, before the fence → reading → known, when every shared commit between the mark and the fence has been
 * added → closed. Loads and commits of this term wait until all is known. The mark rises only then. The reading can
 * fail, and is repeated (partition/index-keeper.ts).
 */
import { Fault } from '@parterre/shared/protocol/errors';
import type { PackedGroup } from '@parterre/shared/protocol/journal/messages';
import { unanchoredBytesMax } from './bounds.ts';

/** A commit, as far as it matters here. */
export type SharedCommit = { sequence: number; eventKeys: readonly string[]; bytes: number };

/** A commit that was read from the log. `eventKeys` is null if the commit cannot be read. */
export type ReadCommit = Omit<SharedCommit, 'eventKeys'> & { eventKeys: readonly string[] | null };

/** `left`: the parts without an anchor. `offset` counts the bytes of the commits before. */
type CommitBehind = { eventKeys: readonly string[]; left: number; offset: number };

/**
 * The sequences of shared commits, in order. The mark has passed those before the place `first`. Those before the place
 * `covered` have an anchor. `anchor`: the event's last known message on its own subject.
 */
type EventParts = { sequences: number[]; first: number; covered: number; anchor: number };

/** An array with more passed sequences than this is cut. */
const passedMax = 64;

export class SharedParts {
  #state: 'new' | 'reading' | 'known' | 'closed' = 'new';
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
  #unreadable = 0;
  /** Resolves when loads may begin: the index is known. Resolves at the end of the term too. */
  readonly known: Promise<void>;
  #resolve!: () => void;

  /** `bytesMax` bounds the bytes behind the mark. */
  constructor(bytesMax = unanchoredBytesMax) {
    this.#bytesMax = bytesMax;
    this.known = new Promise((resolve) => {
      this.#resolve = resolve;
    });
  }

  /** `mark` is the log's own, `last` the sequence of the fence. `fill` must follow. */
  open(mark: number, last: number): void {
    this.#state = 'reading';
    this.#mark = mark;
    this.#last = last;
  }

  /** `commits` are the shared commits between the mark and the fence, in order. */
  fill(commits: readonly ReadCommit[]): void {
    if (this.#state !== 'reading') return;
    this.#unreadable = commits.findLast(({ eventKeys }) => eventKeys === null)?.sequence ?? 0;
    for (const { sequence, eventKeys, bytes } of commits) if (eventKeys) this.#put({ sequence, eventKeys, bytes });
    this.#state = 'known';
    for (const commit of this.#early.splice(0)) this.#take(commit);
    this.#raise();
    this.#resolve();
  }

  get mark(): number {
    return this.#mark;
  }

  /** The last shared commit that cannot be read, 0 without one. Events without a later message are in doubt. */
  get unreadable(): number {
    return this.#unreadable;
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

  /** A commit is durable. */
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
    if (sequence > this.#unreadable) {
      this.#commits.set(sequence, { eventKeys, left: eventKeys.length, offset: this.#bytes });
      this.#bytes += bytes;
    }
    for (const eventKey of eventKeys) {
      const event = this.#events.get(eventKey);
      if (event) event.sequences.push(sequence);
      else this.#events.set(eventKey, { sequences: [sequence], first: 0, covered: 0, anchor: 0 });
    }
  }

  /** A message on the event's own subject stands at this sequence. */
  anchored(eventKey: string, anchor: number): void {
    const event = this.#events.get(eventKey);
    if (event && event.anchor < anchor) {
      event.anchor = anchor;
      for (; event.sequences[event.covered]! < anchor; event.covered++) {
        const commit = this.#commits.get(event.sequences[event.covered]!);
        if (commit) commit.left--;
      }
    }
    this.#raise();
  }

  #raise(): void {
    if (this.#state !== 'known') return;
    let mark = this.#last;
    this.#due = null;
    for (const [sequence, { eventKeys, left, offset }] of this.#commits) {
      if (left > 0) {
        mark = sequence - 1;
        if (this.#bytes - offset > this.#bytesMax) this.#due = this.#firstWithoutAnchor(sequence, eventKeys);
        break;
      }
      this.#commits.delete(sequence);
      for (const eventKey of eventKeys) this.#forget(eventKey, sequence);
    }
    if (this.#unreadable === 0) this.#mark = mark;
  }

  #firstWithoutAnchor(sequence: number, eventKeys: readonly string[]): string | null {
    const eventKey = eventKeys.find((each) => this.#events.get(each)!.anchor < sequence)!;
    const isUnderWay = this.#underWay.eventKey === eventKey && this.#underWay.sequence > this.#last;
    return isUnderWay ? null : eventKey;
  }

  /** The event's parts up to this sequence have an anchor, and the mark may pass them. */
  #forget(eventKey: string, upTo: number): void {
    const event = this.#events.get(eventKey)!;
    while (event.sequences[event.first]! <= upTo) event.first++;
    if (event.first === event.sequences.length) {
      this.#events.delete(eventKey);
    } else if (event.first > passedMax && event.first * 2 > event.sequences.length) {
      event.sequences.splice(0, event.first);
      event.covered -= event.first;
      event.first = 0;
    }
  }

  /** The event's sequences behind the mark, in order. Throws when the term ends before they are known. */
  async of(eventKey: string): Promise<readonly number[]> {
    await this.known;
    if (this.#state === 'closed') throw new Fault('read the shared parts: the term is over');
    const event = this.#events.get(eventKey);
    return event ? event.sequences.slice(event.first) : [];
  }

  close(): void {
    this.#state = 'closed';
    this.#due = null;
    this.#resolve();
    this.#commits.clear();
    this.#events.clear();
  }
}
