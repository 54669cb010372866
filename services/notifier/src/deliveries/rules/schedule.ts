/**
 * The schedule of attempts, and the meaning of an attempt's result. Attempts come at once, then 5 s, 5 min, 30 min, 2
 * h, 5 h, 10 h and 10 h after the attempt before. `jitter` makes each pause up to a fifth longer, so receivers that
 * failed together are not called together. Retry-After on 429 and 503 may make a pause longer, never shorter.
 */

import { retryAfterMsMax } from '@parterre/shared/protocol/webhook-limits';
import { MINUTE_MS, SECOND_MS } from '@parterre/shared/runtime/units';
import { isDelivered, type PostResult } from '../../endpoints/rules/post-result.ts';

const HOUR_MS = 60 * MINUTE_MS;

const delaysMs = [
  0,
  5 * SECOND_MS,
  5 * MINUTE_MS,
  30 * MINUTE_MS,
  2 * HOUR_MS,
  5 * HOUR_MS,
  10 * HOUR_MS,
  10 * HOUR_MS,
] as const;
export const attemptsMax = delaysMs.length;
const jitterShare = 0.2;

/** The different pauses. Each has a retry queue, see `retryQueueOf`. */
const queueDelaysMs = [...new Set<number>(delaysMs.slice(1))];
export const retryQueueCount = queueDelaysMs.length;

export type Verdict =
  | { kind: 'delivered' }
  | { kind: 'retry'; delayMs: number }
  /** Every attempt has failed. */
  | { kind: 'exhausted' }
  /** The receiver says that it is gone for good (410). */
  | { kind: 'gone' };

/** `attempts` counts this attempt; `at` is its end, epoch ms; `jitter` is 0 to 1. */
export function verdictOf(result: PostResult, attempts: number, at: number, jitter: number): Verdict {
  if (isDelivered(result)) return { kind: 'delivered' };
  if (result.kind === 'answered' && result.status === 410) return { kind: 'gone' };
  const delayMs = delaysMs[attempts];
  if (delayMs === undefined) return { kind: 'exhausted' };
  const scheduledMs = Math.round(delayMs * (1 + jitterShare * jitter));
  return { kind: 'retry', delayMs: Math.max(scheduledMs, askedMs(result, at)) };
}

/**
 * The number of the retry queue for a retry that is due in `delayMs`: the first queue whose pause, with its jitter, is
 * at least as long. A retry waits in its queue at most that pause. So a long Retry-After of a receiver never puts a
 * retry that is far from due before others. A receiver that asks for a little more than a queue's pause gets into the
 * next queue. The retry is due there at the asked time, or later, within the queue's pause, when the queue is full.
 */
export function retryQueueOf(delayMs: number): number {
  const number = queueDelaysMs.findIndex((queueMs) => delayMs <= Math.round(queueMs * (1 + jitterShare)));
  return number === -1 ? retryQueueCount - 1 : number;
}

/**
 * The pause that Retry-After asks for in seconds or as an HTTP date, at most `retryAfterMsMax`; 0 where it is
 * unreadable.
 */
function askedMs(result: PostResult, at: number): number {
  if (result.kind !== 'answered' || result.retryAfter === null) return 0;
  if (result.status !== 429 && result.status !== 503) return 0;
  const text = result.retryAfter.trim();
  // biome-ignore lint/style/noRestrictedGlobals: reads a written date; the time now is an argument.
  const askedForMs = /^\d+$/.test(text) ? Number(text) * SECOND_MS : Date.parse(text) - at;
  return Number.isNaN(askedForMs) ? 0 : Math.min(Math.max(askedForMs, 0), retryAfterMsMax);
}
