/**
 * A batch has deliveries of one subscription that arrived at their first attempt, as most deliveries do. A document
 * costs far more to write than a delivery in it.
 *
 * A batch never changes. A delivery in a batch may get a further report, of a retry by hand. Then the delivery gets a
 * row, which is made from the batch and the report, and from then on the row counts. A batch has a bounded time between
 * its first and last delivery, so a page of the history needs few batches.
 */
import type { AttemptReport } from '@parterre/shared/protocol/catalog/deliveries';
import { responseBodyBytesMax } from '@parterre/shared/protocol/webhook-limits';
import { decodeKept, encodeKept } from '@parterre/shared/protocol/wire';
import { batchBytesMax, batchDeliveriesMax, batchSpanMicros, deliveryHistoryMs } from '../../store/rules/bounds.ts';
import type { DeliveryBatch, DeliveryRow } from '../../store/rules/webhook-records.ts';
import { createdAt, cutText, noteReport } from './delivery-row.ts';

/** The fields of a report that a batch does not have in common or in lists. */
type BatchedFields = [
  occurrenceId: string,
  event: string,
  eventKey: string,
  ref: string | null,
  partition: number,
  sequence: number,
  index: number,
  at: number,
  status: number,
  responseBody: string | null,
  body: string | null,
  envelope: string | null,
];

/** Whether a batch can have the report: the delivery arrived at its first attempt. */
export function isArrived({ attempt, manual, retryState, errorMessage, season, dropped }: AttemptReport): boolean {
  const isFirst = attempt === 1 && !manual && retryState === 'delivered';
  return isFirst && errorMessage === null && season === undefined && dropped === undefined;
}

/** Reports of one subscription, in batches. `arrivedBefore`: the deliveries in earlier batches. */
export function batchesOf(
  reports: readonly AttemptReport[],
  arrivedBefore: number,
): { batch: DeliveryBatch; reports: AttemptReport[] }[] {
  let arrivedUpTo = arrivedBefore;
  return piecesOf(reports).map((piece) => {
    arrivedUpTo += piece.length;
    return { batch: batchOf(piece, arrivedUpTo), reports: piece };
  });
}

/** In order, each piece within the bounds of a batch. */
function piecesOf(reports: readonly AttemptReport[]): AttemptReport[][] {
  const pieces: AttemptReport[][] = [];
  let bytes = 0;
  for (const report of reports.toSorted((one, other) => one.order - other.order)) {
    const last = pieces.at(-1);
    const added = textBytesOf(report);
    const hasRoom = last && last.length < batchDeliveriesMax && bytes + added <= batchBytesMax;
    if (hasRoom && report.order - last[0]!.order <= batchSpanMicros) {
      last.push(report);
      bytes += added;
    } else {
      pieces.push([report]);
      bytes = added;
    }
  }
  return pieces;
}

/** An estimate: most characters have one byte. */
function textBytesOf({ body, responseBody }: AttemptReport): number {
  return (body?.length ?? 0) + (responseBody?.length ?? 0);
}

function batchOf(reports: readonly AttemptReport[], arrivedUpTo: number): DeliveryBatch {
  const [first] = reports;
  const { subId, organisationId, order } = first!;
  return {
    subId,
    organisationId,
    order,
    deliveryIds: reports.map(({ deliveryId }) => deliveryId),
    orders: reports.map((report) => report.order),
    reports: encodeKept(reports.map(fieldsOf)),
    arrivedUpTo,
    expiresAt: createdAt(reports.at(-1)!.order) + deliveryHistoryMs,
  };
}

function fieldsOf(report: AttemptReport): BatchedFields {
  const { occurrenceId, event, eventKey, ref, place, at, status, body, envelope = null } = report;
  const { partition, sequence, index } = place;
  const responseBody = cutText(report.responseBody, responseBodyBytesMax);
  return [occurrenceId, event, eventKey, ref, partition, sequence, index, at, status, responseBody, body, envelope];
}

/** Gives the row of the delivery at a position of the batch, as its report alone would make it. */
export function rowsOf(batch: DeliveryBatch): (at: number) => DeliveryRow {
  let fields: BatchedFields[] | null = null;
  return (at) => {
    fields ??= decodeKept<BatchedFields[]>(batch.reports);
    return noteReport(null, reportAt(batch, at, fields[at]!))!.row;
  };
}

type Oldest<Row, Batch> = { rows: Row[]; batches: Batch[]; batched: number };

/**
 * The oldest rows and batches, at most `limit` deliveries together, of which `batched` are in batches. A batch is taken
 * whole. Both lists are pages in order. The end of one ends the taking: the next page may be older than the other list.
 */
export function oldestWithin<Row extends { value: DeliveryRow }, Batch extends { value: DeliveryBatch }>(
  rows: readonly Row[],
  batches: readonly Batch[],
  limit: number,
): Oldest<Row, Batch> {
  const oldest: Oldest<Row, Batch> = { rows: [], batches: [], batched: 0 };
  for (;;) {
    const row = rows[oldest.rows.length];
    const batch = batches[oldest.batches.length];
    const isAtEnd = (!row && rows.length > 0) || (!batch && batches.length > 0);
    if (isAtEnd) return oldest;
    const left = limit - oldest.rows.length - oldest.batched;
    if (row && (!batch || row.value.order < batch.value.order)) {
      if (left < 1) return oldest;
      oldest.rows.push(row);
    } else {
      if (!batch || left < batch.value.orders.length) return oldest;
      oldest.batches.push(batch);
      oldest.batched += batch.value.orders.length;
    }
  }
}

function reportAt(
  { subId, organisationId, deliveryIds, orders }: DeliveryBatch,
  nth: number,
  fields: BatchedFields,
): AttemptReport {
  const [occurrenceId, event, eventKey, ref, partition, sequence, index, at, status, ...texts] = fields;
  const [responseBody, body, envelope] = texts;
  return {
    deliveryId: deliveryIds[nth]!,
    subId,
    organisationId,
    occurrenceId,
    event,
    eventKey,
    ref,
    place: { partition, sequence, index },
    body,
    envelope,
    order: orders[nth]!,
    attempt: 1,
    manual: false,
    at,
    status,
    responseBody,
    errorMessage: null,
    retryState: 'delivered',
    nextAttemptAt: null,
  };
}
