/**
 * `npx parterre journal verify`: reads the streams of a running deployment and compares them with everything that
 * names their messages (evidence.ts). Changes nothing.
 *
 * Of each partition: the stream's identity and links, the links of each event, each snapshot's part, and the catalog's
 * position. The evidence is read first and the end of the stream afterwards, so a whole journal has all that the
 * evidence names. A deposed leader may answer for some seconds: a partition with damage is looked at again after
 * `lossCertainMs`, and only damage of both looks counts.
 *
 * Failure at each await: a server that does not answer, or a stream that stalls → `Refused`: nothing is known.
 */
import { setTimeout as pause } from 'node:timers/promises';
import { type CommitHead, type EpochRecord, followsMessage, lateIn } from '../../shared/src/protocol/journal/heads.ts';
import { isSameLink, type Link, linkOf, textOfLink } from '../../shared/src/protocol/journal/links.ts';
import { followsGap, groupsOf, headOf, linkAfter, readGroup } from '../../shared/src/protocol/journal/messages.ts';
import { lossCertainMs } from '../../shared/src/protocol/limits.ts';
import { names } from '../../shared/src/protocol/subjects.ts';
import { breakKey } from '../../shared/src/runtime/accepted-breaks.ts';
import type { ClusterLayout } from '../../shared/src/runtime/cluster-layout.ts';
import { isStreamMissing, storedMessage } from '../../shared/src/runtime/stored-message.ts';
import type { Connected } from '../backup/deployment.ts';
import { streamInfo } from '../backup/messages.ts';
import { progressOf, type Say } from '../backup/progress.ts';
import { compareCopies } from './copies.ts';
import { countedEvents, type EventEvidence, type Evidence, placesOf, readEvidence } from './evidence.ts';
import { messagesBetween, type ReadMessage } from './read-stream.ts';

/** `event` is null for damage of the whole partition. `sequence`: where it shows. */
export type Damage = {
  partition: number;
  event: string | null;
  damage:
    | 'the stream is missing'
    | 'the stream is another'
    | 'messages are missing'
    | 'a message cannot be read'
    | 'the stream does not follow'
    | 'a part does not follow'
    | 'a snapshot knows more'
    | 'the catalog has counted more'
    | `the copy of ${string} differs`
    | `the copy of ${string} was not read`;
  sequence: number | null;
};

export type Verified = Look & { partitions: number; catalog: boolean };

/** A message that does not follow the one before it. `link` is its own. */
export type StreamBreak = { partition: number; sequence: number; link: Link };

type Look = { messages: number; events: number; damages: Damage[]; breaks: StreamBreak[] };

/** With `copies` the copies of each stream are compared too. */
export async function verify(
  connected: Connected,
  layout: ClusterLayout,
  chosen: readonly number[],
  say: Say,
  copies = false,
): Promise<Verified> {
  const look: typeof lookAt = async (...asked) => {
    const seen = await lookAt(...asked);
    return copies ? { ...seen, damages: [...seen.damages, ...(await copyDamages(connected, asked[3]))] } : seen;
  };
  const first = await readEvidence(connected, layout);
  const looks = new Map<number, Look>();
  const line = progressOf(say, 'Partitions read', chosen.length);
  for (const partition of chosen) {
    looks.set(partition, await look(connected, layout, first, partition));
    line.passed(1);
  }
  line.end();
  const doubted = chosen.filter((partition) => looks.get(partition)!.damages.length > 0);
  if (doubted.length > 0) {
    say(`Damage in ${doubted.length} of ${chosen.length} partitions. Looking again in ${lossCertainMs / 1000} s.`);
    await pause(lossCertainMs);
    const second = await readEvidence(connected, layout);
    for (const partition of doubted) {
      const before = new Set(looks.get(partition)!.damages.map(nameOf));
      const again = await look(connected, layout, second, partition);
      looks.set(partition, { ...again, damages: again.damages.filter((damage) => before.has(nameOf(damage))) });
    }
  }
  const all = [...looks.values()];
  return {
    partitions: chosen.length,
    messages: all.reduce((sum, { messages }) => sum + messages, 0),
    events: all.reduce((sum, { events }) => sum + events, 0),
    damages: all.flatMap(({ damages }) => damages),
    breaks: all.flatMap(({ breaks }) => breaks),
    catalog: first.positions !== null,
  };
}

const nameOf = ({ event, damage, sequence }: Damage): string => `${event} ${damage} ${sequence}`;

/** The breaks of the stream. An old answer shows a shorter stream, and no break that is not there. */
export async function breaksOf(connected: Connected, layout: ClusterLayout, partition: number): Promise<StreamBreak[]> {
  return (await lookAt(connected, layout, await readEvidence(connected, layout), partition)).breaks;
}

async function copyDamages(connected: Connected, partition: number): Promise<Damage[]> {
  const stream = names.journalStream(partition);
  const info = await streamInfo(connected.manager, stream);
  const { leader, replicas = [] } = info?.cluster ?? {};
  const servers = [leader, ...replicas.map(({ name }) => name)].filter((name) => name !== undefined);
  if (servers.length < 2) return [];
  const { copies, unread } = await compareCopies(connected, stream, servers);
  const differing = copies.filter(({ differsAt }) => differsAt !== null);
  return [
    ...differing.map(({ server, differsAt }) => whole(partition, `the copy of ${server} differs`, differsAt)),
    ...unread.map((server) => whole(partition, `the copy of ${server} was not read`, null)),
  ];
}

async function lookAt(
  connected: Connected,
  layout: ClusterLayout,
  evidence: Evidence,
  partition: number,
): Promise<Look> {
  const stream = names.journalStream(partition);
  const identity = evidence.identities.get(partition) ?? null;
  const position = evidence.positions?.get(partition) ?? null;
  const info = await streamInfo(connected.manager, stream);
  const isShort = position !== null && !(await hasMessage(connected, stream, position));
  const counted = isShort ? await countedEvents(connected, partition) : [];
  const damages = position && isShort ? [whole(partition, countedMore, position.sequence)] : [];
  const toldOf = (lost: readonly EventEvidence[], damage: Damage['damage']) =>
    lost.map(({ eventKey, sequence }): Damage => ({ partition, event: eventKey, damage, sequence }));
  if (info === null) {
    if (identity === null && position === null) return { messages: 0, events: 0, breaks: [], damages: [] };
    damages.unshift(whole(partition, 'the stream is missing', null));
    const lost = counted.filter(({ eventKey, sequence }) => sequence > (evidence.accepted.get(eventKey) ?? 0));
    return { messages: 0, events: 0, breaks: [], damages: [...damages, ...toldOf(lost, countedMore)] };
  }
  const snapshots = evidence.snapshots.filter(({ eventKey }) => placesOf(layout, eventKey).includes(partition));
  const wanted = new Map([...snapshots, ...counted].map((each) => [placeOf(each), null as Link | null]));
  const reading = new StreamReading(partition, info.config.first_seq || 1, wanted);
  const { first_seq, last_seq } = info.state;
  for await (const message of messagesBetween(connected, stream, first_seq, last_seq)) reading.take(message);
  damages.unshift(...reading.end(last_seq, evidence.breaks));
  if (identity !== null && reading.identity !== identity) {
    damages.unshift(whole(partition, 'the stream is another', null));
  }
  // With regions the event of a snapshot may live on another partition, which has its parts.
  const isHere = ({ eventKey }: EventEvidence) => placesOf(layout, eventKey).length === 1 || reading.has(eventKey);
  const lost = (known: readonly EventEvidence[]) => known.filter((each) => isLost(each, wanted, evidence));
  damages.push(...toldOf(lost(snapshots).filter(isHere), 'a snapshot knows more'));
  damages.push(...toldOf(lost(counted), countedMore));
  const { messages, events, breaks } = reading;
  return { messages, events, damages, breaks };
}

const countedMore = 'the catalog has counted more';

async function hasMessage(
  { manager }: Connected,
  stream: string,
  { sequence, link }: { sequence: number; link: string },
): Promise<boolean> {
  const message = await storedMessage(manager, stream, sequence).catch((error) => {
    if (isStreamMissing(error)) return null;
    throw error;
  });
  return message !== null && textOfLink(linkOf(message.data)) === link;
}

const placeOf = ({ eventKey, sequence }: EventEvidence): string => `${sequence} ${eventKey}`;

function isLost(
  { eventKey, sequence, link }: EventEvidence,
  read: ReadonlyMap<string, Link | null>,
  { accepted }: Evidence,
): boolean {
  const there = read.get(placeOf({ eventKey, sequence, link }));
  if (there && isSameLink(there, link)) return false;
  return sequence > (accepted.get(eventKey) ?? 0);
}

function whole(partition: number, damage: Damage['damage'], sequence: number | null): Damage {
  return { partition, event: null, damage, sequence };
}

/** An event's last part that follows. `gap`: the first part behind it that does not, unless an operator accepted it. */
type Chain = { version: number; link: Link; gap: number | null };

class StreamReading {
  messages = 0;
  identity: string | null = null;
  readonly #partition: number;
  readonly breaks: StreamBreak[] = [];
  readonly #wanted: Map<string, Link | null>;
  readonly #chains = new Map<string, Chain>();
  readonly #damages: Damage[] = [];
  /** The message before; null at the beginning. */
  #last: { link: Link; late: number | null } | null = null;
  #next: number;

  /** `wanted`: by sequence and event, the links to find. */
  constructor(partition: number, firstSequence: number, wanted: Map<string, Link | null>) {
    this.#partition = partition;
    this.#next = firstSequence;
    this.#wanted = wanted;
  }

  get events(): number {
    return this.#chains.size;
  }

  has(eventKey: string): boolean {
    return this.#chains.has(eventKey);
  }

  take(message: ReadMessage): void {
    const { sequence, data } = message;
    const link = linkOf(data);
    let late: number | null = null;
    this.messages++;
    try {
      const head = headOf(data);
      late = lateIn(head);
      if (!this.#follows(message, head)) this.breaks.push({ partition: this.#partition, sequence, link });
      this.#takeParts(message);
    } catch {
      this.#tell('a message cannot be read', sequence);
    }
    this.#next = sequence + 1;
    this.#last = { link, late };
  }

  #follows({ sequence }: ReadMessage, head: EpochRecord | CommitHead): boolean {
    if ('owner' in head) this.identity = head.stream;
    // A stream that follows a lost one begins with the hash of its identity too, at a later sequence.
    const last = this.#last ?? (this.identity !== null ? { link: linkOf(this.identity), late: null } : null);
    return sequence === this.#next && last !== null && followsMessage({ before: head.link, late: lateIn(head) }, last);
  }

  #takeParts({ sequence, subject, data }: ReadMessage): void {
    for (const { eventKey, data: part } of groupsOf(subject, data)) {
      const group = readGroup(part);
      const chain = this.#chains.get(eventKey) ?? { version: 0, link: linkOf(eventKey), gap: null };
      this.#chains.set(eventKey, chain);
      const follows = group.from === chain.version && isSameLink(group.link, chain.link);
      if (follows && (chain.gap === null || followsGap(group.records))) {
        chain.version = sequence;
        chain.link = linkAfter(part);
        chain.gap = null;
      } else chain.gap ??= sequence;
      const wanted = `${sequence} ${eventKey}`;
      if (this.#wanted.has(wanted)) this.#wanted.set(wanted, linkAfter(part));
    }
  }

  #tell(damage: Damage['damage'], sequence: number): void {
    this.#damages.push(whole(this.#partition, damage, sequence));
  }

  /** `last`: the end of the stream when it was read. `accepted`: by key, links of messages that need not follow. */
  end(last: number, accepted: ReadonlyMap<string, string>): Damage[] {
    if (this.#next <= last) this.#tell('messages are missing', this.#next);
    for (const { partition, sequence, link } of this.breaks) {
      if (accepted.get(breakKey(partition, sequence)) === textOfLink(link)) continue;
      this.#tell('the stream does not follow', sequence);
    }
    for (const [event, { gap }] of this.#chains) {
      if (gap === null) continue;
      this.#damages.push({ partition: this.#partition, event, damage: 'a part does not follow', sequence: gap });
    }
    return this.#damages;
  }
}
