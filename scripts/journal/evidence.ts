/**
 * Evidence outside a journal names its messages (I9): the identities of the streams and the accepted losses in
 * the bucket CLUSTER, the stored snapshots, the catalog's positions, and the places of the notifiers' consumers.
 */
import { Kvm } from '@nats-io/kv';
import { Objm } from '@nats-io/obj';
import type { CatalogOutput } from '../../shared/src/protocol/catalog-api.ts';
import type { Outcome } from '../../shared/src/protocol/errors.ts';
import { type Link, linkFromText } from '../../shared/src/protocol/journal/links.ts';
import { linkAfter } from '../../shared/src/protocol/journal/messages.ts';
import { names, partitionOf } from '../../shared/src/protocol/subjects.ts';
import { regions } from '../../shared/src/protocol/vocabulary.ts';
import { createCatalogClient } from '../../shared/src/runtime/catalog-client.ts';
import { type ClusterLayout, partitionsOfRegion } from '../../shared/src/runtime/cluster-layout.ts';
import { createLog } from '../../shared/src/runtime/log.ts';
import type { Connected } from '../backup/deployment.ts';
import { Refused } from '../backup/refused.ts';

/** `link`: the event's link behind its part at the sequence. */
export type EventEvidence = { eventKey: string; sequence: number; link: Link };

export type Evidence = {
  /** By partition. A partition without an entry never had an owner. */
  identities: Map<number, string>;
  /** By event: the sequence up to which evidence is overruled. */
  accepted: Map<string, number>;
  /** By key: the links of messages that need not follow the message before (accepted-breaks.ts). */
  breaks: Map<string, string>;
  snapshots: EventEvidence[];
  /** By partition. Null where no catalog answers. */
  positions: Map<number, { sequence: number; link: string }> | null;
};

const identityKey = /^stream\.(\d+)$/;
const acceptedKey = /^accepted\.(.+)$/;

export async function readEvidence(connected: Connected, layout: ClusterLayout): Promise<Evidence> {
  const [bucket, snapshots, positions] = await Promise.all([
    readBucket(connected),
    readSnapshots(connected),
    readPositions(connected, layout),
  ]);
  return { ...bucket, snapshots, positions };
}

async function readBucket({ client }: Connected) {
  const identities = new Map<number, string>();
  const accepted = new Map<string, number>();
  const breaks = new Map<string, string>();
  const bucket = await new Kvm(client).open(names.clusterBucket);
  for await (const key of await bucket.keys(['stream.*', 'accepted.>', 'break.>'])) {
    const entry = await bucket.get(key);
    if (entry?.operation !== 'PUT') continue;
    const partition = identityKey.exec(key)?.[1];
    const eventKey = acceptedKey.exec(key)?.[1];
    if (key.startsWith('break.')) breaks.set(key, entry.string());
    if (partition !== undefined) identities.set(Number(partition), entry.string());
    if (eventKey !== undefined) accepted.set(eventKey, Number(entry.string()));
  }
  return { identities, accepted, breaks };
}

async function readSnapshots({ client }: Connected): Promise<EventEvidence[]> {
  const objects = await new Objm(client).open(names.snapshotBucket);
  return (await objects.list()).flatMap(({ name, deleted, metadata }) => {
    // A roster has no link.
    const link = linkFromText(metadata?.link ?? '');
    if (deleted || !link) return [];
    return { eventKey: name.slice(0, name.lastIndexOf('.')), sequence: Number(metadata!.sequence), link };
  });
}

async function readPositions({ nats }: Connected, { partitions }: ClusterLayout): Promise<Evidence['positions']> {
  const ask = createCatalogClient(nats, createLog('journal', 'silent'));
  const positions = new Map<number, { sequence: number; link: string }>();
  for (let partition = 0; partition < partitions; partition++) {
    const answer = await ask('projections.position', { stream: names.journalStream(partition) });
    if (!answer.ok) return null;
    if (answer.value) positions.set(partition, { sequence: answer.value.seq, link: answer.value.link });
  }
  return positions;
}

/** The last part of each event that the catalog has counted in a partition's stream. */
export async function countedEvents({ nats }: Connected, partition: number): Promise<EventEvidence[]> {
  const ask = createCatalogClient(nats, createLog('journal', 'silent'));
  const stream = names.journalStream(partition);
  const counted: EventEvidence[] = [];
  let after: string | null = null;
  for (;;) {
    const page: Outcome<CatalogOutput<'projections.events'>> = await ask('projections.events', {
      stream,
      after,
    });
    if (!page.ok) throw new Refused(noCatalog);
    for (const eventKey of page.value.eventKeys) {
      const last = await ask('history.last-part', { eventKey, stream });
      if (!last.ok) throw new Refused(noCatalog);
      if (last.value) counted.push({ eventKey, sequence: last.value.sequence, link: linkAfter(last.value.data) });
    }
    after = page.value.eventKeys.at(-1) ?? null;
    if (!page.value.isCut || after === null) return counted;
  }
}

const noCatalog = 'No catalog tells which events it has counted.';

/** The partitions on which an event with this key may live: one for each region that the deployment tells apart. */
export function placesOf(layout: ClusterLayout, eventKey: string): number[] {
  const ranges = ['', ...regions].map((region) => partitionsOfRegion(layout, region));
  return [...new Set(ranges.map((range) => partitionOf(eventKey, range)))];
}

/** The last message that the partition's notifier has been handed; 0 without one. */
export async function notifiedUpTo({ manager }: Connected, partition: number): Promise<number> {
  try {
    const { delivered } = await manager.consumers.info(names.journalStream(partition), 'notifier');
    return delivered.stream_seq;
  } catch {
    return 0;
  }
}
