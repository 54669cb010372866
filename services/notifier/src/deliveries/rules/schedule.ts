/**
 * When a delivery is tried, and what an attempt's result means (wire contract 9): at once, then 5 s, 5 min, 30 min,
 * 2 h, 5 h, 10 h and 10 h after the attempt before, each made up to a fifth longer by `jitter`, so that receivers that
 * failed together are not called together. Retry-After on 429 and 503 may make a pause longer, never shorter.
 */
import { MINUTE_MS, SECOND_MS } from '@parterre/shared/units';
import { retryAfterMsMax } from '@parterre/shared/webhook-limits';
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

/**
 * The pauses that differ: the queue keeps one lane for each, see `retryQueueOf`. Nothing new goes into the first; what notifiers before queued
 * there is drained.
 */
const queueDelaysMs = [...new Set<number>(delaysMs)];
export const retryQueueCount = queueDelaysMs.length;

export type Verdict =
  | { kind: 'delivered' }
  | { kind: 'retry'; delayMs: number }
  /** Every attempt has failed. */
  | { kind: 'exhausted' }
  /** The receiver says that it is gone for good (410). */
  | { kind: 'gone' };

/** `attempts` counts this one; `at` is when it ended, epoch ms; `jitter` is 0 to 1. */
export function verdictOf(result: PostResult, attempts: number, at: number, jitter: number): Verdict {
  if (isDelivered(result)) return { kind: 'delivered' };
  if (result.kind === 'answered' && result.status === 410) return { kind: 'gone' };
  const delayMs = delaysMs[attempts];
  if (delayMs === undefined) return { kind: 'exhausted' };
  const scheduledMs = Math.round(delayMs * (1 + jitterShare * jitter));
  return { kind: 'retry', delayMs: Math.max(scheduledMs, askedMs(result, at)) };
}

/**
 * The lane for a delivery due in `delayMs`: the first whose pause, with its jitter, is not shorter. Deliveries of one lane
 * wait at most as long as its schedule has it, so those far from due never stand before others, whatever a receiver's
 * Retry-After asks for. One that asks for a little more than a lane's pause is in the next lane, where it is
 * due when it asked to be, or a little later when that lane is full: within that lane's pause.
 */
export function retryQueueOf(delayMs: number): number {
  const number = queueDelaysMs.findIndex((queueMs) => delayMs <= Math.round(queueMs * (1 + jitterShare)));
  return number === -1 ? retryQueueCount - 1 : number;
}

/** The pause Retry-After asks for, from seconds or an HTTP date, at most `retryAfterMsMax`; 0 without a readable one. */
function askedMs(result: PostResult, at: number): number {
  if (result.kind !== 'answered' || result.retryAfter === null) return 0;
  if (result.status !== 429 && result.status !== 503) return 0;
  const text = result.retryAfter.trim();
  // biome-ignore lint/style/noRestrictedGlobals: reads a written date; the time now is an argument.
  const askedForMs = /^\d+$/.test(text) ? Number(text) * SECOND_MS : Date.parse(text) - at;
  return Number.isNaN(askedForMs) ? 0 : Math.min(Math.max(askedForMs, 0), retryAfterMsMax);
}
