/**
 * Holds of the neighbour at a steady rate, however slow the server is: an open loop. A latency begins at the due time.
 * A hold without an answer in 20 s is a failure, and counts with this time.
 *
 * States of a hold: due → sent (on a connection of its own, or a free one) → answered, refused or without an answer.
 */
import { Agent, request } from 'node:http';
import { setTimeout as pause } from 'node:timers/promises';
import { quantile } from '../load/quantile.ts';

export type OfferedHold = {
  dueAt: number;
  /** Null while the hold is under way. */
  latencyMs: number | null;
  /** A status, or the code of an error. */
  answer: string;
};

export type HoldOffer = {
  port: number;
  eventKey: string;
  /** The keys take turns: a key has a budget of holds. */
  tokens: string[];
  labels: string[];
  perSecond: number;
};

export type OfferedHolds = { holds: OfferedHold[]; stop(): Promise<void> };

export type HoldFigures = { holds: number; p50Ms: number; p99Ms: number; longestMs: number; failed: number };

const answerMsMax = 20_000;
const connectionsMax = 512;
/** So much time without a slow hold ends a recovery. */
const calmMs = 1_000;

/** Takes labels from the front of `labels`. */
export function offerHolds(offer: HoldOffer): OfferedHolds {
  const agent = new Agent({ keepAlive: true, maxSockets: connectionsMax, maxFreeSockets: connectionsMax });
  const holds: OfferedHold[] = [];
  const underWay = new Set<Promise<void>>();
  const startedAt = performance.now();
  let timer: NodeJS.Timeout | null = null;
  const tick = (): void => {
    const now = performance.now();
    for (;;) {
      const dueAt = startedAt + (holds.length * 1000) / offer.perSecond;
      if (dueAt > now) break;
      const hold: OfferedHold = { dueAt, latencyMs: null, answer: '' };
      holds.push(hold);
      const sent = send(offer, agent, holds.length, hold).then(() => void underWay.delete(sent));
      underWay.add(sent);
    }
    timer = setTimeout(tick, startedAt + (holds.length * 1000) / offer.perSecond - performance.now());
  };
  tick();
  return {
    holds,
    async stop() {
      clearTimeout(timer!);
      await Promise.all(underWay);
      agent.destroy();
    },
  };
}

function send(offer: HoldOffer, agent: Agent, turn: number, hold: OfferedHold): Promise<void> {
  const label = offer.labels.shift();
  if (label === undefined) throw new Error("the neighbour's hall is sold out: fewer attacks at once");
  const body = JSON.stringify({ labels: [label] });
  return new Promise((resolve) => {
    const answered = (answer: string): void => {
      if (hold.latencyMs !== null) return;
      hold.latencyMs = performance.now() - hold.dueAt;
      hold.answer = answer;
      resolve();
    };
    const headers = {
      Authorization: `Bearer ${offer.tokens[turn % offer.tokens.length]}`,
      'Content-Type': 'application/json',
      'Content-Length': Buffer.byteLength(body),
    };
    const path = `/v1/events/${offer.eventKey}/hold`;
    const sent = request({ host: '127.0.0.1', port: offer.port, method: 'POST', path, headers, agent });
    const timer = setTimeout(() => sent.destroy(new Error('none in 20 s')), answerMsMax);
    sent.on('response', (response) => {
      response.resume();
      response.on('end', () => {
        clearTimeout(timer);
        answered(String(response.statusCode));
      });
      response.on('error', () => answered('broken off'));
    });
    sent.on('error', (error: NodeJS.ErrnoException) => {
      clearTimeout(timer);
      answered(error.code ?? error.message);
    });
    sent.end(body);
  });
}

/** Of the holds that were due in this time. `failed` counts every answer but a success. */
export function figuresOf(holds: readonly OfferedHold[], from: number, to: number): HoldFigures {
  const measured = holds.filter(({ dueAt }) => dueAt >= from && dueAt < to);
  const sorted = Float64Array.from(measured, ({ latencyMs }) => latencyMs ?? answerMsMax).sort();
  return {
    holds: measured.length,
    p50Ms: quantile(sorted, 0.5),
    p99Ms: quantile(sorted, 0.99),
    longestMs: sorted.at(-1) ?? Number.NaN,
    failed: measured.filter(({ answer }) => answer !== '200').length,
  };
}

/**
 * The time from the end of an attack to the first hold of a whole second in which no hold was slow or failed; null as
 * long as there is no such second. `at` is the present time.
 */
export function recoveryMs(holds: readonly OfferedHold[], endedAt: number, slowMs: number, at: number): number | null {
  let calmFrom = endedAt;
  for (const { dueAt, latencyMs, answer } of holds) {
    if (dueAt < endedAt) continue;
    const isSlow = (latencyMs ?? at - dueAt) > slowMs || (latencyMs !== null && answer !== '200');
    if (dueAt - calmFrom >= calmMs) break;
    if (isSlow) calmFrom = dueAt;
  }
  return at - calmFrom >= calmMs ? calmFrom - endedAt : null;
}

const lookMs = 50;

/** Waits until the neighbour has recovered, at most `waitMsMax`; then the whole wait counts. */
export async function untilRecovered(
  { holds }: OfferedHolds,
  endedAt: number,
  slowMs: number,
  waitMsMax: number,
): Promise<number> {
  for (;;) {
    const now = performance.now();
    const recovered = recoveryMs(holds, endedAt, slowMs, now);
    if (recovered !== null) return recovered;
    if (now - endedAt > waitMsMax) return now - endedAt;
    await pause(lookMs);
  }
}
