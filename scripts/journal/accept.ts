/**
 * `npx parterre journal accept`: asks the owner of a partition to go on without lost records
 * (protocol/loss-acceptance.ts). The owner decides and appends. This command tells it the highest sequence that anybody
 * outside the shards knows, so that no sequence comes twice.
 *
 * A partition: its stream is opened first, where it is missing or another. Then every event that `verify` names there
 * is accepted, one after the other.
 *
 * Where the stream itself does not follow, this command notes the break in the bucket CLUSTER (accepted-breaks.ts), so
 * that the catalog can read on.
 *
 * The catalog counts on only after `npx parterre projections rebuild`, which the answer names. Its present figures are
 * of the lost history, and no message of the journal takes a lost sale back: only a new count is right. The notifier
 * goes on by itself, behind the newest message that it settled and the journal has.
 *
 * Failure at each await: no owner answers → `Refused`, and nothing was done. The owner's answer does not come → the
 * command is given again: an event that is open is refused as whole.
 */
import { Kvm } from '@nats-io/kv';
import { createInbox } from '@nats-io/transport-node';
import { textOfLink } from '../../shared/src/protocol/journal/links.ts';
import type {
  AcceptanceNews,
  AcceptedLoss,
  LossToAccept,
  LossToRestore,
  StreamToAccept,
} from '../../shared/src/protocol/loss-acceptance.ts';
import { names, subjects } from '../../shared/src/protocol/subjects.ts';
import { decode, encode } from '../../shared/src/protocol/wire.ts';
import { breakKey } from '../../shared/src/runtime/accepted-breaks.ts';
import type { ClusterLayout } from '../../shared/src/runtime/cluster-layout.ts';
import { answersTo, type Connected } from '../backup/deployment.ts';
import { messageAt } from '../backup/messages.ts';
import type { Say } from '../backup/progress.ts';
import { Refused } from '../backup/refused.ts';
import { type Evidence, notifiedUpTo, placesOf, readEvidence } from './evidence.ts';
import { breaksOf, type StreamBreak, verify } from './verify.ts';

/** The owner answers at once, then works: it reads the event's journal, and differences for ten seconds. */
const ownerMs = 10_000;
const newsMs = 120_000;

export type AcceptedEvent = { event: string } & AcceptedLoss;

export type AcceptedPartition = { accepted: AcceptedEvent[]; refused: Decided<never>['refused'] };

/** `givesUp`: also without the parts behind a gap. */
type Word = { reason: string; givesUp: boolean };

export async function acceptEvent(
  connected: Connected,
  layout: ClusterLayout,
  { eventKey, partition, ...word }: Word & { eventKey: string; partition: number | null },
  say: Say,
): Promise<AcceptedEvent[]> {
  const place = partition ?? (await placeOf(connected, layout, eventKey));
  const above = await highestKnown(connected, layout, await readEvidence(connected, layout), place, say);
  const accepted = await acceptAt(connected, place, { eventKey, above, ...word }, say);
  await noteBreaks(connected, await breaksOf(connected, layout, place));
  return [accepted];
}

export async function acceptPartition(
  connected: Connected,
  layout: ClusterLayout,
  { partition, ...word }: Word & { partition: number },
  say: Say,
): Promise<AcceptedPartition> {
  const above = await openPartition(connected, layout, { partition, reason: word.reason }, say);
  const { done, refused } = await decideEach(connected, layout, partition, say, (eventKey) =>
    acceptAt(connected, partition, { eventKey, above, ...word }, say),
  );
  return { accepted: done, refused };
}

/** Opens a halted partition. Its stream then ends behind the sequence that this resolves with. */
export async function openPartition(
  connected: Connected,
  layout: ClusterLayout,
  { partition, reason }: { partition: number; reason: string },
  say: Say,
): Promise<number> {
  const above = await highestKnown(connected, layout, await readEvidence(connected, layout), partition, say);
  const opened = await askOwner(connected, partition, { eventKey: null, reason, above }, say);
  if (!('opened' in opened)) throw noAnswer(partition);
  say(`Partition ${partition} is open. Its stream goes on behind ${opened.opened.last}.`);
  return above;
}

export type Decided<T> = { done: T[]; refused: { event: string; reason: string }[] };

/** Decides on each event of the partition that `verify` names, one after the other. A dry run notes no break. */
export async function decideEach<T>(
  connected: Connected,
  layout: ClusterLayout,
  partition: number,
  say: Say,
  decide: (eventKey: string) => Promise<T>,
  isDryRun = false,
): Promise<Decided<T>> {
  const { damages, breaks } = await verify(connected, layout, [partition], say);
  if (!isDryRun) await noteBreaks(connected, breaks);
  const events = [...new Set(damages.flatMap(({ event }) => event ?? []))];
  const decided: Decided<T> = { done: [], refused: [] };
  for (const event of events) {
    try {
      decided.done.push(await decide(event));
    } catch (error) {
      if (!(error instanceof Refused)) throw error;
      decided.refused.push({ event, reason: error.message });
    }
    say(`Events opened: ${decided.done.length} of ${events.length}`);
  }
  return decided;
}

export async function noteBreaks({ client }: Connected, breaks: readonly StreamBreak[]): Promise<void> {
  const bucket = await new Kvm(client).open(names.clusterBucket);
  for (const { partition, sequence, link } of breaks) {
    await bucket.put(breakKey(partition, sequence), textOfLink(link));
  }
}

async function acceptAt(connected: Connected, partition: number, loss: LossToAccept, say: Say): Promise<AcceptedEvent> {
  const news = await askOwner(connected, partition, loss, say);
  if ('accepted' in news) return { event: loss.eventKey, ...news.accepted };
  throw noAnswer(partition);
}

export function noAnswer(partition: number): Refused {
  return new Refused(`The owner of partition ${partition} gave no answer of this command.`);
}

/** With regions a key may stand on several partitions. The one with the event's messages is its own. */
export async function placeOf({ manager }: Connected, layout: ClusterLayout, eventKey: string): Promise<number> {
  const places = placesOf(layout, eventKey);
  if (places.length === 1) return places[0]!;
  const found: number[] = [];
  for (const partition of places) {
    const query = { seq: 1, next_by_subj: subjects.journal(partition, eventKey) };
    const message = await messageAt(manager, names.journalStream(partition), query).catch(() => null);
    if (message) found.push(partition);
  }
  if (found.length === 1) return found[0]!;
  throw new Refused(`The event may live on the partitions ${places.join(', ')}. Name its own: --partition P.`);
}

/** The highest sequence of the partition that evidence outside the shards' memory names. */
export async function highestKnown(
  connected: Connected,
  layout: ClusterLayout,
  { snapshots, positions }: Evidence,
  partition: number,
  say: Say,
): Promise<number> {
  if (positions === null) say('No catalog answers. Its position is not known, and sequences after it may come twice.');
  const stored = snapshots.filter(({ eventKey }) => placesOf(layout, eventKey).includes(partition));
  const sequences = stored.map(({ sequence }) => sequence);
  const notified = await notifiedUpTo(connected, partition);
  return sequences.reduce((a, b) => Math.max(a, b), Math.max(notified, positions?.get(partition)?.sequence ?? 0));
}

/** The last news of the owner. Throws a `Refused` with the owner's own words, or without an owner. */
export async function askOwner(
  { nats }: Connected,
  partition: number,
  word: LossToAccept | LossToRestore | StreamToAccept,
  say: Say,
): Promise<AcceptanceNews> {
  const inbox = createInbox(answersTo);
  const answers = nats.subscribe(inbox);
  let timer: NodeJS.Timeout | null = null;
  let heard = false;
  const wait = (ms: number): void => {
    if (timer) clearTimeout(timer);
    timer = setTimeout(() => answers.unsubscribe(), ms);
  };
  try {
    nats.publish(subjects.acceptance(partition), encode(word), { reply: inbox });
    wait(ownerMs);
    for await (const { data } of answers) {
      // Without a subscriber NATS itself answers, with an empty message.
      if (data.length === 0) break;
      heard = true;
      wait(newsMs);
      const news = decode<AcceptanceNews>(data);
      if ('refused' in news) throw new Refused(news.refused);
      if (!('filled' in news)) return news;
      if (news.of > 0) say(`Messages filled: ${news.filled.toLocaleString('en')} of ${news.of.toLocaleString('en')}`);
    }
  } finally {
    if (timer) clearTimeout(timer);
    answers.unsubscribe();
  }
  if (heard) throw new Refused(`The owner of partition ${partition} went silent. Give the command again.`);
  throw new Refused(`No shard owns partition ${partition} at present. Nothing was done.`);
}
