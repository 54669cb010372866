/**
 * A caller who has booked expects to find the booking. So a read of the projections names the event version that it
 * needs, and waits until this version is counted. A wait ends the projector's rest. After `countedWaitMs` the read takes the projections as they are.
 *
 * On failure, at each await: a read of the store throws, so the operation fails; the time passes, or too many reads
 * wait already → no further waiting.
 */
import { pause } from '@parterre/shared/clock';
import { currentViews } from '../projections/generations.ts';
import type { Views } from '../store/collections.ts';
import type { Ports } from '../store/operations.ts';
import { countedPollMs, countedWaitMs, countedWaitsMax } from '../store/rules/bounds.ts';
import type { Store } from '../store/store.ts';

/** Waits under way in this process. */
export type Waits = { count: number };

export function createWaits(): Waits {
  return { count: 0 };
}

export async function awaitCounted(
  { store, clock, hurryProjector }: Pick<Ports, 'store' | 'clock' | 'hurryProjector'>,
  waits: Waits,
  { eventKey, version }: { eventKey: string; version: number },
): Promise<void> {
  if (version === 0 || waits.count >= countedWaitsMax) return;
  waits.count++;
  try {
    const deadline = clock.elapsed() + countedWaitMs;
    while (!(await isCounted(store, await currentViews(store), eventKey, version))) {
      if (clock.elapsed() >= deadline) return;
      // Each time, as a rest may have begun since.
      hurryProjector();
      await pause(clock, countedPollMs);
    }
  } finally {
    waits.count--;
  }
}

/** A partition's position moves when everything before it is counted in every projection. */
async function isCounted(store: Store, views: Views, eventKey: string, version: number): Promise<boolean> {
  const stream = (await store.get(views.events, eventKey))?.value.stream;
  if (stream === undefined) return false;
  return ((await store.get(views.positions, stream))?.value.seq ?? 0) >= version;
}
