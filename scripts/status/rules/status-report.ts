/**
 * What `npx parterre status` and `version` print of the facts. Pure. The owner of a partition is the shard that claims
 * it with the highest epoch: a replaced owner may go on beating for a moment. `trouble` has everything that makes the
 * exit code 1, one sentence each.
 */
import type { Beat } from '../../../shared/src/protocol/beat.ts';
import type { ShardStatus } from '../../../shared/src/protocol/shard-status.ts';
import type { Facts, HeardMember, JournalFact, StreamFact } from '../gather.ts';
import { copyTroubles, wholeCopies } from './copies.ts';
import type { Trouble } from './trouble.ts';

export type StatusReport = {
  parterre: string;
  nats: string;
  haltedPartitions: number;
  haltedEvents: number;
  natsStorage: string;
  waitingWebhooks: number;
  trouble: Trouble[];
  members: MemberLine[];
  partitions: PartitionLine[];
  /** The halted events: a shard names the first thousand of each partition. */
  halted: { event: string; partition: number; reason: string }[];
};

type MemberLine = {
  service: string;
  id: string;
  version: string;
  /** By this machine's clock. */
  startedAt: number;
  process: string;
  memoryMb: number;
  diskUsed: string | null;
};

/** `owner` and `epoch` are null where no shard claims the partition. The last four are null where nobody tells. */
export type PartitionLine = {
  partition: number;
  owner: string | null;
  epoch: number | null;
  state: string;
  haltedEvents: number;
  reason: string | null;
  journal: number | null;
  copies: string | null;
  uncounted: string | null;
  webhooks: string | null;
};

/** A follower may be a moment behind while it works. */
export const projectorBehindMsMax = 10_000;
export const webhooksBehindMsMax = 60_000;
export const storageUsedShareMax = 0.9;
const kinds = ['frontdoor', 'inventory-shard', 'catalog', 'notifier'] as const;
const bytesPerMb = 1_000_000;

export function statusReport(facts: Facts): StatusReport {
  const { beats, shards, journals, streams, members, account } = facts;
  const lines = Array.from({ length: facts.partitions }, (_, partition) => {
    const journal = journals.find((each) => each.partition === partition);
    const stream = streams.find(({ name }) => name === `JOURNAL-${partition}`);
    return { ...ownedLine(partition, beats, shards), ...journalLine(journal, stream) };
  });
  const halts = beats.flatMap(({ id }) => shards.find((shard) => shard.id === id)?.partitions ?? []);
  const own = halts.filter(({ partition, epoch }) => lines[partition]?.epoch === epoch);
  return {
    parterre: versionWords(members),
    nats: natsVersions(facts).join(', '),
    haltedPartitions: lines.filter(({ reason }) => reason !== null).length,
    haltedEvents: lines.reduce((sum, line) => sum + line.haltedEvents, 0),
    natsStorage: account === null ? '-' : storageWords(account),
    waitingWebhooks: streams.filter(isQueue).reduce((sum, { messages }) => sum + messages, 0),
    trouble: troubleOf(facts, lines),
    members: members.map(memberLine),
    partitions: lines,
    halted: own.flatMap(({ partition, events }) =>
      events.map(({ eventKey, reason }) => ({ event: eventKey, partition, reason })),
    ),
  };
}

/** The versions of Parterre that run beside each other. */
export function versionsOf(members: readonly HeardMember[]): string[] {
  return [...new Set(members.map(({ version }) => version))].sort();
}

export function versionWords(members: readonly HeardMember[]): string {
  const versions = versionsOf(members);
  if (versions.length === 0) return 'no member tells';
  return versions.length === 1 ? versions[0]! : `${versions.join(' and ')} run side by side`;
}

/** Of all servers that members are connected to, and that of this command. */
export function natsVersions({ members, server }: Pick<Facts, 'members' | 'server'>): string[] {
  return [...new Set([server.version, ...members.flatMap(({ nats }) => nats?.version ?? [])])].sort();
}

/** The name of the shard that owns a partition, and its epoch; null where no shard claims it. */
export function claimOn(partition: number, beats: readonly Beat[]): { owner: string; epoch: number } | null {
  let claim: { owner: string; epoch: number } | null = null;
  for (const { id, owns } of beats) {
    for (const [number, epoch] of owns) {
      if (number === partition && (claim === null || epoch > claim.epoch)) claim = { owner: id, epoch };
    }
  }
  return claim;
}

type OwnedLine = Omit<PartitionLine, 'journal' | 'copies' | 'uncounted' | 'webhooks'>;

export function ownedLine(partition: number, beats: readonly Beat[], answers: readonly ShardStatus[]): OwnedLine {
  const claim = claimOn(partition, beats);
  const told = answers
    .find(({ id }) => id === claim?.owner)
    ?.partitions.find((status) => status.partition === partition);
  const state = told?.state ?? (claim === null ? 'without an owner' : 'its owner is silent');
  const { haltedEvents = 0, haltedBy: reason = null } = told ?? {};
  const { owner = null, epoch = null } = claim ?? {};
  return { partition, owner, epoch, state, haltedEvents, reason };
}

export function journalLine(journal: JournalFact | undefined, stream: StreamFact | undefined) {
  const { projector = null, webhooks = null } = journal ?? {};
  return {
    journal: journal?.lastSequence ?? null,
    copies: stream === undefined ? null : `${wholeCopies(stream)}/${stream.copiesWanted}`,
    uncounted: projector && behindWords(projector),
    webhooks: webhooks && behindWords(webhooks),
  };
}

function behindWords({ behind, behindMs }: { behind: number; behindMs: number }): string {
  return behind === 0 ? '0' : `${behind} (${Math.round(behindMs / 1000)} s)`;
}

function memberLine({
  service,
  id,
  version,
  startedAt,
  aheadMs,
  host,
  pid,
  memoryBytes,
  disk,
}: HeardMember): MemberLine {
  return {
    service,
    id,
    version,
    startedAt: Math.round(startedAt - aheadMs),
    process: `${host}/${pid}`,
    memoryMb: Math.round(memoryBytes / bytesPerMb),
    diskUsed: disk === undefined ? null : shareWords(disk.usedShare),
  };
}

export const shareWords = (share: number): string => `${Math.round(share * 100)} %`;

function storageWords({ bytes, bytesMax }: { bytes: number; bytesMax: number }): string {
  const used = `${Math.round(bytes / bytesPerMb)} MB`;
  return bytesMax > 0 ? `${used} of ${Math.round(bytesMax / bytesPerMb)} MB` : used;
}

const isQueue = ({ name }: StreamFact): boolean => name === 'DELIVERIES' || name === 'BACKLOG';

function troubleOf(facts: Facts, lines: readonly PartitionLine[]): Trouble[] {
  const { members, catalogAnswers } = facts;
  const missing = kinds.filter((kind) => !members.some(({ service }) => service === kind));
  const silent = missing.map((kind) => ({
    trouble: `No ${kind} answers the roll call.`,
    todo: `Start a ${kind}; one of an earlier build that runs does not answer, so update it, and NATS's users too.`,
  }));
  const noCatalog = {
    trouble: 'No catalog answers: known events sell on, and nothing else works.',
    todo: 'Start a catalog, or look into its log and at its store.',
  };
  return [
    ...silent,
    ...(catalogAnswers ? [] : [noCatalog]),
    ...lines.flatMap(troubleOfPartition),
    ...facts.journals.flatMap(troubleOfJournal),
    ...copyTroubles(facts),
    ...troubleOfRoom(facts),
  ];
}

const decideLoss = 'Run `npx parterre journal verify`, and decide as docs/lost-records.md tells.';

function troubleOfPartition({ partition, state, reason, haltedEvents }: PartitionLine): Trouble[] {
  const troubles: Trouble[] = [];
  if (reason !== null) troubles.push({ trouble: `Partition ${partition} is halted: ${reason}.`, todo: decideLoss });
  else if (state !== 'serving') {
    const todo = 'Wait some seconds after a restart; then look at the shards and their logs, or start one.';
    troubles.push({ trouble: `Partition ${partition} does not serve: ${state}.`, todo });
  }
  if (haltedEvents > 0)
    troubles.push({ trouble: `Partition ${partition} has ${haltedEvents} halted events.`, todo: decideLoss });
  return troubles;
}

function troubleOfJournal({ partition, projector, webhooks }: JournalFact): Trouble[] {
  const troubles: Trouble[] = [];
  const seconds = (ms: number): number => Math.round(ms / 1000);
  if (projector?.halted) {
    const trouble = `The catalog counts JOURNAL-${partition} no further: the stream lacks counted records.`;
    troubles.push({ trouble, todo: decideLoss });
  }
  if (projector && projector.behindMs > projectorBehindMsMax)
    troubles.push({
      trouble: `The catalog is ${seconds(projector.behindMs)} s behind JOURNAL-${partition}.`,
      todo: 'Look into the log of the catalogs and at the load of their store.',
    });
  if (webhooks && webhooks.behindMs > webhooksBehindMsMax)
    troubles.push({
      trouble: `The notifiers are ${seconds(webhooks.behindMs)} s behind JOURNAL-${partition}.`,
      todo: 'Look into the log of the notifiers; start another one if they are busy.',
    });
  return troubles;
}

function troubleOfRoom({ account, members, beats }: Facts): Trouble[] {
  const troubles: Trouble[] = [];
  const todo = 'Give the disk more room, or move the data to a larger one, before it is full.';
  if (account && account.bytesMax > 0 && account.bytes > account.bytesMax * storageUsedShareMax)
    troubles.push({
      trouble: `NATS has ${storageWords(account)} in use.`,
      todo: 'Raise the limit of the account, or give NATS more room.',
    });
  for (const { service, host, disk } of members) {
    if (disk && disk.usedShare > storageUsedShareMax)
      troubles.push({ trouble: `The disk of ${service} on ${host} is ${shareWords(disk.usedShare)} full.`, todo });
  }
  for (const { id, store, disk } of beats) {
    if (store === 'down')
      troubles.push({
        trouble: `The shard ${id} can append to no journal.`,
        todo: 'Look at the NATS servers: JetStream is off, has no majority, or has no room.',
      });
    if (disk === 'full') troubles.push({ trouble: `The disk that the shard ${id} measures is full.`, todo });
  }
  return troubles;
}
