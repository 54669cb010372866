/**
 * The unsettled messages of one reader: read, and neither acknowledged nor given back. Their number and bytes are
 * bounded (I8). Every `deliveryAckWaitMs / 3` the server hears that they are being worked on. The server therefore
 * gives them to no other notifier while this process lives. This holds for messages that are only read, too: the rest
 * of a batch waits while its first message waits for a slot, which may take minutes.
 */

import { deliveryAckWaitMs } from '@parterre/shared/protocol/webhook-limits';
import type { Clock } from '@parterre/shared/runtime/clock';

/** Tells the server that the message is being worked on. */
export type WorkingMessage = { working(): void };

export type Unsettled = {
  /**
   * Puts off the deadline of a message that is read and not yet added, without counting the message. Returns a function
   * that ends this.
   */
  keepAlive(message: WorkingMessage): () => void;
  /** Counts a message and puts off its deadline. Returns a function that removes the message. */
  add(message: WorkingMessage, bytes: number): () => void;
  /** Resolves when there is room for one more message, or at once after `stop`. */
  room(): Promise<void>;
  /** Resolves when no message is left. */
  empty(): Promise<void>;
  /** Ends the waiting for room. */
  stop(): void;
};

export function createUnsettled(clock: Clock, bounds: { messages: number; bytes: number }): Unsettled {
  const counted = new Set<WorkingMessage>();
  const onlyRead = new Set<WorkingMessage>();
  let bytes = 0;
  let stopped = false;
  let onChange: (() => void)[] = [];
  let cancelBeat: (() => void) | null = null;

  function beat(): void {
    cancelBeat = null;
    for (const message of counted) message.working();
    for (const message of onlyRead) message.working();
    startBeat();
  }

  function startBeat(): void {
    if (counted.size + onlyRead.size > 0) cancelBeat ??= clock.after(deliveryAckWaitMs / 3, beat);
  }

  function stopIdleBeat(): void {
    if (counted.size + onlyRead.size > 0) return;
    cancelBeat?.();
    cancelBeat = null;
  }

  function keepAlive(message: WorkingMessage): () => void {
    onlyRead.add(message);
    startBeat();
    return () => {
      onlyRead.delete(message);
      stopIdleBeat();
    };
  }

  function add(message: WorkingMessage, size: number): () => void {
    counted.add(message);
    bytes += size;
    startBeat();
    return () => {
      if (!counted.delete(message)) return;
      bytes -= size;
      stopIdleBeat();
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
    keepAlive,
    add,
    async room() {
      while (!stopped && (counted.size >= bounds.messages || bytes >= bounds.bytes)) await change();
    },
    async empty() {
      while (counted.size > 0) await change();
    },
    stop() {
      stopped = true;
      changed();
    },
  };
}
