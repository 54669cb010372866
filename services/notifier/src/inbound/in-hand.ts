/**
 * What a notifier has taken from one kind of queue and not settled: bounded in number and in bytes (I8), and said to be worked
 * on every `deliveryAckWaitMs / 3`, so that it is given to nobody else for as long as this process lives.
 */
import type { Clock } from '@parterre/shared/clock';
import { deliveryAckWaitMs } from '@parterre/shared/limits';

export type Held = { working(): void };

export type InHand = {
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
  let bytes = 0;
  let stopped = false;
  let onChange: (() => void)[] = [];
  let cancelBeat: (() => void) | null = null;

  function beat(): void {
    cancelBeat = null;
    for (const message of held) message.working();
    begin();
  }

  function begin(): void {
    if (held.size > 0) cancelBeat ??= clock.after(deliveryAckWaitMs / 3, beat);
  }

  function take(message: Held, size: number): () => void {
    held.add(message);
    bytes += size;
    begin();
    return () => {
      if (!held.delete(message)) return;
      bytes -= size;
      if (held.size === 0) {
        cancelBeat?.();
        cancelBeat = null;
      }
      changed();
    };
  }

  function changed(): void {
    const waiting = onChange;
    onChange = [];
    for (const each of waiting) each();
  }

  const change = (): Promise<void> => new Promise((resolve) => onChange.push(resolve));

  return {
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
