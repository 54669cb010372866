/**
 * A caller who has booked expects to find the booking. So a read of the projections names the versions of events that
 * it needs, and waits until they are counted. A wait ends the projector's rest. After `countedWaitMs` the read takes
 * the projections as they are, and learns that they may lack the versions.
 *
 * On failure, at each await: a read of the store throws, so the operation fails; the time passes, or too many reads
 * wait already → no further waiting.
 */
import { pause } from '@parterre/shared/runtime/clock';
import { currentViews, positionsOf } from '../projections/generations.ts';
import type { Views } from '../store/collections.ts';
import type { Ports } from '../store/operations.ts';
import { countedPollMs, countedWaitMs, countedWaitsMax } from '../store/rules/bounds.ts';
import type { Store } from '../store/store.ts';

/** Waits under way in this process. */
export type Waits = { count: number };

export function createWaits(): Waits {
  return { count: 0 };
}

/** A version of an event; 0 asks for the present state. */
export type Version = { eventKey: string; version: number };

/** Whether the versions are counted. */
export async function awaitCounted(
  { store, clock, hurryProjector }: Pick<Ports, 'store' | 'clock' | 'hurryProjector'>,
  waits: Waits,
  ...versions: readonly Version[]
): Promise<boolean> {
  const asked = versions.filter(({ version }) => version > 0);
  if (asked.length === 0) return true;
  if (waits.count >= countedWaitsMax) return false;
  waits.count++;
  try {
    const deadline = clock.elapsed() + countedWaitMs;
    while (!(await areCounted(store, await currentViews(store), asked))) {
      if (clock.elapsed() >= deadline) return false;
      // Each time, as a rest may have begun since.
      hurryProjector();
      await pause(clock, countedPollMs);
    }
    return true;
  } finally {
    waits.count--;
  }
}

/** A partition's position moves when everything before it is counted in every projection. */
async function areCounted(store: Store, views: Views, asked: readonly Version[]): Promise<boolean> {
  const found = await store.getMany(
    views.events,
    asked.map(({ eventKey }) => eventKey),
  );
  const streamOf = new Map(found.map(({ id, value }) => [id, value.stream]));
  const positions = await positionsOf(store, views, [
    ...new Set([...streamOf.values()].filter((each) => each !== undefined)),
  ]);
  return asked.every(({ eventKey, version }) => (positions.get(streamOf.get(eventKey) ?? '') ?? 0) >= version);
}
