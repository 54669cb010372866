/**
 * Trouble with the copies of streams, buckets and object stores, for `status` and `doctor`. Pure. Every stream has as
 * many copies as the journals. A stream that NATS does not list has no leader, or was deleted: a bucket with one copy
 * is away with its server, and every service that starts waits for it.
 */
import { names, snapshotBucket } from '../../../shared/src/protocol/subjects.ts';
import type { Facts, StreamFact } from '../gather.ts';
import type { Trouble } from './trouble.ts';

export function copyTroubles({ streams, partitions }: Pick<Facts, 'streams' | 'partitions'>): Trouble[] {
  const wanted = copiesOfJournals(streams);
  const listed = new Set(streams.map(({ name }) => name));
  const absent = everyStream(partitions).filter((name) => !listed.has(name));
  return [
    ...absent.map(absence),
    ...streams.filter(({ copiesWanted }) => copiesWanted < wanted).map((stream) => tooFew(stream, wanted)),
    ...streams.flatMap(notWhole),
  ];
}

export function copiesOfJournals(streams: readonly StreamFact[]): number {
  const journals = streams.filter(({ name }) => name.startsWith('JOURNAL-'));
  return Math.max(1, ...journals.map(({ copiesWanted }) => copiesWanted));
}

export function wholeCopies({ copies }: Pick<StreamFact, 'copies'>): number {
  return copies.filter(({ isCurrent, isOffline }) => isCurrent && !isOffline).length;
}

/** "2 of 3 copies up to date: nats-3 is away". */
export function copiesWords(stream: Pick<StreamFact, 'copies' | 'copiesWanted'>): string {
  const behind = stream.copies.filter(({ isCurrent, isOffline }) => !isCurrent || isOffline);
  const words = behind.map(({ server, isOffline, lag }) => {
    if (isOffline) return `${server} is away`;
    return lag === 0 ? `${server} is silent` : `${server} lacks ${lag} messages`;
  });
  const why = words.length > 0 ? `: ${words.join(', ')}` : '';
  return `${wholeCopies(stream)} of ${stream.copiesWanted} copies up to date${why}`;
}

/** Every stream that a deployment has: services make them at its first start. */
function everyStream(partitions: number): string[] {
  const journals = Array.from({ length: partitions }, (_, partition) => names.journalStream(partition));
  const buckets = [`KV_${names.clusterBucket}`, `KV_${names.ownersBucket}`, snapshotBucket.stream];
  return [...journals, ...buckets, names.deliveryStream, names.backlogStream];
}

function absence(name: string): Trouble {
  const todo =
    'Start the missing NATS servers again: a stream without most of its servers has no leader. `npx parterre journal verify` tells a lost journal.';
  return { trouble: `${name} does not answer: it has no leader, or is lost.`, todo };
}

function tooFew({ name, copiesWanted }: StreamFact, wanted: number): Trouble {
  const todo = `Run \`npx parterre copies ${name} ${wanted}\``;
  const why = /^KV_|^OBJ_/.test(name) ? ': it holds what every service needs to start.' : '.';
  return { trouble: `${name} keeps ${copiesWanted} of ${wanted} copies.`, todo: todo + why };
}

function notWhole(stream: StreamFact): Trouble[] {
  const { name, copies, copiesWanted } = stream;
  if (copies.length > 0 && wholeCopies(stream) >= copiesWanted) return [];
  const todo = 'Start the missing NATS server again, and wait until its copies have caught up.';
  return [{ trouble: `${name} has ${copiesWords(stream)}.`, todo }];
}
