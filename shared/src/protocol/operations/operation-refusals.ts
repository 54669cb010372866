/** The refusals of the coordinator, and what the refusals of events mean to it. */
import { type Refusal, refuse } from '../errors.ts';
import { holdExtendsMax } from '../page-limits.ts';

export const unknownOperation = refuse(
  'hold_not_found',
  'There is no such operation, or it ended more than a day ago.',
);
export const silent = refuse('shard_unavailable', 'An event of the operation did not answer in time. Try again.', {
  retryable: true,
});

export const otherEvents = refuse('conflict', 'The operation has other events. Nothing was changed.', {
  reason: 'other_events',
});

export const extendLimit = refuse(
  'cannot_extend',
  `This hold has been extended ${holdExtendsMax} times, the most that is allowed.`,
  { reason: 'extend_limit' },
);

/** An outcome that decides nothing. */
export function isUncertain(refusal: Refusal): boolean {
  return refusal.retryable === true || refusal.outcome !== undefined;
}

/** Reasons by which an event tells that it knows the operation. */
const ofKnownOperation = [
  'operation_id_reused',
  'operation_aborted',
  'operation_booked',
  'hold_released',
  'hold_expired',
];

/** Whether the refusal of a part's hold says that the event has, or had, a part of the operation. */
export function isAboutOperation({ reason }: Refusal): boolean {
  return reason !== undefined && ofKnownOperation.includes(reason);
}

/** The refusal of one event of an operation. */
export type EventRefusal = [eventKey: string, refusal: Refusal];

/** The first refusal. Its conflicts or labels name their event. Conflicts stand beside the conflicts of the others. */
export function mergedOf(refused: readonly EventRefusal[]): Refusal {
  const reused = refused.find(([, { reason }]) => reason === 'operation_id_reused');
  const [firstKey, first] = reused ?? refused[0]!;
  const conflicts = refused.flatMap(([eventKey, { code, details }]) => {
    const own = code === first.code ? details?.conflicts : undefined;
    return Array.isArray(own) ? own.map((conflict: object) => ({ eventKey, ...conflict })) : [];
  });
  if (conflicts.length > 0) return { ...first, details: { ...first.details, conflicts } };
  return first.details?.labels ? { ...first, details: { ...first.details, eventKey: firstKey } } : first;
}

const extendReasons: Readonly<Record<string, string>> = {
  hold_expired: 'expired',
  hold_released: 'not_active',
  operation_booked: 'not_active',
  operation_aborted: 'not_active',
};

export function notExtended(refusal: Refusal): Refusal {
  const reason = extendReasons[refusal.reason ?? ''];
  return reason === undefined ? refusal : { ...refusal, code: 'cannot_extend', reason };
}
