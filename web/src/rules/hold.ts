/** A hold on its buyer's page, and the conclusions that the feed allows. Pure. */
import { holdExtendsMax } from '@parterre/shared/limits';
import type { HeldItem } from './selection.ts';

/** `operationId` names a hold of a performance group. */
export type Hold = {
  holdId: string;
  operationId?: string;
  expiresAt: number;
  labels: string[];
  items: HeldItem[];
  extends: number;
};

export const nameOf = ({ operationId, holdId }: Pick<Hold, 'operationId' | 'holdId'>): string => operationId ?? holdId;

export type Fate =
  | 'stands'
  /** Every place is sold. This buyer bought them, since nobody else can buy held places. */
  | 'bought'
  /** A place is free again or gone. Only the server knows the outcome, so the page asks. */
  | 'ask';

/**
 * `statusOf` gives the last status of a label; undefined without one since the hold. `hearsAll`: no status is missed.
 */
export function fateOf(hold: Hold, statusOf: (label: string) => string | undefined, hearsAll: boolean): Fate {
  const statuses = hold.labels.map(statusOf);
  if (hearsAll && hold.labels.length > 0 && statuses.every((status) => status === 'booked')) return 'bought';
  return statuses.some((status) => status !== undefined && status !== 'held') ? 'ask' : 'stands';
}

/** More time is offered when at most this much is left. */
const EXTENDABLE_MS = 5 * 60_000;

export const mayExtendSoon = (remainingMs: number): boolean => remainingMs <= EXTENDABLE_MS;

export const extendsLeft = ({ extends: times }: Hold): number => Math.max(holdExtendsMax - times, 0);

const WARNINGS_MS = [120_000, 60_000, 15_000];

/** True when the time left has just fallen below a mark that is spoken aloud. */
export function passesWarning(beforeMs: number, nowMs: number): boolean {
  return nowMs > 0 && WARNINGS_MS.some((mark) => beforeMs > mark && nowMs <= mark);
}
