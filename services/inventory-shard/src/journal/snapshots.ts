/**
 * Snapshots in the object store: two objects an event, written in turn, so that the one before is there when a write
 * is cut short or rots. Each carries the sequence it stands for and the hash of its bytes; what fails the hash is
 * passed over, and without one that holds the whole journal is folded (I6).
 *
 * Each also tells, without being read: how many groups of the event are folded in, which shows whether the journal has
 * gone on since, and when the event next changes by itself. So an event whose snapshot is current can wait in the store.
 *
 * Writes: `snapshotWritesAtOnce` in one process; of one event, one follows the other, and of those that wait only the
 * newest is written, since it stands for them all.
 */
import type { JetStreamManager } from '@nats-io/jetstream';
import { type ObjectInfo, type ObjectStore, setSha256Backend } from '@nats-io/obj';
import { sha256 } from '@parterre/shared/ids';
import type { Logger } from '@parterre/shared/log';
import { snapshotBucket } from '@parterre/shared/subjects';
import { createTurns } from '@parterre/shared/turns';
import { decodeKept, encodeKept } from '@parterre/shared/wire';
import { snapshotChunkBytesMax, snapshotsKept, snapshotWritesAtOnce } from '../rules/state/bounds.ts';
import type { EventState } from '../rules/state/state.ts';
import { nextDeadline } from '../rules/turn/due.ts';
import { type CapturedState, capture, type Snapshot, snapshotVersion, toSnapshot } from '../rules/turn/snapshot.ts';

/** What a stored snapshot says of itself; `wakeAt` in epoch milliseconds, or null when nothing is due ever. */
export type SnapshotHead = { sequence: number; groups: number; wakeAt: number | null };

/** A state as it was: it goes on changing while this waits to be stored. */
export type FrozenSnapshot = SnapshotHead & { eventKey: string; captured: CapturedState };

export function freeze(state: EventState): FrozenSnapshot {
  return {
    eventKey: state.config.eventKey,
    sequence: state.version,
    groups: state.groups,
    wakeAt: nextDeadline(state),
    captured: capture(state),
  };
}

export type SnapshotStore = {
  /** Whether it stands in the store now, or a newer one of the event. Never throws. */
  store(snapshot: FrozenSnapshot): Promise<boolean>;
  /**
   * The newest that holds and is not ahead of the event's last journaled sequence, or null. `willNeed` hears of the plan
   * it builds on before it is read. Throws only what `lastSequence` is rejected with.
   */
  load(eventKey: string, lastSequence: Promise<number>, willNeed: (planHash: string) => void): Promise<Snapshot | null>;
  /** What the newest says of itself, or null without one. Throws when the store cannot be read. */
  head(eventKey: string): Promise<SnapshotHead | null>;
};

type Slot = SnapshotHead & { name: string; hash: string; plan: string; nuid: string; chunks: number };

export function createSnapshotStore(objects: ObjectStore, manager: JetStreamManager, log: Logger): SnapshotStore {
  // The library's own hash is JavaScript unless told otherwise: 50 ms for a large snapshot.
  setSha256Backend('native');
  const turns = createTurns(snapshotWritesAtOnce);
  /** By event: the newest that waits to be written, and the writing that will come to it. */
  const waiting = new Map<string, FrozenSnapshot>();
  const writing = new Map<string, Promise<boolean>>();

  /** Newest first. */
  async function slotsOf(eventKey: string): Promise<Slot[]> {
    const infos = await Promise.all(slotNames(eventKey).map((name) => objects.info(name)));
    return infos
      .filter((info) => info !== null && !info.deleted)
      .map((info) => slotOf(info!))
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

  /** Into the slot that does not hold the newest. */
  async function write({ eventKey, sequence, groups, wakeAt, captured }: FrozenSnapshot): Promise<boolean> {
    try {
      const newest = (await slotsOf(eventKey))[0];
      const name = slotNames(eventKey).find((slot) => slot !== newest?.name)!;
      const bytes = encodeKept(toSnapshot(captured));
      const metadata = {
        sequence: String(sequence),
        groups: String(groups),
        wakeAt: wakeAt === null ? never : String(wakeAt),
        plan: captured.config.planHash,
        hash: sha256(bytes),
      };
      await objects.putBlob({ name, metadata, options: { max_chunk_size: snapshotChunkBytesMax } }, bytes);
      return true;
    } catch (error) {
      log.warn({ err: error, eventKey }, 'snapshot not stored');
      return false;
    }
  }

  const load: SnapshotStore['load'] = async (eventKey, end, willNeed) => {
    const [lastSequence, slots] = await Promise.all([end, readableSlotsOf(eventKey)]);
    for (const slot of slots) {
      const { hash, sequence, plan } = slot;
      if (sequence > lastSequence) {
        log.error({ eventKey, sequence, lastSequence }, 'snapshot is ahead of the journal, which has lost records');
        continue;
      }
      if (plan) willNeed(plan);
      try {
        const bytes = await bytesOf(slot);
        const snapshot = bytes && sha256(bytes) === hash ? decodeKept<Snapshot>(bytes) : null;
        if (snapshot?.v === snapshotVersion) return snapshot;
        log.warn({ eventKey, sequence }, 'snapshot is damaged or of another form, passed over');
      } catch (error) {
        log.warn({ err: error, eventKey, sequence }, 'snapshot cannot be read, passed over');
      }
    }
    return null;
  };

  /** Nearly all are one message, which is there for the asking; the library makes a consumer for every object it reads. */
  async function bytesOf({ name, nuid, chunks }: Slot): Promise<Uint8Array | null> {
    const { stream, chunk } = snapshotBucket;
    const message = chunks === 1 ? await manager.direct.getMessage(stream, { last_by_subj: chunk(nuid) }) : null;
    // A replica of the bucket may lag behind what it was asked for.
    return message?.data ?? (await objects.getBlob(name));
  }

  async function readableSlotsOf(eventKey: string): Promise<Slot[]> {
    try {
      return await slotsOf(eventKey);
    } catch (error) {
      log.warn({ err: error, eventKey }, 'snapshots cannot be found, the whole journal is folded');
      return [];
    }
  }

  return { store, load, head: async (eventKey) => (await slotsOf(eventKey))[0] ?? null };
}

const never = 'never';

/** Metadata that is missing or unreadable gives NaN, which is equal to nothing: such a snapshot counts as not current. */
function slotOf({ name, nuid, chunks, metadata }: ObjectInfo): Slot {
  const { sequence, groups, wakeAt, plan, hash } = metadata ?? {};
  return {
    name,
    nuid,
    chunks,
    sequence: Number(sequence ?? 0),
    groups: Number(groups ?? Number.NaN),
    wakeAt: wakeAt === never ? null : Number(wakeAt ?? Number.NaN),
    plan: plan ?? '',
    hash: hash ?? '',
  };
}

function slotNames(eventKey: string): string[] {
  return Array.from({ length: snapshotsKept }, (_, slot) => `${eventKey}.${slot}`);
}
