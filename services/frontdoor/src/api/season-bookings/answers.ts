/** A booking of a season as its platform and its support see it. */
import type { KeptBookingAction, KeptOperation, KeptPart } from '@parterre/shared/catalog/operations';
import { cancellationStates, rightDispositions, type SeasonCancellation } from '@parterre/shared/catalog/season-sales';
import { z } from 'zod';
import { text, textOrNull } from '../records/records.ts';

const lastError = textOrNull.describe('The code of a refusal.');
const cancelOutcome = z.object({
  eventKey: text,
  state: z.enum(['pending', 'cancelled', 'failed']),
  code: textOrNull,
});

export const seasonBooking = z.object({
  actionId: text.describe('The `bookActionId` of the call that booked.'),
  operationId: text,
  bookingRef: text,
  planActivationId: textOrNull,
  state: z
    .enum(['book_pending', 'booked', 'book_failed', 'partial_terminal', 'cancelled'])
    .describe('`booked` while it is being cancelled. `partial_terminal` where some events could not cancel.'),
  outcomes: z.array(z.object({ eventKey: text, state: z.enum(['pending', 'booked', 'failed']), code: textOrNull })),
  lastError,
  cancellation: z
    .object({
      cancelActionId: text,
      state: z.enum(cancellationStates),
      rightDisposition: z.enum(rightDispositions),
      outcomes: z.array(cancelOutcome),
      lastError,
    })
    .nullable(),
});
export const oneSeasonBooking = z.object({ booking: seasonBooking });
export type SeasonBookingAnswer = z.output<typeof seasonBooking>;

/** The booking that the action has made, or tries to make. */
export function bookingOf(
  kept: Pick<KeptOperation, 'operationId' | 'planActivationId' | 'isOpen' | 'parts'>,
  action: Pick<KeptBookingAction, 'actionId' | 'bookingRef' | 'state'>,
  cancellation: SeasonCancellation | null,
): SeasonBookingAnswer {
  const { operationId, planActivationId, parts } = kept;
  const state = stateOf(kept, action, cancellation);
  const code = state === 'book_failed' ? 'conflict' : null;
  return {
    ...{ actionId: action.actionId, operationId, bookingRef: action.bookingRef ?? '', planActivationId, state },
    outcomes: parts.map((part) => ({ eventKey: part.eventKey, state: code ? 'failed' : outcomeOf(part), code })),
    lastError: code,
    cancellation: cancellation && cancellationOf(cancellation),
  };
}

/** A pin without a decision counts as refused once nothing goes on with it. */
function stateOf(
  { isOpen }: Pick<KeptOperation, 'isOpen'>,
  { state }: Pick<KeptBookingAction, 'state'>,
  cancellation: SeasonCancellation | null,
): SeasonBookingAnswer['state'] {
  if (state === 'pending' && isOpen) return 'book_pending';
  if (state !== 'booked') return 'book_failed';
  const ended = cancellation?.state;
  return ended === 'cancelled' || ended === 'partial_terminal' ? ended : 'booked';
}

function outcomeOf({ state }: Pick<KeptPart, 'state'>): 'pending' | 'booked' {
  return state === 'booked' || state === 'cancelled' ? 'booked' : 'pending';
}

function cancellationOf({ cancelActionId, state, rightDisposition, outcomes }: SeasonCancellation) {
  const failed = outcomes.find((each) => each.state === 'failed');
  return { cancelActionId, state, rightDisposition, outcomes, lastError: failed?.code ?? null };
}

/** Whether polling goes on. */
export function isOpenBooking({ state, cancellation }: SeasonBookingAnswer): boolean {
  return state === 'book_pending' || cancellation?.state === 'cancel_pending';
}
