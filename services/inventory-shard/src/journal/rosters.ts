/**
 * The roster of a partition in the object store: the deadlines of its events as they stood at one sequence of its
 * stream. A roster follows from the journal alone and is never wrong: events with a message behind `upTo` may have
 * other deadlines by now, and all others have theirs until the end of the stream. It may be old, missing or damaged. A
 * roster whose hash does not match, or of another version, counts as missing.
 */
import type { ObjectStore } from '@nats-io/obj';
import { sha256 } from '@parterre/shared/protocol/ids';
import { readStored, type StoredForm } from '@parterre/shared/protocol/stored';
import { encodeKept } from '@parterre/shared/protocol/wire';
import type { Logger } from '@parterre/shared/runtime/log';
import { snapshotChunkBytesMax } from './bounds.ts';

/**
 * An event with a deadline: the times of the deadline and of the event, in epoch milliseconds. An event that is not
 * named has no deadline.
 */
export type RosterEntry = [eventKey: string, wakeAt: number, at: number];

/** `upTo`: the sequence of the last message that the entries know of. */
export type Roster = { upTo: number; events: RosterEntry[] };

export type RosterStore = {
  /** Null without a usable roster. Throws when the store cannot be read. */
  load(): Promise<Roster | null>;
  /** Never throws: the roster before stays in use. */
  store(roster: Roster): Promise<void>;
};

type StoredRoster = Roster & { v: typeof rosterVersion };

const rosterVersion = 1;
const rosterForm: StoredForm<StoredRoster> = { v: 'number', upTo: 'number', events: 'list' };

export function createRosterStore(objects: ObjectStore, partition: number, log: Logger): RosterStore {
  // No snapshot has this name: event keys have no dot.
  const name = `_.roster.${partition}`;

  async function load(): Promise<Roster | null> {
    const info = await objects.info(name);
    if (!info || info.deleted) return null;
    const bytes = await objects.getBlob(name);
    if (!bytes || sha256(bytes) !== info.metadata?.hash) return null;
    const { v, upTo, events } = readStored(`read the roster of partition ${partition}`, bytes, rosterForm);
    return v === rosterVersion ? { upTo, events } : null;
  }

  async function store(roster: Roster): Promise<void> {
    try {
      const bytes = encodeKept({ v: rosterVersion, ...roster } satisfies StoredRoster);
      const metadata = { hash: sha256(bytes) };
      await objects.putBlob({ name, metadata, options: { max_chunk_size: snapshotChunkBytesMax } }, bytes);
    } catch (error) {
      log.warn({ err: error, partition }, 'the roster was not stored');
    }
  }

  return { load, store };
}
