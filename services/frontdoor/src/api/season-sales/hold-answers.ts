/** Answers of season holds. */
import type { SeasonRecord } from '@parterre/shared/catalog/seasons';
import type { OperationView } from '@parterre/shared/operations/ports';
import { z } from 'zod';
import { holdState, isUnfinished, ownerHoldId } from '../operations/operations.ts';
import { count, epochMs, idOf, lineItem, text, textOrNull } from '../records/records.ts';

const policy = z.literal('fixed_inclusion_same_seat').describe('The same seats in every occurrence of the plan.');
const fixed = 'fixed_inclusion_same_seat' as const;
/** Those of a part. `pending`: the event has not answered, or has no part yet. */
const allocationState = z.enum(['pending', 'held', 'booked', 'released', 'expired', 'aborted']);

const seasonOperation = z.object({
  operationId: text,
  holdId: idOf('hld'),
  expiresAt: epochMs.nullable(),
  policy,
  state: holdState,
  retryAfterSeconds: count.nullable().describe('Null where nothing is unfinished.'),
  allocations: z.array(z.object({ eventId: text, state: allocationState })),
});
export const oneSeasonOperation = z.object({ operation: seasonOperation });

export const seasonHold = z.object({
  operationId: text,
  seasonKey: idOf('sea'),
  holdId: idOf('hld'),
  state: holdState,
  bookingRef: textOrNull,
  expiresAt: epochMs.nullable(),
  policy,
  allocations: z.array(
    z.object({
      eventKey: text,
      labels: z.array(text),
      items: z.array(lineItem.omit({ unitPrice: true, currency: true })),
    }),
  ),
});
export const oneSeasonHold = z.object({ hold: seasonHold });

/** `eventIds` in the order of the parts. */
export function operationOf(
  seasonKey: string,
  view: OperationView,
  eventIds: readonly string[],
): z.output<typeof seasonOperation> {
  const { operationId, expiresAt, state, parts } = view;
  return {
    ...{ operationId, holdId: holdIdOf(seasonKey, operationId), expiresAt, policy: fixed, state },
    retryAfterSeconds: isUnfinished(view) ? 1 : null,
    allocations: parts.map((part, index) => ({ eventId: eventIds[index]!, state: stateOfPart(part.state) })),
  };
}

/** A pin is the server's own affair: the seats are held. */
function stateOfPart(state: OperationView['parts'][number]['state']): z.output<typeof allocationState> {
  if (state === 'none' || state === 'unknown') return 'pending';
  return state === 'pinned' ? 'held' : state;
}

function holdIdOf(seasonKey: string, operationId: string): string {
  return ownerHoldId({ kind: 'season', key: seasonKey }, operationId);
}

export function seasonHoldOf({ key }: SeasonRecord, view: OperationView): z.output<typeof seasonHold> {
  const { operationId, expiresAt, state, booking, parts } = view;
  return {
    ...{ operationId, seasonKey: key, holdId: holdIdOf(key, operationId), state, expiresAt, policy: fixed },
    bookingRef: booking?.bookingRef ?? null,
    allocations: parts.map(({ eventKey, items }) => ({
      eventKey,
      labels: items.map(({ label }) => label),
      items: items.map(({ unitPrice: _, currency: __, ...item }) => item),
    })),
  };
}
