/**
 * Snapshots in the object store: two objects an event, written in turn, so that the one before is there when a write
 * is cut short or rots. Each carries the sequence it stands for and the hash of its bytes; what fails the hash is
 * passed over, and without one that holds the whole journal is folded (I6).
 */
import type { ObjectStore } from '@nats-io/obj';
import { sha256 } from '@parterre/shared/ids';
import { snapshotsKept } from '@parterre/shared/limits';
import type { Logger } from '@parterre/shared/log';
import { decodeKept, encodeKept } from '@parterre/shared/wire';
import { type Snapshot, toSnapshot } from '../rules/snapshot.ts';
import type { EventState } from '../rules/state.ts';

/** A state made into bytes: it goes on changing while they wait to be stored. */
export type FrozenSnapshot = { eventKey: string; sequence: number; bytes: Uint8Array };

export function freeze(state: EventState): FrozenSnapshot {
  return { eventKey: state.config.eventKey, sequence: state.version, bytes: encodeKept(toSnapshot(state)) };
}

export type SnapshotStore = {
  /** Never throws: a snapshot that cannot be stored only makes the next recovery longer. */
  store(snapshot: FrozenSnapshot): Promise<void>;
  /** The newest that holds and is not ahead of the event's last journaled sequence, or null. */
  load(eventKey: string, lastSequence: number): Promise<Snapshot | null>;
};

export function createSnapshotStore(objects: ObjectStore, log: Logger): SnapshotStore {
  /** The last write of each event: one follows the other. */
  const writing = new Map<string, Promise<void>>();

  async function found(eventKey: string): Promise<{ name: string; sequence: number; hash: string }[]> {
    const infos = await Promise.all(slotNames(eventKey).map((name) => objects.info(name)));
    return infos
      .filter((info) => info !== null && !info.deleted)
      .map((info) => ({
        name: info!.name,
        sequence: Number(info!.metadata?.sequence ?? 0),
        hash: info!.metadata?.hash ?? '',
      }))
      .sort((a, b) => b.sequence - a.sequence);
  }

  async function store(snapshot: FrozenSnapshot): Promise<void> {
    const { eventKey } = snapshot;
    const turn = (writing.get(eventKey) ?? Promise.resolve()).then(() => write(snapshot));
    writing.set(eventKey, turn);
    await turn;
    if (writing.get(eventKey) === turn) writing.delete(eventKey);
  }

  /** Into the slot that does not hold the newest. */
  async function write({ eventKey, sequence, bytes }: FrozenSnapshot): Promise<void> {
    try {
      const newest = (await found(eventKey))[0];
      const name = slotNames(eventKey).find((slot) => slot !== newest?.name)!;
      await objects.putBlob({ name, metadata: { sequence: String(sequence), hash: sha256(bytes) } }, bytes);
    } catch (error) {
      log.warn({ err: error, eventKey }, 'snapshot not stored');
    }
  }

  async function load(eventKey: string, lastSequence: number): Promise<Snapshot | null> {
    for (const { name, hash, sequence } of await found(eventKey)) {
      if (sequence > lastSequence) {
        log.error({ eventKey, sequence, lastSequence }, 'snapshot is ahead of the journal, which has lost records');
        continue;
      }
      try {
        const bytes = await objects.getBlob(name);
        if (bytes && sha256(bytes) === hash) return decodeKept<Snapshot>(bytes);
        log.warn({ eventKey, sequence }, 'snapshot is damaged, passed over');
      } catch (error) {
        log.warn({ err: error, eventKey, sequence }, 'snapshot cannot be read, passed over');
      }
    }
    return null;
  }

  return { store, load };
}

function slotNames(eventKey: string): string[] {
  return Array.from({ length: snapshotsKept }, (_, slot) => `${eventKey}.${slot}`);
}
