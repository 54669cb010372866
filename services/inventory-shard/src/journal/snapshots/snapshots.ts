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
 * waiting snapshots only the newest is written, since it replaces the others. Another process may write the same
 * objects (slots.ts).
 *
 * A snapshot may have tens of megabytes. It is packed and hashed in slices (slices.ts), on both ways.
 */

import { createHash } from 'node:crypto';
import type { JetStreamManager } from '@nats-io/jetstream';
import { type ObjectStore, setSha256Backend } from '@nats-io/obj';
import { type Link, textOfLink } from '@parterre/shared/protocol/journal/links';
import { encodeKept } from '@parterre/shared/protocol/wire';
import { createLimiter } from '@parterre/shared/runtime/limiter';
import type { Logger } from '@parterre/shared/runtime/log';
import type { Steps } from '../../rules/packed/packed.ts';
import type { EventState } from '../../rules/state/state.ts';
import {
  type CapturedState,
  capture,
  nextDeadline,
  readSnapshot,
  type Snapshot,
  toSnapshotInSteps,
} from '../../rules/turn/turn.ts';
import { snapshotStepBytes, snapshotWriteAttemptsMax, snapshotWritesAtOnce } from '../bounds.ts';
import { inSlices, type Turn } from '../slices.ts';
import {
  type EncodedSnapshot,
  never,
  replace,
  type SnapshotHead,
  type StoredSnapshot,
  sequenceIn,
  slotsOf,
} from './slots.ts';
import { infoOf, readStored } from './stored-objects.ts';

export type { SnapshotHead } from './slots.ts';
/** A copy of a state at one sequence. The state goes on changing while the copy waits to be stored. */
export type FrozenSnapshot = Required<SnapshotHead> & { eventKey: string; captured: CapturedState };

/** `link` is the event's link behind its part at the state's version. */
export function freeze(state: EventState, link: Link): FrozenSnapshot {
  return {
    eventKey: state.config.eventKey,
    sequence: state.version,
    link,
    groups: state.groups,
    wakeAt: nextDeadline(state),
    at: state.at,
    captured: capture(state),
  };
}

export type LoadPorts = {
  judge(head: SnapshotHead): Promise<boolean>;
  willNeed(planHash: string): void;
};

/** A snapshot, and the event's link behind its last part. */
export type StoredState = { snapshot: Snapshot; link: Link };

export type SnapshotStore = {
  /** True when this snapshot, or a newer one of the event, is stored. Never throws. */
  store(snapshot: FrozenSnapshot): Promise<boolean>;
  /**
   * The newest intact snapshot that `judge` takes, or null. `judge` gets the head of a snapshot, intact or not, before
   * it is read. It throws where the journal does not have that part, and resolves with false where the operator has
   * accepted the loss. `willNeed` is called with the plan's hash before a snapshot is read. Throws only if `judge`
   * throws.
   */
  load(eventKey: string, ports: LoadPorts): Promise<StoredState | null>;
  /** The head of the newest snapshot, or null without one. Throws when the store cannot be read. */
  head(eventKey: string): Promise<SnapshotHead | null>;
};

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
  const limit = createLimiter(snapshotWritesAtOnce);
  /** By event: the newest snapshot that waits to be written, and the write that will reach it. */
  const waiting = new Map<string, FrozenSnapshot>();
  const writing = new Map<string, Promise<boolean>>();

  const atLeader = (name: string) => objects.info(name);

  /** Newest first. */
  async function storedOf(eventKey: string, ask = atLeader): Promise<StoredSnapshot[]> {
    return (await slotsOf(ask, eventKey)).flatMap(({ stored }) => stored ?? []);
  }

  function store(snapshot: FrozenSnapshot): Promise<boolean> {
    const { eventKey } = snapshot;
    waiting.set(eventKey, snapshot);
    let underWay = writing.get(eventKey);
    if (underWay === undefined) {
      underWay = limit(() => writeAll(eventKey));
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

  async function write(frozen: FrozenSnapshot): Promise<boolean> {
    const { eventKey, sequence } = frozen;
    try {
      const snapshot = await encoded(frozen);
      for (let attempt = 0; attempt < snapshotWriteAttemptsMax; attempt++) {
        const slots = await slotsOf(atLeader, eventKey);
        if (attempt > 0 && sequenceIn(slots[0]!) > sequence) return true;
        if (await replace(objects, slots.at(-1)!, snapshot)) return true;
      }
      log.warn({ eventKey, sequence }, 'the snapshot was not stored: its objects keep changing');
    } catch (error) {
      log.warn({ err: error, eventKey }, 'the snapshot was not stored');
    }
    return false;
  }

  async function encoded({ sequence, link, groups, wakeAt, at, captured }: FrozenSnapshot): Promise<EncodedSnapshot> {
    const snapshot = await inSlices(turn, toSnapshotInSteps(captured));
    const bytes = await inSlices(turn, encodeInSteps(snapshot));
    const metadata = {
      sequence: String(sequence),
      link: textOfLink(link),
      groups: String(groups),
      wakeAt: wakeAt === null ? never : String(wakeAt),
      at: String(at),
      plan: captured.config.planHash,
      hash: await inSlices(turn, hashInSteps(bytes)),
    };
    return { bytes, metadata };
  }

  const load: SnapshotStore['load'] = async (eventKey, { judge, willNeed }) => {
    const candidates = await readableOf(eventKey);
    for (const stored of candidates) {
      if (!(await judge(stored))) continue;
      const { hash, sequence, link, plan } = stored;
      if (plan) willNeed(plan);
      try {
        const bytes = await readStored(objects, manager, turn, stored);
        const isIntact = bytes !== null && (await inSlices(turn, hashInSteps(bytes))) === hash;
        const snapshot = isIntact ? readSnapshot(`read the snapshot of ${eventKey} at ${sequence}`, bytes) : null;
        if (snapshot) return { snapshot, link };
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

/** The markers of msgpack for a map of up to 2^16 fields, and for up to 2^32 bytes. */
const map16 = 0xde;

const bin32 = 0xc6;

/**
 * A snapshot as bytes, made and hashed in steps. The bytes are plain msgpack: a map of the snapshot's fields. The
 * library encodes a value in one go, and grows its buffer on the way, which takes tens of milliseconds for a large
 * event. Here the library encodes field by field, and the fields that are bytes already are copied piece by piece.
 *
 * `decodeKept` reads the result.
 */
export function* encodeInSteps(snapshot: Snapshot): Steps<Uint8Array> {
  const fields = Object.entries(snapshot);
  const pieces: Uint8Array[] = [Uint8Array.of(map16, fields.length >> 8, fields.length & 0xff)];
  for (const [name, value] of fields) {
    pieces.push(encodeKept(name));
    if (value instanceof Uint8Array) {
      const head = Buffer.from([bin32, 0, 0, 0, 0]);
      head.writeUInt32BE(value.length, 1);
      pieces.push(head, value);
    } else pieces.push(encodeKept(value));
    yield;
  }
  return yield* joined(pieces);
}

function* joined(pieces: readonly Uint8Array[]): Steps<Uint8Array> {
  const bytes = Buffer.allocUnsafe(pieces.reduce((sum, piece) => sum + piece.length, 0));
  let length = 0;
  for (const piece of pieces) {
    for (let at = 0; at < piece.length; at += snapshotStepBytes) {
      const part = piece.subarray(at, at + snapshotStepBytes);
      bytes.set(part, length);
      length += part.length;
      if (part.length === snapshotStepBytes) yield;
    }
  }
  return bytes;
}

/** SHA-256, in base64url. */
export function* hashInSteps(bytes: Uint8Array): Steps<string> {
  const hash = createHash('sha256');
  for (let at = 0; at < bytes.length; at += snapshotStepBytes) {
    hash.update(bytes.subarray(at, at + snapshotStepBytes));
    yield;
  }
  return hash.digest('base64url');
}
