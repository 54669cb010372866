/** A loss: deliveries of one subscription that a full queue dropped, and its row in the history. */
import type { AttemptReport } from '@parterre/shared/protocol/catalog/deliveries';
import { derivedId } from '@parterre/shared/protocol/ids';
import { queuedBytesPerOrganisationMax, queuedBytesPerSubscriptionMax } from '@parterre/shared/protocol/webhook-limits';
import { MIB } from '@parterre/shared/runtime/units';
import type { Delivery } from './delivery.ts';
import type { FullReason } from './queue-ledger.ts';

export type Loss = {
  /** The first dropped delivery. */
  delivery: Delivery;
  /** The reason of the last drop. */
  reason: FullReason;
  /** The times of the first and of the last drop, epoch ms. */
  since: number;
  lastAt: number;
  /** The place of the row in lists, microseconds. */
  order: number;
  count: number;
};

/** The reason in the history and in the log. */
export const whyFull: Record<FullReason, string> = {
  subscription: `Too many deliveries wait for this endpoint: at most ${queuedBytesPerSubscriptionMax / MIB} MiB may wait.`,
  organisation: `Too many deliveries wait for the organisation's endpoints: at most ${queuedBytesPerOrganisationMax / MIB} MiB may wait.`,
  deployment: 'The queues of this deployment have no room for more waiting deliveries.',
};

/** The event name of a loss's row. No receiver gets it. */
const LOSS_EVENT = 'deliveries.dropped';

/**
 * The row of the loss. Reports of one loss have one id and a growing number. The row has neither a body nor a place, so
 * nobody can post it.
 */
export function lossReport({ delivery, reason, since, lastAt, order, count }: Loss): AttemptReport {
  const { subId, organisationId, eventKey } = delivery;
  const from = `${subId} ${delivery.deliveryId} ${order}`;
  const deliveries = count === 1 ? '1 delivery was' : `${count} deliveries were`;
  return {
    deliveryId: derivedId('dlv', 'loss', from),
    occurrenceId: derivedId('occ', 'loss', from),
    subId,
    organisationId,
    event: LOSS_EVENT,
    eventKey,
    ref: null,
    place: { partition: 0, sequence: 0, index: 0 },
    body: null,
    order,
    attempt: 0,
    manual: false,
    at: lastAt,
    status: 0,
    responseBody: null,
    errorMessage: `${deliveries} dropped since ${isoTime(since)}. ${whyFull[reason]} Read the state of your events.`,
    retryState: 'none',
    nextAttemptAt: null,
    dropped: count,
  };
}

function isoTime(at: number): string {
  // biome-ignore lint/style/noRestrictedGlobals: writes a given time; the time now is an argument.
  return new Date(at).toISOString();
}
