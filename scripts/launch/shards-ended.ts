/**
 * Tells the shards of this machine at once when the process of one of them has ended. The launcher is the parent of
 * these processes. It knows an end by the exit status, which the system gives out when no thread of the process is
 * left. So the process cannot answer a read any more, and the heirs of its partitions need not wait for its read lease
 * (docs/internals/ownership-and-leases.md). A shard names its id when it is ready. The end of an unready shard is not
 * told.
 */
import type { ChildProcess } from 'node:child_process';
import type { EndedMessage, ReadyMessage } from '../../shared/src/runtime/service.ts';

/** The latest ends, for shards that start later. Leases may still name these processes. */
const endsMax = 64;

export class ShardsEnded {
  readonly #living = new Set<ChildProcess>();
  #ids: string[] = [];

  /** Call this right after the fork. */
  watch(child: ChildProcess): void {
    if (child.pid === undefined) return;
    let id: string | null = null;
    child.on('message', (message: ReadyMessage) => {
      if (message.type === 'ready') id = message.id ?? null;
    });
    child.once('exit', () => {
      this.#living.delete(child);
      if (id !== null) this.#tellEnd(id);
    });
    this.#living.add(child);
    if (this.#ids.length > 0) tell(child, this.#ids);
  }

  #tellEnd(id: string): void {
    this.#ids = [...this.#ids, id].slice(-endsMax);
    for (const child of this.#living) tell(child, [id]);
  }
}

/** A child that is about to end may not hear it. */
function tell(child: ChildProcess, ids: string[]): void {
  child.send({ type: 'ended', ids } satisfies EndedMessage, () => {});
}
