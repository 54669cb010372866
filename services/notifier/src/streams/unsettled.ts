/**
 * What a notifier has taken from one kind of queue and not settled: bounded in number and in bytes (I8), and said to be worked
 * on every `deliveryAckWaitMs / 3`, so that it is given to nobody else for as long as this process lives. That is so for
 * what has only been read, too: the rest of a batch waits while the first of it has its turn, which may take minutes.
 */
import type { Clock } from '@parterre/shared/clock';
import { deliveryAckWaitMs } from '@parterre/shared/webhook-limits';

export type Held = { working(): void };

export type InHand = {
  /** Read, and not taken yet: said to be worked on, not counted. The returned function ends that. */
  read(message: Held): () => void;
  /** The returned function lets go of it. */
  take(message: Held, bytes: number): () => void;
  /** Resolves when there is room for one more, at once after `stop`. */
  room(): Promise<void>;
  /** Resolves when nothing is in hand. */
  empty(): Promise<void>;
  /** Ends the waiting for room. */
  stop(): void;
};

export function createInHand(clock: Clock, bounds: { messages: number; bytes: number }): InHand {
  const held = new Set<Held>();
  const waiting = new Set<Held>();
  let bytes = 0;
  let stopped = false;
  let onChange: (() => void)[] = [];
  let cancelBeat: (() => void) | null = null;

  function beat(): void {
    cancelBeat = null;
    for (const message of held) message.working();
    for (const message of waiting) message.working();
    begin();
  }

  function begin(): void {
    if (held.size + waiting.size > 0) cancelBeat ??= clock.after(deliveryAckWaitMs / 3, beat);
  }

  /** Where nothing is left to tell of. */
  function end(): void {
    if (held.size + waiting.size > 0) return;
    cancelBeat?.();
    cancelBeat = null;
  }

  function read(message: Held): () => void {
    waiting.add(message);
    begin();
    return () => {
      waiting.delete(message);
      end();
    };
  }

  function take(message: Held, size: number): () => void {
    held.add(message);
    bytes += size;
    begin();
    return () => {
      if (!held.delete(message)) return;
      bytes -= size;
      end();
      changed();
    };
  }

  function changed(): void {
    const all = onChange;
    onChange = [];
    for (const each of all) each();
  }

  const change = (): Promise<void> => new Promise((resolve) => onChange.push(resolve));

  return {
    read,
    take,
    async room() {
      while (!stopped && (held.size >= bounds.messages || bytes >= bounds.bytes)) await change();
    },
    async empty() {
      while (held.size > 0) await change();
    },
    stop() {
      stopped = true;
      changed();
    },
  };
}
