/** A hold on its buyer's page, and the conclusions that the feed allows. Pure. */
import { holdExtendsMax } from '@parterre/shared/protocol/page-limits';
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

/**
 * True if a place of a hold is known to be held no longer. Only the server knows whether the shop has booked the hold:
 * the page may have missed a status in between. `statusOf` gives the last status since the hold.
 */
export function isInDoubt({ labels }: Hold, statusOf: (label: string) => string | undefined): boolean {
  return labels.map(statusOf).some((status) => status !== undefined && status !== 'held');
}

export type End = 'released' | 'expired' | 'booked';

/** How the hold ended, as the refusal says; null if the hold may still exist. */
export function endOf({ code, reason, status }: { code: string; reason?: string; status?: End }): End | null {
  const isGone = code === 'hold_not_found' || (code === 'cannot_extend' && reason !== 'extend_limit');
  return isGone ? (status ?? 'expired') : null;
}

/** More time is offered when at most this much is left. */
const EXTENDABLE_MS = 5 * 60_000;

export const mayExtendSoon = (remainingMs: number): boolean => remainingMs <= EXTENDABLE_MS;

export const extendsLeft = ({ extends: times }: Hold): number => Math.max(holdExtendsMax - times, 0);

const WARNINGS_MS = [120_000, 60_000, 15_000];

/** True when the time left has just fallen below a mark that is spoken aloud. */
export function passesWarning(beforeMs: number, nowMs: number, marks = WARNINGS_MS): boolean {
  return nowMs > 0 && marks.some((mark) => beforeMs > mark && nowMs <= mark);
}
