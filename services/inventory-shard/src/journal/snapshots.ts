/**
 * Snapshots in the object store. An event has two objects, written in turn, so that the older one remains when a write
 * is cut short or an object is damaged. Each snapshot carries its sequence and the hash of its bytes. A snapshot whose
 * hash does not match is skipped. Without a usable snapshot the whole journal is folded (I6).
 *
 * The metadata also tell how many groups of the event the snapshot has folded, and when the event next changes by
 * itself. The number of groups shows whether the snapshot is current. An event with a current snapshot can therefore
 * stay in the store, unread.
 *
 * Writes: one process runs `snapshotWritesAtOnce` at a time. The writes of one event follow each other. Of an event's
 * waiting snapshots only the newest is written, since it replaces the others.
 *
 * A snapshot may have tens of megabytes. It is packed and hashed in slices (slices.ts), on both ways.
 */
import type { JetStreamManager } from '@nats-io/jetstream';
import { type ObjectInfo, type ObjectStore, setSha256Backend } from '@nats-io/obj';
import type { Logger } from '@parterre/shared/log';
import { createTurns } from '@parterre/shared/turns';
import { decodeKept } from '@parterre/shared/wire';
import type { EventState } from '../rules/state/state.ts';
import {
  type CapturedState,
  capture,
  nextDeadline,
  type Snapshot,
  snapshotVersion,
  toSnapshotInSteps,
} from '../rules/turn/turn.ts';
import { snapshotChunkBytesMax, snapshotsKept, snapshotWritesAtOnce } from './bounds.ts';
import { inSlices, type Turn } from './slices.ts';
import { encodeInSteps, hashInSteps } from './snapshot-encoding.ts';
import { infoOf, readStored } from './stored-objects.ts';

/**
 * The metadata of a stored snapshot. `wakeAt` is in epoch milliseconds, or null when the event has no deadline. `at` is
 * the event's time, absent in the metadata of earlier versions.
 */
export type SnapshotHead = { sequence: number; groups: number; wakeAt: number | null; at?: number };

/** A copy of a state at one sequence. The state goes on changing while the copy waits to be stored. */
export type FrozenSnapshot = Required<SnapshotHead> & { eventKey: string; captured: CapturedState };

export function freeze(state: EventState): FrozenSnapshot {
  return {
    eventKey: state.config.eventKey,
    sequence: state.version,
    groups: state.groups,
    wakeAt: nextDeadline(state),
    at: state.at,
    captured: capture(state),
  };
}

export type SnapshotStore = {
  /** True when this snapshot, or a newer one of the event, is stored. Never throws. */
  store(snapshot: FrozenSnapshot): Promise<boolean>;
  /**
   * The newest intact snapshot that is not ahead of the event's last journaled sequence, or null. `willNeed` is called
   * with its plan's hash before the snapshot is read. Throws only if `lastSequence` rejects.
   */
  load(eventKey: string, lastSequence: Promise<number>, willNeed: (planHash: string) => void): Promise<Snapshot | null>;
  /** The head of the newest snapshot, or null without one. Throws when the store cannot be read. */
  head(eventKey: string): Promise<SnapshotHead | null>;
};

type StoredSnapshot = SnapshotHead & { name: string; hash: string; plan: string; nuid: string; chunks: number };

export function createSnapshotStore(
  objects: ObjectStore,
  manager: JetStreamManager,
  log: Logger,
  turn: Turn,
): SnapshotStore {
  // By default the library hashes in JavaScript, which takes 50 ms for a large snapshot.
  setSha256Backend('native');
  // The platform loads its streams when the first is made, which takes 10 ms. The library makes one for each object.
  new ReadableStream();
  const turns = createTurns(snapshotWritesAtOnce);
  /** By event: the newest snapshot that waits to be written, and the write that will reach it. */
  const waiting = new Map<string, FrozenSnapshot>();
  const writing = new Map<string, Promise<boolean>>();

  /** Newest first. */
  async function storedOf(eventKey: string, ask = (name: string) => objects.info(name)): Promise<StoredSnapshot[]> {
    const infos = await Promise.all(objectNames(eventKey).map(ask));
    return infos
      .filter((info) => info !== null && !info.deleted)
      .map((info) => storedSnapshotOf(info!))
      .sort((a, b) => b.sequence - a.sequence);
  }

  function store(snapshot: FrozenSnapshot): Promise<boolean> {
    const { eventKey } = snapshot;
    waiting.set(eventKey, snapshot);
    let underWay = writing.get(eventKey);
    if (underWay === undefined) {
      underWay = turns(() => writeAll(eventKey));
      writing.set(eventKey, underWay);
    }
    return underWay;
  }

  async function writeAll(eventKey: string): Promise<boolean> {
    let isStored = false;
    for (let next = waiting.get(eventKey); next; next = waiting.get(eventKey)) {
      waiting.delete(eventKey);
      isStored = await write(next);
    }
    writing.delete(eventKey);
    return isStored;
  }

  /** Overwrites the older of the event's two objects. */
  async function write({ eventKey, sequence, groups, wakeAt, at, captured }: FrozenSnapshot): Promise<boolean> {
    try {
      const newest = (await storedOf(eventKey))[0];
      const name = objectNames(eventKey).find((each) => each !== newest?.name)!;
      const snapshot = await inSlices(turn, toSnapshotInSteps(captured));
      const bytes = await inSlices(turn, encodeInSteps(snapshot));
      const metadata = {
        sequence: String(sequence),
        groups: String(groups),
        wakeAt: wakeAt === null ? never : String(wakeAt),
        at: String(at),
        plan: captured.config.planHash,
        hash: await inSlices(turn, hashInSteps(bytes)),
      };
      await objects.putBlob({ name, metadata, options: { max_chunk_size: snapshotChunkBytesMax } }, bytes);
      return true;
    } catch (error) {
      log.warn({ err: error, eventKey }, 'the snapshot was not stored');
      return false;
    }
  }

  const load: SnapshotStore['load'] = async (eventKey, end, willNeed) => {
    const [lastSequence, candidates] = await Promise.all([end, readableOf(eventKey)]);
    for (const stored of candidates) {
      const { hash, sequence, plan } = stored;
      if (sequence > lastSequence) {
        log.error(
          { eventKey, sequence, lastSequence },
          'the snapshot is ahead of the journal: the journal has lost records',
        );
        continue;
      }
      if (plan) willNeed(plan);
      try {
        const bytes = await readStored(objects, manager, turn, stored);
        const snapshot =
          bytes && (await inSlices(turn, hashInSteps(bytes))) === hash ? decodeKept<Snapshot>(bytes) : null;
        if (snapshot?.v === snapshotVersion) return snapshot;
        log.warn({ eventKey, sequence }, 'the snapshot is damaged or has another version, it is skipped');
      } catch (error) {
        log.warn({ err: error, eventKey, sequence }, 'the snapshot cannot be read, it is skipped');
      }
    }
    return null;
  };

  async function readableOf(eventKey: string): Promise<StoredSnapshot[]> {
    try {
      return await storedOf(eventKey, (name) => infoOf(objects, manager, name));
    } catch (error) {
      log.warn({ err: error, eventKey }, 'the snapshots cannot be listed, the whole journal is folded');
      return [];
    }
  }

  return { store, load, head: async (eventKey) => (await storedOf(eventKey))[0] ?? null };
}

const never = 'never';

/** Missing or unreadable metadata give NaN, which equals nothing. A snapshot with such metadata counts as outdated. */
function storedSnapshotOf({ name, nuid, chunks, metadata }: ObjectInfo): StoredSnapshot {
  const { sequence, groups, wakeAt, at, plan, hash } = metadata ?? {};
  return {
    name,
    nuid,
    chunks,
    sequence: Number(sequence ?? 0),
    groups: Number(groups ?? Number.NaN),
    wakeAt: wakeAt === never ? null : Number(wakeAt ?? Number.NaN),
    ...(at !== undefined && { at: Number(at) }),
    plan: plan ?? '',
    hash: hash ?? '',
  };
}

function objectNames(eventKey: string): string[] {
  return Array.from({ length: snapshotsKept }, (_, index) => `${eventKey}.${index}`);
}
