/** The notifier's queues in memory, on the test's clock. They hand out messages as a server would. */
import type { Clock } from '@parterre/shared/runtime/clock';
import type { QueueMessage, QueueReader } from '../../../services/notifier/src/deliveries/queue-readers.ts';
import type { Queues } from '../../../services/notifier/src/deliveries/queues.ts';
import {
  asStored,
  backlogIdOf,
  type Delivery,
  type Retry,
  retryIdOf,
} from '../../../services/notifier/src/deliveries/rules/delivery.ts';
import { retryQueueCount } from '../../../services/notifier/src/deliveries/rules/schedule.ts';

export type MemoryQueue = Omit<Queues, 'amounts' | 'storage'> & {
  /** The number of unacknowledged messages. */
  left(): number;
};

export function createMemoryQueue(clock: Clock, backlogMax = Number.POSITIVE_INFINITY): MemoryQueue {
  const retryQueues = Array.from({ length: retryQueueCount }, () => createLine<Retry>(clock));
  const backlogs = new Map<string, TestQueue<Delivery[]>>();
  const backlogOf = (subId: string): TestQueue<Delivery[]> => {
    const known = backlogs.get(subId) ?? createLine<Delivery[]>(clock);
    backlogs.set(subId, known);
    return known;
  };
  return {
    async putRetry(retry) {
      retryQueues[retry.retryQueue]!.put(asStored(retry), retryIdOf(retry));
      return 'queued';
    },
    async putBacklog(subId, piece) {
      const line = backlogOf(subId);
      if (line.left() >= backlogMax) return 'subscription';
      line.put(piece.map(asStored), backlogIdOf(piece));
      return 'queued';
    },
    openRetryQueue: async (number) => retryQueues[number]!,
    openBacklog: async (subId) => backlogOf(subId),
    count: async () => new Map([...backlogs].map(([subId, line]) => [subId, line.left()])),
    backlogSize: async (name) => backlogs.get(name)?.left() ?? 0,
    waiting: async (subId) => ({ count: backlogs.get(subId)?.left() ?? 0, bytes: 0, oldestAt: null }),
    hasBacklog: (subId) => (backlogs.get(subId)?.left() ?? 0) > 0,
    left: () => [...retryQueues, ...backlogs.values()].reduce((sum, line) => sum + line.left(), 0),
  };
}

type TestQueue<T> = QueueReader<T> & { put(value: T, id: string): void; left(): number };

function createLine<T>(clock: Clock): TestQueue<T> {
  const seen = new Set<string>();
  const ready: T[] = [];
  let left = 0;
  let wake = (): void => {};

  function handOut(value: T): void {
    ready.push(value);
    wake();
  }

  /** Resolves when a message is put here, after some seconds, or when `stopping` is aborted. */
  function something(stopping: AbortSignal): Promise<void> {
    return new Promise((resolve) => {
      const end = (): void => {
        cancel();
        stopping.removeEventListener('abort', end);
        resolve();
      };
      const cancel = clock.after(3_000, end);
      stopping.addEventListener('abort', end);
      wake = end;
    });
  }

  function message(value: T): QueueMessage<T> {
    return {
      value,
      bytes: 1,
      pending: ready.length,
      ack: () => {
        left -= 1;
      },
      again: (delayMs) => void clock.after(delayMs, () => handOut(value)),
      working: () => {},
    };
  }

  return {
    put(value, id) {
      if (seen.has(id)) return;
      seen.add(id);
      left += 1;
      handOut(value);
    },
    left: () => left,
    async next(stopping, most) {
      if (ready.length === 0 && !stopping.aborted) await something(stopping);
      return ready.splice(0, most?.messages ?? ready.length).map(message);
    },
  };
}
