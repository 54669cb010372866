/**
 * The projector: the journal → answers that need no event's actor: units sold and states of events, bookings, the audit
 * log, credits used. Any number of catalogs may project at once, and any may be killed at any moment: a document never
 * counts a group twice (rules/views.ts, project-batches.ts).
 *
 * Projections can be rebuilt from sequence 1 while everything serves: as a generation of their own, beside the current
 * one, which they replace once they have counted as far. Readers see complete and correct projections before and after.
 *
 *   current only → (projections.rebuild) → current + building → (building has caught up) → current only, old retired
 *                                                               → (`generationKeepMs` later) → old one deleted
 *
 * A rebuild is also the way out of a loss (journal-reader.ts): the new generation counts the journal that is there, and
 * its positions belong to this journal's history.
 *
 * One version-checked document has the state (generations.ts). Every catalog looks at it and reads the journal for the
 * generations that it names. A rebuild therefore goes on when the catalog that began it dies.
 *
 * On failure, at each await of a look: the document cannot be read → nothing changes until it can; collections cannot
 * be prepared, or the turn or a deletion fails or another catalog overtakes it → the next look tries again; the process
 * dies between two deletions → the generation is still retired, and the rest of it goes later. A catalog that does not
 * know of a turn yet reads and counts the old generation, which stays correct while it exists. A catalog that slept for
 * longer than `generationKeepMs` may write some documents of a deleted generation, which nobody reads.
 */
import { setMaxListeners } from 'node:events';
import { jetstreamManager } from '@nats-io/jetstream';
import type { Changed } from '@parterre/shared/protocol/catalog-api';
import { names } from '@parterre/shared/protocol/subjects';
import { type Clock, pauseUnless } from '@parterre/shared/runtime/clock';
import { type Behind, behindIn } from '@parterre/shared/runtime/lag-watch';
import type { Logger } from '@parterre/shared/runtime/log';
import type { NatsConnection } from '@parterre/shared/runtime/nats';
import type { Pace } from '@parterre/shared/runtime/pace';
import { isStreamMissing } from '@parterre/shared/runtime/stored-message';
import { viewsOf } from '../store/collections.ts';
import { generationPollMs, turnOverPollMs } from '../store/rules/bounds.ts';
import type { Generations } from '../store/rules/records.ts';
import type { Store } from '../store/store.ts';
import { createEventOwners } from './event-owners.ts';
import { currentViews, dropRetired, positionsOf, prepareViews, readGenerations, turnOver } from './generations.ts';
import type { Halts } from './halts.ts';
import { readJournals } from './journal-reader.ts';

export type ProjectorPorts = {
  nats: NatsConnection;
  store: Store;
  clock: Clock;
  pace: Pace;
  announce: (changed: Changed) => void;
  halts: Halts;
  log: Logger;
};

/** A reader listens in its pull and in its pause. */
const listenersOfReader = 4;

export type Projector = { stop(): Promise<void> };

/** Follows the journals of all partitions until it is stopped, waiting for those that do not exist yet. */
export function startProjector(ports: ProjectorPorts, partitions: number): Projector {
  const stopping = new AbortController();
  const watching = watch(ports, partitions, stopping.signal);
  return {
    async stop() {
      stopping.abort();
      await watching;
    },
  };
}

type Reading = { stop: AbortController; ended: Promise<void> };

/** Reads the journal for the generations that count, while they count. Never rejects. */
async function watch(ports: ProjectorPorts, partitions: number, stopping: AbortSignal): Promise<void> {
  const { store, clock, log } = ports;
  const streams = streamsOf(partitions);
  const shared = { ...ports, owners: createEventOwners(store, clock) };
  const readings = new Map<number, Reading>();
  let current: number | null = null;

  async function look(): Promise<Generations> {
    const standing = await readGenerations(store);
    const wanted = [standing.current, ...(standing.building === null ? [] : [standing.building])];
    current = standing.current;
    for (const [generation, reading] of readings) {
      if (!wanted.includes(generation)) await end(generation, reading);
    }
    for (const generation of wanted) {
      if (!readings.has(generation)) await begin(generation);
    }
    if (standing.building !== null) {
      const halts = ports.halts.of(standing.current);
      await turnOver(store, streams, clock.now(), { halts, endOf: (stream) => endOf(ports, stream) });
    }
    if (standing.retired.length > 0) await dropRetired(store, clock.now());
    return standing;
  }

  async function begin(generation: number): Promise<void> {
    const views = viewsOf(generation);
    if (generation !== 1) await prepareViews(store, views);
    const stop = new AbortController();
    // Each partition's reader listens to this signal. Node would take so many listeners for a leak.
    setMaxListeners(listenersOfReader * partitions, stop.signal);
    const halts = ports.halts.of(generation);
    // A generation that is still being built announces nothing.
    const announce = (changed: Changed): void => {
      if (generation === current) ports.announce(changed);
    };
    readings.set(generation, {
      stop,
      ended: readJournals({ ...shared, announce, views, halts }, partitions, stop.signal),
    });
  }

  async function end(generation: number, { stop, ended }: Reading): Promise<void> {
    readings.delete(generation);
    stop.abort();
    ports.pace.hurry();
    await ended;
    ports.halts.drop(generation);
  }

  while (!stopping.aborted) {
    let standing: Generations | null = null;
    try {
      standing = await look();
    } catch (error) {
      log.warn({ err: error }, 'the generations of the projections cannot be checked now');
    }
    await pauseUnless(stopping, clock, standing?.building != null ? turnOverPollMs : generationPollMs);
  }
  await Promise.all([...readings].map(([generation, reading]) => end(generation, reading)));
}

/** What the projections that are read now have not counted yet, by stream. Streams that do not exist have no entry. */
export async function uncounted(
  { nats, store }: Pick<ProjectorPorts, 'nats' | 'store'>,
  partitions: number,
): Promise<Map<string, Behind>> {
  const streams = streamsOf(partitions);
  const positions = await positionsOf(store, await currentViews(store), streams);
  const manager = await jetstreamManager(nats, { checkAPI: false });
  const behind = new Map<string, Behind>();
  await Promise.all(
    streams.map(async (stream) => {
      try {
        behind.set(stream, await behindIn(manager, stream, positions.get(stream) ?? 0));
      } catch (error) {
        if (!isStreamMissing(error)) throw error;
      }
    }),
  );
  return behind;
}

function streamsOf(partitions: number): string[] {
  return Array.from({ length: partitions }, (_, partition) => names.journalStream(partition));
}

/** The last sequence of the stream; 0 without the stream. Throws when no leader answers. */
async function endOf({ nats }: ProjectorPorts, stream: string): Promise<number> {
  const manager = await jetstreamManager(nats, { checkAPI: false });
  try {
    return (await manager.streams.info(stream)).state.last_seq;
  } catch (error) {
    if (isStreamMissing(error)) return 0;
    throw error;
  }
}
