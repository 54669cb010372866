/**
 * One buyer for each partition holds a seat and releases it, again and again, so that a test sees when each partition
 * answers. Times are `performance.now()`, milliseconds.
 */
import { setTimeout as pause } from 'node:timers/promises';
import { partitionOf } from '@parterre/shared/protocol/subjects';
import type { Demo } from '../../../scripts/launch/demo.ts';

/** A pause between two holds leaves CPU time to the shards that take over. */
const THINK_MS = 5;

/** The front doors of a running Parterre, one or several. */
export type Doors = { urls: string[]; demo: Demo };

export type Ping = { partition: number; sentAt: number; answeredAt: number; status: number; body: string };

export type Pingers = {
  pings: Ping[];
  /** The first success of a request that was sent to the partition after `time`. */
  firstSuccess(partition: number, time: number): Promise<Ping>;
  stop(): Promise<void>;
};

/** The keys of its events begin with `name`. */
export async function startPingers(
  { urls, demo }: Doors,
  partitions: number,
  name: string,
  thinkMs = THINK_MS,
): Promise<Pingers> {
  const pings: Ping[] = [];
  const waiting = new Set<(ping: Ping) => void>();
  let running = true;

  async function post(path: string, body: unknown, door = 0): Promise<Response> {
    return fetch(`${urls[door % urls.length]}${path}`, {
      method: 'POST',
      headers: { Authorization: `Bearer ${demo.keys.secretTest}`, 'Content-Type': 'application/json' },
      body: JSON.stringify(body),
    });
  }

  async function ask(partition: number, path: string, body: unknown): Promise<string> {
    const sentAt = performance.now();
    const response = await post(path, body, partition);
    const ping = {
      partition,
      sentAt,
      answeredAt: performance.now(),
      status: response.status,
      body: await response.text(),
    };
    pings.push(ping);
    for (const hear of [...waiting]) hear(ping);
    return ping.body;
  }

  async function run(partition: number): Promise<void> {
    const eventKey = keyOn(partition, partitions, name);
    const created = await post('/v1/events', { chartId: demo.chartId, slug: eventKey });
    if (created.status !== 201) throw new Error(`no event for partition ${partition}: ${await created.text()}`);
    started.push(
      (async () => {
        while (running) {
          const { holdId } = JSON.parse(await ask(partition, `/v1/events/${eventKey}/hold`, { labels: ['A-1'] })) as {
            holdId?: string;
          };
          if (holdId) await ask(partition, `/v1/events/${eventKey}/release`, { holdId });
          await pause(thinkMs);
        }
      })(),
    );
  }

  const started: Promise<void>[] = [];
  await Promise.all(Array.from({ length: partitions }, (_, partition) => run(partition)));
  return {
    pings,
    firstSuccess(partition, time) {
      return new Promise((resolve) => {
        const hear = (ping: Ping): void => {
          if (ping.partition !== partition || ping.sentAt < time || ping.status !== 200) return;
          waiting.delete(hear);
          resolve(ping);
        };
        waiting.add(hear);
      });
    },
    async stop() {
      running = false;
      await Promise.all(started);
    },
  };
}

function keyOn(partition: number, partitions: number, name: string): string {
  const all = Array.from({ length: partitions }, (_, number) => number);
  for (let n = 0; ; n++) if (partitionOf(`${name}-${n}`, all) === partition) return `${name}-${n}`;
}
