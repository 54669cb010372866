/**
 * The health of a subscription: its attempts of the last week by the hour, the latest attempt, and the start of its
 * failures. Attempts may be reported in any order with the same counts. A failure that is reported after a later
 * success starts no time of failing.
 */
import { failingPauseMs } from '@parterre/shared/protocol/webhook-limits';
import { outageFailuresMin, outageMsMin, uptimeHours } from '../../store/rules/bounds.ts';
import type { WebhookHealth } from '../../store/rules/webhook-records.ts';

/**
 * `count` is -1 to take a counted attempt back. `dropped`: no attempt, but a loss of deliveries up to this time.
 * `batched`: of a delivery in a batch.
 */
export type CountedAttempt = {
  at: number;
  status: number;
  delivered: boolean;
  count: 1 | -1;
  dropped?: true;
  batched?: true;
};

const hourMs = 60 * 60_000;
/** Stands for infinity, which JSON does not have. */
const never = Number.MAX_SAFE_INTEGER;

export const freshHealth: WebhookHealth = {
  hours: [],
  lastAt: null,
  lastStatus: null,
  soundAt: 0,
  failedAt: 0,
  failingSince: null,
  untrimmed: 0,
  expiresAt: never,
};

export function isForgotten({ expiresAt }: WebhookHealth): boolean {
  return expiresAt !== never;
}

export function noteAttempts(known: WebhookHealth, attempts: readonly CountedAttempt[], now: number): WebhookHealth {
  const health = { ...known, hours: withCounts(known.hours, attempts, now) };
  for (const { at, dropped, count, batched } of attempts) {
    if (batched) health.arrived = (health.arrived ?? 0) + count;
    if (dropped && count === 1) health.droppedAt = Math.max(health.droppedAt ?? 0, at);
  }
  for (const { at, status, delivered } of inOrder(attempts)) {
    if (at >= (health.lastAt ?? 0)) {
      health.lastAt = at;
      health.lastStatus = status;
    }
    if (delivered) noteSound(health, at);
    else noteFailure(health, at);
  }
  return health;
}

function noteFailure(health: WebhookHealth, at: number): void {
  health.failedAt = Math.max(health.failedAt, at);
  if (at > health.soundAt) health.failures = (health.failures ?? 0) + 1;
  if (at > health.soundAt) health.failingSince = Math.min(health.failingSince ?? at, at);
}

/**
 * Notes a success at `at`. Of the failures after the success, the record knows only the latest, which then counts as
 * the first.
 */
function noteSound(health: WebhookHealth, at: number): void {
  if (at <= health.soundAt) return;
  health.soundAt = at;
  health.failures = 0;
  if (health.failingSince === null || health.failingSince > at) return;
  health.failingSince = health.failedAt > at ? health.failedAt : null;
}

/** An operator enables the subscription. Failures until now are forgiven. */
export function enabled(known: WebhookHealth, now: number): WebhookHealth {
  const health = { ...known };
  noteSound(health, now);
  return health;
}

/**
 * Whether the receiver answers again after an outage. One delivery that fails among others that arrive is none: its
 * schedule goes on. A failure that is reported in a later call than the success after it counts for no outage.
 */
export function hasRecovered(known: WebhookHealth, attempts: readonly CountedAttempt[]): boolean {
  const health = { ...known };
  let isBack = false;
  for (const { at, delivered } of inOrder(attempts)) {
    if (!delivered) noteFailure(health, at);
    else {
      isBack ||= isOutage(health, at);
      noteSound(health, at);
    }
  }
  return isBack && health.failingSince === null;
}

function isOutage({ failingSince, failures = 0 }: WebhookHealth, at: number): boolean {
  if (failingSince === null || at <= failingSince) return false;
  return failures >= outageFailuresMin || at - failingSince >= outageMsMin;
}

/** The attempts that were made, by their ends. Several notifiers may report together. */
function inOrder(attempts: readonly CountedAttempt[]): CountedAttempt[] {
  return attempts.filter(({ count, dropped }) => count === 1 && !dropped).sort((one, other) => one.at - other.at);
}

/** Whether the failed attempt at `at` ends a long enough time of failing. */
export function hasFailedForLong({ failingSince, soundAt }: WebhookHealth, at: number): boolean {
  return at > soundAt && failingSince !== null && at - failingSince >= failingPauseMs;
}

/** The delivered share of the last week's attempts, to four digits; null without attempts. */
export function uptimeOf({ hours }: WebhookHealth, now: number): number | null {
  let delivered = 0;
  let failed = 0;
  const since = firstHour(now);
  for (let at = 0; at < hours.length; at += 3) {
    if (hours[at]! < since) continue;
    delivered += hours[at + 1]!;
    failed += hours[at + 2]!;
  }
  return delivered + failed === 0 ? null : Math.round((delivered / (delivered + failed)) * 1e4) / 1e4;
}

function firstHour(now: number): number {
  return Math.floor(now / hourMs) - uptimeHours + 1;
}

/** Adds counts, and drops hours that are over a week old. */
function withCounts(hours: readonly number[], attempts: readonly CountedAttempt[], now: number): number[] {
  const since = firstHour(now);
  let start = 0;
  while (start < hours.length && hours[start]! < since) start += 3;
  const counts = hours.slice(start);
  for (const { at, delivered, count, dropped } of attempts) {
    const hour = Math.floor(at / hourMs);
    if (dropped || hour < since) continue;
    let place = counts.length;
    while (place > 0 && counts[place - 3]! > hour) place -= 3;
    if (place > 0 && counts[place - 3] === hour) place -= 3;
    else counts.splice(place, 0, hour, 0, 0);
    counts[place + (delivered ? 1 : 2)]! += count;
  }
  return counts;
}
