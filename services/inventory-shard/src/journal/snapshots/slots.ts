/**
 * The two objects of an event in the snapshots' bucket, and the conditional write of one of them.
 *
 * States of a write: both objects are read, and the older is chosen → its pieces are sent → it is replaced, if it still
 * has the revision that was read. Otherwise another process has written it meanwhile: a deposed owner, or this owner's
 * heir. The write then reads both again, and ends if a newer snapshot stands there by now. A blind write could replace
 * the heir's newest snapshot by an older state, and the heir's next load would replay more. `docs/model/snapshots.pml`
 * has both writes. Failure at each await: the write throws, and may still land, or not. It lands only on the revision
 * that it expects.
 *
 * Before a write both objects are read from the leader of the bucket's stream: a copy may lag.
 */
import { JetStreamApiCodes, JetStreamApiError } from '@nats-io/jetstream';
import type { ObjectInfo, ObjectStore } from '@nats-io/obj';
import { type Link, linkFromText } from '@parterre/shared/protocol/journal/links';
import { snapshotChunkBytesMax, snapshotsKept } from '../bounds.ts';

/**
 * The metadata of a stored snapshot. `wakeAt` is in epoch milliseconds, or null when the event has no deadline. `at` is
 * the event's time. `link` is the event's link behind its part at `sequence` (I9).
 */
export type SnapshotHead = { sequence: number; link: Link; groups: number; wakeAt: number | null; at: number };

export type StoredSnapshot = SnapshotHead & { name: string; hash: string; plan: string; nuid: string; chunks: number };

export type EncodedSnapshot = { bytes: Uint8Array; metadata: Record<string, string> };

/** Asks the bucket for the metadata of an object. Null without the object. */
export type AskInfo = (name: string) => Promise<ObjectInfo | null>;

/** An object of an event. `stored` is null without a snapshot, `revision` is 0 without an object. */
export type Slot = { name: string; revision: number; stored: StoredSnapshot | null };

/** The newest first, and objects without a snapshot last. */
export async function slotsOf(ask: AskInfo, eventKey: string): Promise<Slot[]> {
  // Of two objects without a snapshot the first is the last here, and is written first.
  const slots = objectNames(eventKey)
    .reverse()
    .map(async (name): Promise<Slot> => {
      const info = await ask(name);
      const stored = info && !info.deleted ? storedSnapshotOf(info) : null;
      return { name, revision: info?.revision ?? 0, stored };
    });
  return (await Promise.all(slots)).sort((a, b) => sequenceIn(b) - sequenceIn(a));
}

/** False when the object was written since it was read. */
export async function replace(
  objects: ObjectStore,
  { name, revision }: Slot,
  { bytes, metadata }: EncodedSnapshot,
): Promise<boolean> {
  try {
    const options = { max_chunk_size: snapshotChunkBytesMax };
    await objects.putBlob({ name, metadata, options }, bytes, { previousRevision: revision });
    return true;
  } catch (error) {
    if (error instanceof JetStreamApiError && error.code === JetStreamApiCodes.StreamWrongLastSequence) return false;
    throw error;
  }
}

/** The metadata of an event without a deadline. */
export const never = 'never';

/** -1 without a snapshot. */
export function sequenceIn({ stored }: Slot): number {
  return stored?.sequence ?? -1;
}

/**
 * Missing or unreadable metadata give NaN, which equals nothing. A snapshot with such metadata counts as outdated. An
 * object without a link is no snapshot: nothing ties it to a history.
 */
function storedSnapshotOf({ name, nuid, chunks, metadata }: ObjectInfo): StoredSnapshot | null {
  const link = linkFromText(metadata?.link ?? '');
  if (!link) return null;
  const { sequence, groups, wakeAt, at, plan, hash } = metadata ?? {};
  return {
    name,
    nuid,
    chunks,
    link,
    sequence: Number(sequence ?? 0),
    groups: Number(groups ?? Number.NaN),
    wakeAt: wakeAt === never ? null : Number(wakeAt ?? Number.NaN),
    at: Number(at ?? Number.NaN),
    plan: plan ?? '',
    hash: hash ?? '',
  };
}

function objectNames(eventKey: string): string[] {
  return Array.from({ length: snapshotsKept }, (_, index) => `${eventKey}.${index}`);
}
