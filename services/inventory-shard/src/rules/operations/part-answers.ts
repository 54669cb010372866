/** Answers about parts, and the refusals that several commands share. */
import type { HeldPart } from '@parterre/shared/protocol/answers';
import type { Caller } from '@parterre/shared/protocol/commands';
import { refuse } from '@parterre/shared/protocol/errors';
import type { PartStanding, PartState } from '@parterre/shared/protocol/operations/operation';
import type { EventPart } from '../parts/parts.ts';
import { currencyOf } from '../pricing/pricing.ts';
import { itemsOf } from '../sales/sales.ts';
import type { ReadState } from '../state/state.ts';

/** Without the head, which the coordinator knows: a booking over four events has seven such answers. */
export function viewOf(part: Omit<EventPart, 'head' | 'fingerprint'>): PartStanding {
  const { state, holdId, createdAt, expiresAt, endedAt, extends: renewals, action, lastExtend, refused } = part;
  return { state, holdId, createdAt, expiresAt, endedAt, extends: renewals, action, lastExtend, refused };
}

/** A part whose hold was forgotten early has no items. */
export function detailOf(state: ReadState, part: EventPart): HeldPart {
  const hold = part.holdId === null ? undefined : state.holds.get(part.holdId);
  const { currency } = state.config;
  if (!hold) return { ...viewOf(part), items: [], currency, accessSource: 'public' };
  const { accessSource, sessionId, partnerRef, buyerRef } = hold;
  return {
    ...viewOf(part),
    items: itemsOf(state, hold),
    currency: currencyOf(state, hold),
    ...buyerFields({ accessSource, sessionId, partnerRef, buyerRef }),
  };
}

type BuyerFields = { accessSource: Caller['accessSource'] } & {
  [Name in 'sessionId' | 'partnerRef' | 'buyerRef']?: string | null | undefined;
};

export function buyerFields({ accessSource, sessionId, partnerRef, buyerRef }: BuyerFields) {
  return {
    accessSource,
    ...(sessionId != null && { sessionId }),
    ...(partnerRef != null && { partnerRef }),
    ...(buyerRef != null && { buyerRef }),
  };
}

/** Whether this event decides about the operation. */
export function isHome({ config }: ReadState, { head }: Pick<EventPart, 'head'>): boolean {
  return head.eventKeys[0] === config.eventKey;
}

export const noPart = refuse('hold_not_found', 'This event has no part of the operation. Hold the seats again.');

export const notLocked = refuse('event_closed', 'The group or season sells nothing in this event now.', {
  reason: 'owner_not_active',
});

export const tooLate = refuse('conflict', 'The command came too late, and did nothing. Repeat the call.', {
  reason: 'too_late',
});

export const otherAction = refuse('conflict', 'Another call is changing this operation now. Nothing was changed.', {
  reason: 'other_action',
});

export const actionReused = refuse(
  'conflict',
  'This action has another bookingRef. Repeat an action unchanged, or choose a new name for it.',
  { reason: 'action_reused' },
);

const whyOver = {
  released: ['hold_released', 'This hold was released, and its seats are on sale again. Hold the seats again.'],
  expired: ['hold_expired', 'This hold has expired, and its seats are on sale again. Hold the seats again.'],
  aborted: ['operation_aborted', 'This operation was given up, and holds nothing. Hold the seats under a new name.'],
  booked: ['operation_booked', 'This operation has been booked.'],
} as const;

/** The refusal of a change to a part that has ended. */
export function over(state: Exclude<PartState, 'held' | 'pinned'>): ReturnType<typeof refuse> {
  const [reason, message] = whyOver[state];
  return refuse('conflict', message, { reason });
}
