/**
 * The oracle of histories whose journal lies (I9). No acknowledged seat is sold to a second holder where a snapshot, a
 * memory or the catalog answers for the first sale. Nothing else excuses a second sale than one of these windows:
 *
 *   nobody knew        no snapshot names a part that the stream lacks, the catalog had not counted so far, and no owner
 *                      in its term had the event in memory
 *   a silent store     the load of the event was not told its snapshots
 *   a silent catalog   the catalog did not answer the new owner in time
 *   no question        the catalog knew of the loss, and an owner sold that had asked before the lie. Only an heir asks
 *                      the catalog.
 *   a lost memory      an owner had the event in memory, and lost it before it looked at the stream: another owner took
 *                      the partition, or the event left memory
 *
 * A loss inside a stream is noticed where a later part of the event names the lost one, where the catalog or an owner
 * stood at a lost message, and where a snapshot or a memory names it. The last part of an event that is gone inside the
 * stream is noticed by nothing else, since nobody counts the stream's messages. The part may be an anchor: then the
 * shared parts before it are overlooked with it.
 *
 * Three more promises stand at each step. A load succeeds only on the part that the stream has. An owner that was told
 * a position of the catalog that the stream lacks appends no commit. A commit of a term that began behind the lie
 * carries the links of the messages before it.
 */
import { isSameLink, type Link, linkFromText, linkOf, textOfLink } from '@parterre/shared/protocol/journal/links';
import { groupsOf, headOf, linkAfter, readGroup } from '@parterre/shared/protocol/journal/messages';
import { eventKeyOf, partitionOf, subjects } from '@parterre/shared/protocol/subjects';
import type { HistoryPosition } from '../../../services/inventory-shard/src/journal/appends.ts';
import type { LoadedEvent } from '../../../services/inventory-shard/src/journal/recovery.ts';
import { count } from '../tally.ts';
import type { Cluster, Shard } from '../world/cluster.ts';
import { type Evidence, type EvidenceWatch, isInStream, readableHead } from '../world/evidence.ts';
import type { SimulatedStream, Stored } from '../world/log.ts';
import type { LieKind } from './lies.ts';

/** A sale that its buyer was told. `call` is the name of the call. */
export type Sale = { call: string; holder: string; eventKey: string; label: string };

/** A stored message with a record of a call. `term` is that of its owner. */
type Effect = { stored: Stored; owner: string; term: number; order: number };

type KnownPart = { sequence: number; link: Link };

/** The knowledge of the lying stream at the moment of the lie. */
type Lie = {
  kind: LieKind;
  /** The events of which the stream has lost a part. */
  hurt: Set<string>;
  /** The hurt events of which a snapshot names a lost part. */
  stored: Set<string>;
  isCounted: boolean;
  /** The stream has lost an epoch record. */
  hasLostFence: boolean;
  /** The owner of this moment, its term, and the hurt events in its memory. */
  memory: { owner: string; term: number; events: Set<string> } | null;
};

type Load = { history: number; isSilent: boolean };

export class SalesCheck implements EvidenceWatch {
  readonly #lies = new Map<SimulatedStream, Lie>();
  readonly #cluster: () => Cluster;
  readonly #shards: () => readonly Shard[];
  readonly #isStrict: boolean;
  readonly #moments: Map<string, number>;
  /** By event and label. */
  readonly #sales = new Map<string, Sale>();
  readonly #effects = new Map<string, Effect[]>();
  /** By partition and epoch. */
  readonly #owners = new Map<string, string>();
  /** The links of all messages that stood in a stream when it lied. */
  readonly #pastLinks = new Set<string>();
  /** By owner and partition: the number of its terms, and the stream's history in which the last began. */
  readonly #terms = new Map<string, { term: number; history: number }>();
  /** By owner and partition: the catalog's answer in the last term. */
  readonly #answers = new Map<string, { position: HistoryPosition | null; history: number }>();
  /** By owner and event. */
  readonly #loads = new Map<string, Load>();
  #order = 0;

  /** `isStrict`: evidence is compared, so that all promises hold. */
  constructor(cluster: () => Cluster, shards: () => readonly Shard[], isStrict: boolean, moments: Map<string, number>) {
    this.#cluster = cluster;
    this.#shards = shards;
    this.#isStrict = isStrict;
    this.#moments = moments;
  }

  get hasLied(): boolean {
    return this.#lies.size > 0;
  }

  /** The lie of the event's stream. */
  lieOf(eventKey: string): Lie | undefined {
    return this.#lies.get(this.#streamOf(eventKey));
  }

  /**
   * The event's stream has lost a part of it, or has a part behind a gap: an append behind one that was lost on its way
   * may find the sequence that it expects, once the stream is another.
   */
  isBroken(eventKey: string): boolean {
    if (this.lieOf(eventKey)?.hurt.has(eventKey)) return true;
    if (!this.lieOf(eventKey)) return false;
    let link = linkOf(eventKey);
    for (const stored of this.#streamOf(eventKey).from(1)) {
      const after = partOf(stored, eventKey);
      if (!after) continue;
      const data = groupsOf(stored.subject, stored.payload).find((group) => group.eventKey === eventKey)!.data;
      if (!isSameLink(readGroup(data).link, link)) return true;
      link = after;
    }
    return false;
  }

  /** The sales that nobody has begun to cancel. */
  get sales(): Sale[] {
    return [...this.#sales.values()];
  }

  saleOf(eventKey: string, label: string): Sale | undefined {
    return this.#sales.get(`${eventKey} ${label}`);
  }

  /** From here on the seat may be sold again. */
  cancels({ eventKey, label }: Sale): void {
    this.#sales.delete(`${eventKey} ${label}`);
  }

  taking(owner: string, partition: number): void {
    const key = `${owner} ${partition}`;
    const { history } = this.#streamAt(partition);
    this.#terms.set(key, { term: this.#termOf(owner, partition) + 1, history });
    this.#answers.delete(key);
  }

  counted(owner: string, partition: number, position: HistoryPosition | null): void {
    const { history } = this.#streamAt(partition);
    this.#answers.set(`${owner} ${partition}`, { position, history });
  }

  loads(owner: string, eventKey: string, isServed: boolean): ReturnType<EvidenceWatch['loads']> {
    const stream = this.#streamOf(eventKey);
    const { history } = stream;
    // An owner that lives on may store a newer snapshot of its memory meanwhile.
    const isStoredElsewhere = (): boolean => this.#newestIn(eventKey).some((part) => !isPartIn(stream, eventKey, part));
    const wasStoredElsewhere = isStoredElsewhere();
    return (loaded, isSilent) => {
      const key = `${owner} ${eventKey}`;
      const isToldNothing = isSilent ?? this.#loads.get(key)?.isSilent ?? false;
      this.#loads.set(key, { history, isSilent: isToldNothing });
      if (!this.#isStrict || !isServed || history !== stream.history) return;
      this.#checkLoad(owner, eventKey, loaded);
      if (isSilent === false && wasStoredElsewhere && isStoredElsewhere())
        throw new Error(`${owner} loads ${eventKey}, of which a snapshot knows more`);
    };
  }

  #checkLoad(owner: string, eventKey: string, loaded: LoadedEvent | null): void {
    const stream = this.#streamOf(eventKey);
    const is = `${owner} loads ${eventKey}`;
    if (loaded && !isPartIn(stream, eventKey, { sequence: loaded.state.version, link: loaded.link }))
      throw new Error(`${is} at ${loaded.state.version}, which its stream has not`);
    const remembered = this.#shards()
      .find(({ process }) => process.name === owner)
      ?.remembered.of(eventKey);
    if (remembered && !isPartIn(stream, eventKey, remembered)) throw new Error(`${is}, of which it remembers more`);
  }

  /** A message was stored. */
  stored(stream: SimulatedStream, stored: Stored): void {
    const { partition } = stream;
    const { sequence, payload, subject } = stored;
    const head = headOf(payload);
    if ('owner' in head) {
      this.#owners.set(`${partition} ${head.epoch}`, head.owner);
      return;
    }
    const owner = this.#owners.get(`${partition} ${head.epoch}`)!;
    const term = this.#termOf(owner, partition);
    const before = stream.at(sequence - 1);
    // An append of the past may come late, find the sequence that it expects, and name an epoch that came again.
    const isOfPast =
      this.#pastLinks.has(textOfLink(head.link)) && !(before && isSameLink(head.link, linkOf(before.payload)));
    const isOfNewTerm = !isOfPast && this.#isBehindLie(owner, stream);
    const name = `commit ${partition}/${sequence} of ${owner}`;
    if (this.#isStrict && isOfNewTerm) {
      if (!before || !isSameLink(head.link, linkOf(before.payload))) throw new Error(`${name} follows a broken link`);
      const told = this.#answers.get(`${owner} ${partition}`);
      if (told?.position && told.history === stream.history && !isInStream(stream, told.position))
        throw new Error(`${name} is appended, though the catalog has counted ${told.position.sequence}`);
    }
    for (const { eventKey, data } of groupsOf(subject, payload)) {
      const group = readGroup(data);
      if (this.#isStrict && isOfNewTerm && !this.#hidesParts(eventKey))
        this.#checkPart(name, stream, sequence, eventKey, group.link);
      for (const { by } of group.records) {
        if (by.actor === null) continue;
        const effects = this.#effects.get(by.actor) ?? [];
        this.#effects.set(by.actor, [...effects, { stored, owner, term, order: this.#order++ }]);
      }
    }
  }

  #checkPart(name: string, stream: SimulatedStream, sequence: number, eventKey: string, link: Link): void {
    for (let earlier = sequence - 1; earlier > 0; earlier--) {
      const part = partOf(stream.at(earlier), eventKey);
      if (!part) continue;
      if (!isSameLink(part, link)) throw new Error(`${name} has a part of ${eventKey} behind a broken link`);
      return;
    }
    if (!isSameLink(link, linkOf(eventKey))) throw new Error(`${name} begins ${eventKey} behind a broken link`);
  }

  /** The stream is about to have these messages instead. */
  lies(kind: LieKind, stream: SimulatedStream, messages: readonly (Stored | null)[]): void {
    const { counted } = this.#evidence;
    const hurt = new Set<string>();
    const isIn = (sequence: number, payload: Uint8Array): boolean => {
      const stored = messages[sequence - 1];
      return stored ? Buffer.compare(stored.payload, payload) === 0 : false;
    };
    let hasLostFence = false;
    for (const { sequence, subject, payload } of stream.from(1)) {
      this.#pastLinks.add(textOfLink(linkOf(payload)));
      if (isIn(sequence, payload)) continue;
      hasLostFence ||= subject === subjects.epoch(stream.partition);
      for (const { eventKey } of groupsOf(subject, payload)) hurt.add(eventKey);
    }
    const lies = (part: KnownPart, eventKey: string | null): boolean => {
      const stored = messages[part.sequence - 1] ?? null;
      const link = eventKey === null ? stored && linkOf(stored.payload) : partOf(stored, eventKey);
      return !link || !isSameLink(link, part.link);
    };
    const position = counted.get(stream.partition);
    const inStore = [...hurt].filter((eventKey) => this.#newestIn(eventKey).some((part) => lies(part, eventKey)));
    this.#lies.set(stream, {
      kind,
      hurt,
      stored: new Set(kind === 'new storage' ? [] : inStore),
      hasLostFence,
      isCounted: position !== undefined && lies(position, null),
      memory: this.#memoryOf(stream, hurt, lies),
    });
  }

  #memoryOf(
    { partition }: SimulatedStream,
    hurt: Set<string>,
    lies: (part: KnownPart, eventKey: string) => boolean,
  ): Lie['memory'] {
    for (const { process, ownership, actors } of this.#shards()) {
      const owned = ownership.owned().find(({ number }) => number === partition);
      if (!process.alive || !owned || (owned.partition.state !== 'serving' && owned.partition.state !== 'recovering'))
        continue;
      const known = [...actors].filter(
        ({ eventKey, acknowledged }) => hurt.has(eventKey) && acknowledged && lies(acknowledged, eventKey),
      );
      const term = this.#termOf(process.name, partition);
      return { owner: process.name, term, events: new Set(known.map(({ eventKey }) => eventKey)) };
    }
    return null;
  }

  /** The newest snapshot of an event. */
  #newestIn(eventKey: string): KnownPart[] {
    const { objects } = this.#cluster().store;
    const parts: KnownPart[] = [];
    for (const slot of [0, 1]) {
      const metadata = objects.get(`${eventKey}.${slot}`)?.info.metadata;
      const link = metadata && linkFromText(metadata.link!);
      if (link) parts.push({ sequence: Number(metadata.sequence), link });
    }
    return parts.sort((a, b) => b.sequence - a.sequence).slice(0, 1);
  }

  /** The buyer is told of the sale. Throws for a second sale that no window excuses. */
  sold(sale: Sale): void {
    const key = `${sale.eventKey} ${sale.label}`;
    const other = this.#sales.get(key);
    this.#sales.set(key, sale);
    if (!other) return;
    const effects = (call: string): Effect[] => this.#effects.get(call) ?? [];
    const [first, second] = [other, sale].sort(
      (a, b) => (effects(a.call)[0]?.order ?? 0) - (effects(b.call)[0]?.order ?? 0),
    ) as [Sale, Sale];
    const window = this.#windowOf(first, effects(first.call), effects(second.call).at(-1));
    if (window === null)
      throw new Error(`${key} is sold to ${first.holder} (${first.call}) and to ${second.holder} (${second.call})`);
    count(this.#moments, `second sale, ${this.lieOf(sale.eventKey)!.kind}: ${window}`);
  }

  /** The window in which a second sale is not noticed; null without one. */
  #windowOf({ eventKey }: Sale, first: readonly Effect[], second: Effect | undefined): string | null {
    const stream = this.#streamOf(eventKey);
    const lie = this.#lies.get(stream);
    const isThere = ({ stored }: Effect): boolean => stream.at(stored.sequence) === stored;
    const isLost = first.length > 0 && (!first.some(isThere) || this.#hidesParts(eventKey));
    if (!lie || !isLost || !second) return null;
    const windows: string[] = [];
    if (this.#isAnother(stream)) return null;
    if (lie.stored.has(eventKey)) {
      if (!this.#loads.get(`${second.owner} ${eventKey}`)?.isSilent) return null;
      windows.push('a silent store');
    }
    const isOfMemory = lie.memory?.owner === second.owner && lie.memory.term === second.term;
    if (lie.memory?.events.has(eventKey)) {
      if (isOfMemory && this.#hasKept(second.owner, eventKey, stream)) return null;
      windows.push('a lost memory');
    }
    if (lie.isCounted) {
      if (this.#answers.get(`${second.owner} ${stream.partition}`)?.position === null) windows.push('a silent catalog');
      else if (!this.#isBehindLie(second.owner, stream)) windows.push('no question');
      else return null;
    }
    return windows.join(', ') || 'nobody knew';
  }

  /** The owner has not folded the event anew since the lie, or cannot have lost its memory of the event. */
  #hasKept(owner: string, eventKey: string, { history }: SimulatedStream): boolean {
    const load = this.#loads.get(`${owner} ${eventKey}`);
    return load?.history !== history || this.#cluster().faults.now.memoryBytes > 1_000_000;
  }

  #isAnother(stream: SimulatedStream): boolean {
    const known = this.#evidence.identities.get(stream.partition);
    const last = stream.lastOf(subjects.epoch(stream.partition));
    const head = last && readableHead(last.payload);
    return known !== undefined && head !== null && 'stream' in head && head.stream !== known;
  }

  /** A part that is lost inside the stream hides the shared parts before it: the low-water mark has passed them. */
  #hidesParts(eventKey: string): boolean {
    const lie = this.lieOf(eventKey);
    return lie?.kind === 'middle' && lie.hurt.has(eventKey);
  }

  /** The owner's term began in the present history of the stream. */
  #isBehindLie(owner: string, { partition, history }: SimulatedStream): boolean {
    return this.#terms.get(`${owner} ${partition}`)?.history === history;
  }

  get #evidence(): Evidence {
    return this.#cluster().evidence!;
  }

  #termOf(owner: string, partition: number): number {
    return this.#terms.get(`${owner} ${partition}`)?.term ?? 0;
  }

  #streamAt(partition: number): SimulatedStream {
    return this.#cluster().streams[partition]!;
  }

  #streamOf(eventKey: string): SimulatedStream {
    const { streams } = this.#cluster();
    return streams[partitionOf(eventKey, [...streams.keys()])]!;
  }
}

/** The event's link behind its part in a message; null without a part. */
function partOf(stored: Stored | null, eventKey: string): Link | null {
  if (!stored) return null;
  try {
    // A changed byte may be one of the event's key.
    if ((eventKeyOf(stored.subject) ?? eventKey) !== eventKey) return null;
    const part = groupsOf(stored.subject, stored.payload).find((group) => group.eventKey === eventKey);
    return part ? linkAfter(part.data) : null;
  } catch {
    // A changed byte makes a message unreadable.
    return null;
  }
}

function isPartIn(stream: SimulatedStream, eventKey: string, { sequence, link }: KnownPart): boolean {
  const part = partOf(stream.at(sequence), eventKey);
  return part !== null && isSameLink(part, link);
}
