/**
 * A seller for each event books one seat after the other, from before a fault until after it. Every attempt is recorded
 * with its answer. A seat is tried once, under a reference of its own, so an attempt without an answer stays open.
 */
import { setTimeout as pause } from 'node:timers/promises';
import { partitionOf } from '@parterre/shared/protocol/subjects';
import { chart, row } from '../../support/charts.ts';
import { type Access, call } from '../load/aftermath.ts';
import { partitions } from './deployments.ts';

const eventsOfPartition = 2;
const rows = 40;
const seatsOfRow = 100;
const thinkMs = 50;
const requestMsMax = 15_000;
const settledMsMax = 120_000;

/** Times are `performance.now()`, milliseconds. `code` is undefined for a success, null for no answer. */
export type Attempt = {
  eventKey: string;
  label: string;
  bookingRef: string;
  sentAt: number;
  answeredAt: number;
  status: number;
  code: string | null | undefined;
};

export const isSale = ({ status }: Pick<Attempt, 'status'>): boolean => status === 200;
export const isHalt = ({ code }: Pick<Attempt, 'code'>): boolean => code === 'journal_lost_records';

/** Tries to book a seat. Never rejects. */
export async function attempt(
  access: Access,
  seat: Pick<Attempt, 'eventKey' | 'label' | 'bookingRef'>,
): Promise<Attempt> {
  const sentAt = performance.now();
  const { eventKey, label, bookingRef } = seat;
  try {
    const response = await fetch(`${access.url}/v1/events/${eventKey}/book`, {
      method: 'POST',
      headers: { Authorization: `Bearer ${access.token}`, 'Content-Type': 'application/json' },
      body: JSON.stringify({ labels: [label], bookingRef }),
      signal: AbortSignal.timeout(requestMsMax),
    });
    const { code } = (await response.json()) as { code?: string };
    return { ...seat, sentAt, answeredAt: performance.now(), status: response.status, code };
  } catch {
    return { ...seat, sentAt, answeredAt: performance.now(), status: 0, code: null };
  }
}

export async function openSellers(access: Access) {
  const doc = chart(
    Array.from({ length: rows }, (_, n) =>
      row({ id: `r${n}`, label: `R${n}`, origin: { x: 0, y: 20 * n }, seatCount: seatsOfRow }),
    ),
  );
  const { meta } = await call<{ meta: { id: string } }>(access, 'POST', '/v1/charts', { name: 'Hall', doc });
  await call(access, 'POST', `/v1/charts/${meta.id}/publish`, {});
  const eventKeys = keysOfEvents();
  for (const slug of eventKeys) await call(access, 'POST', '/v1/events', { chartId: meta.id, slug });
  const attempts: Attempt[] = [];
  let running = false;
  let selling: Promise<void>[] = [];

  async function sell(eventKey: string): Promise<void> {
    let n = attempts.filter((each) => each.eventKey === eventKey).length;
    for (; running && n < rows * seatsOfRow; n++) {
      const label = `R${Math.floor(n / seatsOfRow)}-${1 + (n % seatsOfRow)}`;
      attempts.push(await attempt(access, { eventKey, label, bookingRef: `sale-${n}` }));
      await pause(thinkMs);
    }
  }

  /** The event's first sale or halt among the attempts sent after `time`. */
  const settledOf = (eventKey: string, time: number): Attempt | undefined =>
    attempts.find((each) => each.eventKey === eventKey && each.sentAt >= time && (isSale(each) || isHalt(each)));

  return {
    eventKeys,
    attempts,
    /** Resolves after `count` more sales. */
    async sales(count: number): Promise<void> {
      const goal = attempts.filter(isSale).length + count;
      while (attempts.filter(isSale).length < goal) await pause(100);
    },
    /** Resolves when each event has sold or is halted after `time`. Throws with the latest answers of the others. */
    async settled(time: number): Promise<void> {
      const until = performance.now() + settledMsMax;
      for (;;) {
        const open = eventKeys.filter((eventKey) => !settledOf(eventKey, time));
        if (open.length === 0) return;
        if (performance.now() > until) {
          const latest = open.map((eventKey) => attempts.findLast((each) => each.eventKey === eventKey));
          throw new Error(`neither sold nor halted: ${JSON.stringify(latest)}`);
        }
        await pause(100);
      }
    },
    start(): void {
      running = true;
      selling = eventKeys.map(sell);
    },
    async stop(): Promise<void> {
      running = false;
      await Promise.all(selling);
    },
  };
}

function keysOfEvents(): string[] {
  const all = Array.from({ length: partitions }, (_, partition) => partition);
  const left = all.map(() => eventsOfPartition);
  const keys: string[] = [];
  for (let n = 1; left.some((count) => count > 0); n++) {
    const key = `night-${n}`;
    if (left[partitionOf(key, all)]!-- > 0) keys.push(key);
  }
  return keys.sort();
}
