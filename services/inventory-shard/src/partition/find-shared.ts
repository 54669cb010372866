/**
 * Finds the shared parts of a partition that is taken over (journal/shared-parts.ts). Failure at the await: the read is
 * repeated after a pause, until the term ends.
 */
import { type Clock, pause } from '@parterre/shared/clock';
import type { Logger } from '@parterre/shared/log';
import type { EventLoader, SharedParts } from '../journal/journal.ts';
import { reloadPauseMs } from './bounds.ts';

type Ports = { clock: Clock; log: Logger; loader: Pick<EventLoader, 'sharedCommits'>; shared: SharedParts };

/** `low` is the low-water mark, null in a log of the first form. `last` is the sequence of the fence. */
export async function findShared(
  { clock, log, loader, shared }: Ports,
  low: number | null,
  last: number,
  isOver: () => boolean,
): Promise<void> {
  if (low === null) return shared.openEmpty();
  shared.open(low, last);
  while (!isOver()) {
    try {
      return shared.fill(await loader.sharedCommits(low, last));
    } catch (error) {
      log.warn({ err: error }, 'the shared commits of the partition cannot be read yet');
      await pause(clock, reloadPauseMs);
    }
  }
}
