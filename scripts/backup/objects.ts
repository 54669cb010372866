/**
 * The objects of the snapshots' bucket. They are copied by name, with their metadata: their messages have names that a
 * new bucket makes anew.
 *
 * A shard may replace an object while it is read. The read then finds no bytes, or other bytes than the object's digest
 * names, and starts again with the object's new head. An object that is replaced `triesMax` times in a row is left out:
 * its event has another one, and the whole journal.
 */
import { createHash } from 'node:crypto';
import type { ObjectInfo, ObjectStore } from '@nats-io/obj';
import { snapshotBucket } from '../../shared/src/protocol/subjects.ts';
import type { JetStreams } from './messages.ts';

export type ObjectRow = [name: string, metadata: Record<string, string>, bytes: Uint8Array];

const triesMax = 5;
const readMsMax = 30_000;
const atOnce = 8;
/** As the shards write them (bounds.ts of the journal). */
export const chunkBytesMax = 1024 * 1024;

export async function* objectsOf({ manager }: JetStreams, objects: ObjectStore): AsyncGenerator<ObjectRow> {
  const heads = (await objects.list()).filter(({ deleted }) => !deleted);
  for (let at = 0; at < heads.length; at += atOnce) {
    const some = heads.slice(at, at + atOnce).map((head) => readObject(manager, objects, head));
    for (const row of await Promise.all(some)) if (row !== null) yield row;
  }
}

async function readObject(
  manager: JetStreams['manager'],
  objects: ObjectStore,
  listed: ObjectInfo,
): Promise<ObjectRow | null> {
  let head: ObjectInfo | null = listed;
  for (let tries = 0; tries < triesMax && head !== null && !head.deleted; tries++) {
    const bytes = await bytesOf(manager, objects, head);
    if (bytes !== null && digestOf(bytes) === head.digest) return [head.name, head.metadata ?? {}, bytes];
    head = await objects.info(listed.name);
  }
  return null;
}

async function bytesOf(
  manager: JetStreams['manager'],
  objects: ObjectStore,
  { name, nuid, chunks }: ObjectInfo,
): Promise<Uint8Array | null> {
  const { stream, chunk } = snapshotBucket;
  if (chunks === 0) return new Uint8Array();
  if (chunks === 1) return (await manager.streams.getMessage(stream, { last_by_subj: chunk(nuid) }))?.data ?? null;
  const object = await objects.get(name);
  if (object === null || object.info.nuid !== nuid) return null;
  const pieces: Uint8Array[] = [];
  const join = async (): Promise<boolean> => {
    for await (const piece of object.data) pieces.push(piece);
    return (await object.error) === null;
  };
  const late = new Promise<false>((resolve) => void setTimeout(() => resolve(false), readMsMax).unref());
  const isWhole = await Promise.race([join().catch(() => false), late]);
  return isWhole ? Buffer.concat(pieces) : null;
}

/** As the object store writes it: base64url with its padding. */
function digestOf(bytes: Uint8Array): string {
  const hash = createHash('sha256').update(bytes).digest('base64');
  return `SHA-256=${hash.replaceAll('+', '-').replaceAll('/', '_')}`;
}
