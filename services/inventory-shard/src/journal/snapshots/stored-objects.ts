/**
 * Reads an object of the snapshots' bucket. Nearly every snapshot is one message, which is read directly: the library
 * creates a consumer for every object that it reads, and asks the bucket's leader for metadata.
 *
 * An object of several pieces is joined piece by piece as they come, in slices (slices.ts). Failure while they come:
 * the library rejects both the pieces and the object's `error`, and the read throws.
 */
import type { JetStreamManager } from '@nats-io/jetstream';
import type { ObjectInfo, ObjectStore } from '@nats-io/obj';
import { Fault } from '@parterre/shared/protocol/errors';
import { snapshotBucket } from '@parterre/shared/protocol/subjects';
import { systemClock } from '@parterre/shared/runtime/clock';
import { askAgain } from '../../ask-again.ts';
import { snapshotReadAgainMs } from '../bounds.ts';
import { laterTurn, type Turn } from '../slices.ts';

/**
 * The metadata of an object, from any replica of the bucket: a bucket without a leader answers too. A replica that lags
 * behind may tell the object before, or none. Null without the object.
 */
export async function infoOf(
  objects: Pick<ObjectStore, 'info'>,
  manager: JetStreamManager,
  name: string,
): Promise<ObjectInfo | null> {
  const { stream, meta } = snapshotBucket;
  const told = askedAgain(() => manager.direct.getMessage(stream, { last_by_subj: meta(name) }));
  return told.then(
    (message) => message?.json<ObjectInfo>() ?? null,
    () => objects.info(name),
  );
}

/** Null without the object. */
export async function readStored(
  objects: ObjectStore,
  manager: JetStreamManager,
  turn: Turn,
  { name, nuid, chunks }: { name: string; nuid: string; chunks: number },
): Promise<Uint8Array | null> {
  const { stream, chunk } = snapshotBucket;
  const ask = () => manager.direct.getMessage(stream, { last_by_subj: chunk(nuid) });
  const message = chunks === 1 ? await askedAgain(ask) : null;
  // The bucket's replica may lag behind. Then the library reads the object.
  return message?.data ?? (await joined(objects, turn, name));
}

/** NATS hands a question to any copy of the bucket, and for some seconds also to a server that hangs. */
function askedAgain<T>(ask: () => Promise<T>): Promise<T> {
  return askAgain(systemClock, snapshotReadAgainMs, ask);
}

async function joined(objects: ObjectStore, turn: Turn, name: string): Promise<Uint8Array | null> {
  const object = await objects.get(name);
  if (!object) return null;
  const bytes = Buffer.allocUnsafeSlow(object.info.size);
  let length = 0;
  const join = async (): Promise<void> => {
    for await (const piece of object.data) {
      if (turn.isOver()) await laterTurn(turn);
      bytes.set(piece, length);
      length += piece.length;
    }
  };
  const [error] = await Promise.all([object.error, join()]);
  if (error || length !== bytes.length) throw new Fault(`read the object ${name}`, error);
  return bytes;
}
