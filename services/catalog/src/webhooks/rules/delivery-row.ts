/**
 * A delivery in the history, and the changes that a report of an attempt makes. Reports may come twice, late, or in
 * another order than their attempts, and from several notifiers. The same reports always give the same row. Only the
 * texts may differ where two attempts end in one millisecond.
 *
 * The status and the texts are those of the attempt that ended last. The state of the schedule is that of its furthest
 * attempt, until one succeeds; `delivered` is final. A manual attempt leaves the schedule as it is unless it succeeds.
 *
 * The row of a loss has the number of deliveries that a full queue dropped. Of the reports of one loss, the largest
 * number counts.
 */
import type { AttemptReport, Delivery, KeptDelivery } from '@parterre/shared/protocol/catalog/deliveries';
import { deliveryAttemptsMax, responseBodyBytesMax } from '@parterre/shared/protocol/webhook-limits';
import { deliveryErrorBytesMax, deliveryHistoryMs, manualAttemptsKept } from '../../store/rules/bounds.ts';
import type { DeliveryRow } from '../../store/rules/webhook-records.ts';

/** `attempted`: the report is of an attempt that the row did not have. */
export type Noted = { row: DeliveryRow; attempted: boolean };

/** Null where the row has the report already. */
export function noteReport(known: DeliveryRow | null, report: AttemptReport): Noted | null {
  if (known && hasReport(known, report)) return null;
  const row = known ? { ...known } : emptyRow(report);
  const attempted = isAttempt(report);
  if (attempted) {
    noteAnswer(row, report);
    if (report.manual) {
      row.manuals += 1;
      row.manualsAt = [...row.manualsAt, report.at].slice(-manualAttemptsKept);
    } else row.attempts |= bitOf(report);
  } else if (report.at >= (row.over?.at ?? 0)) {
    row.over = { why: cutText(report.errorMessage, deliveryErrorBytesMax), at: report.at };
  }
  if (report.dropped !== undefined) row.dropped = report.dropped;
  row.body ??= report.body;
  row.envelope ??= report.envelope ?? null;
  noteState(row, report);
  return { row, attempted };
}

/** Otherwise the report says that no attempt follows, and reports none. */
export function isAttempt({ manual, status, retryState }: AttemptReport): boolean {
  return manual || status !== 0 || retryState !== 'none';
}

function hasReport(row: DeliveryRow, report: AttemptReport): boolean {
  if (report.dropped !== undefined) return (row.dropped ?? 0) >= report.dropped;
  if (!isAttempt(report)) return row.delivered || row.step >= stepOf(report);
  return report.manual ? row.manualsAt.includes(report.at) : (row.attempts & bitOf(report)) !== 0;
}

/** Every number of the schedule has a bit. */
function bitOf({ attempt }: AttemptReport): number {
  return 1 << Math.min(attempt, 30);
}

/** An end after an attempt comes between this attempt and the next. */
function stepOf(report: AttemptReport): number {
  return report.attempt * 2 + (isAttempt(report) ? 0 : 1);
}

function emptyRow(report: AttemptReport): DeliveryRow {
  // Field by field: there is a row for every delivery, and spreads are the most expensive part.
  const row: DeliveryRow = {
    subId: report.subId,
    organisationId: report.organisationId,
    occurrenceId: report.occurrenceId,
    event: report.event,
    eventKey: report.eventKey,
    ref: report.ref,
    place: report.place,
    order: report.order,
    body: null,
    envelope: null,
    status: 0,
    responseBody: null,
    errorMessage: null,
    retryState: 'none',
    nextAttemptAt: null,
    delivered: false,
    attempts: 0,
    step: -1,
    manuals: 0,
    manualsAt: [],
    lastAttemptAt: null,
    over: null,
    expiresAt: createdAt(report.order) + deliveryHistoryMs,
  };
  if (report.season) row.season = report.season;
  return row;
}

function noteAnswer(row: DeliveryRow, report: AttemptReport): void {
  if (report.at < (row.lastAttemptAt ?? 0)) return;
  row.lastAttemptAt = report.at;
  row.status = report.status;
  row.responseBody = cutText(report.responseBody, responseBodyBytesMax);
  row.errorMessage = cutText(report.errorMessage, deliveryErrorBytesMax);
}

function noteState(row: DeliveryRow, report: AttemptReport): void {
  if (row.delivered) return;
  if (report.retryState === 'delivered') {
    row.delivered = true;
    row.retryState = 'delivered';
    row.nextAttemptAt = null;
  }
  if (report.manual || stepOf(report) <= row.step) return;
  row.step = stepOf(report);
  row.retryState = row.delivered ? 'delivered' : report.retryState;
  row.nextAttemptAt = row.delivered ? null : report.nextAttemptAt;
}

/** The start of a text, up to a whole character. */
export function cutText(text: string | null, bytesMax: number): string | null {
  if (text === null || Buffer.byteLength(text) <= bytesMax) return text;
  // Every character has at least one byte.
  const bytes = Buffer.from(text.slice(0, bytesMax + 1));
  let end = bytesMax;
  while ((bytes[end]! & 0xc0) === 0x80) end -= 1;
  return bytes.toString('utf8', 0, end);
}

/** `order` is in microseconds. */
export function createdAt(order: number): number {
  return Math.floor(order / 1_000);
}

export function deliveryOf(id: string, row: DeliveryRow): Delivery {
  const { event, ref, status, retryState, nextAttemptAt, occurrenceId, responseBody, lastAttemptAt, over } = row;
  const wasDropped = retryState === 'none' && over !== null && over.at >= (lastAttemptAt ?? 0);
  return {
    id,
    at: createdAt(row.order),
    event,
    ref,
    status,
    attempt: lastAttempt(row) + row.manuals,
    maxAttempts: deliveryAttemptsMax,
    willRetry: retryState === 'scheduled',
    retryState,
    nextAttemptAt,
    occurrenceId,
    payload: payloadOf(row),
    responseBody,
    errorMessage: wasDropped ? over.why : row.errorMessage,
    lastAttemptAt,
  };
}

function payloadOf({ body, envelope, occurrenceId, event, eventKey }: DeliveryRow): unknown {
  const kept = body ?? envelope;
  return kept === null ? { occurrenceId, event, type: event, eventKey, truncated: true } : JSON.parse(kept);
}

export function keptDeliveryOf(deliveryId: string, row: DeliveryRow): KeptDelivery {
  const { subId, organisationId, occurrenceId, event, eventKey, ref, place, body, order } = row;
  const { retryState, nextAttemptAt, season } = row;
  return {
    ...(season && { season }),
    deliveryId,
    subId,
    organisationId,
    occurrenceId,
    event,
    eventKey,
    ref,
    place,
    body,
    order,
    attempt: lastAttempt(row),
    retryState,
    nextAttemptAt,
  };
}

function lastAttempt({ attempts }: DeliveryRow): number {
  return attempts === 0 ? 0 : 31 - Math.clz32(attempts);
}
