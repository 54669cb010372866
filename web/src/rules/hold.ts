/** A hold as its buyer's page keeps it, and what the feed lets it conclude. Pure. */
import { holdExtendsMax } from '@parterre/shared/limits';
import type { HeldItem } from './selection.ts';

export type Hold = { holdId: string; expiresAt: number; labels: string[]; items: HeldItem[]; extends: number };

export type Fate =
  | 'stands'
  /** Every place is sold: to us, since nobody else can buy what we hold. */
  | 'bought'
  /** Something of it is free again or gone: only the server can say what has become of it. */
  | 'ask';

/** `statusOf` is what the feed said last of a label; undefined where it said nothing since the hold. */
export function fateOf(hold: Hold, statusOf: (label: string) => string | undefined): Fate {
  const statuses = hold.labels.map(statusOf);
  if (hold.labels.length > 0 && statuses.every((status) => status === 'booked')) return 'bought';
  return statuses.some((status) => status !== undefined && status !== 'held') ? 'ask' : 'stands';
}

/** More time is offered when no more than this is left. */
const EXTENDABLE_MS = 5 * 60_000;

export const mayExtendSoon = (remainingMs: number): boolean => remainingMs <= EXTENDABLE_MS;

export const extendsLeft = ({ extends: times }: Hold): number => Math.max(holdExtendsMax - times, 0);

const WARNINGS_MS = [120_000, 60_000, 15_000];

/** Whether the time left has just fallen below one of the marks that are said aloud. */
export function passesWarning(beforeMs: number, nowMs: number): boolean {
  return nowMs > 0 && WARNINGS_MS.some((mark) => beforeMs > mark && nowMs <= mark);
}
