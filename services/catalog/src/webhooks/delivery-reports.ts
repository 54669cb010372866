/**
 * Records attempts: reports → batches and rows of the history, and the health of their subscriptions, with one flush
 * for many where the store can. An attempt counts once, however often and through however many catalogs it is told.
 *
 * States of a report: waiting (gathered with others of this process) → put into a batch, where its delivery arrived
 * at the first attempt and has no row; otherwise folded into its row. Batch or row and the subscription's health are
 * written together, each only if no other writer came between → done, once its delivery and its count stand.
 *
 * Where another catalog wrote the row meanwhile, its count is taken back, and the report is folded again into the
 * new row. Where a batch has one of the deliveries already, the whole new batch is refused and its counts are taken
 * back. The next round knows this delivery, and makes another batch of the rest. Where another catalog wrote the
 * health, the owed counts are folded into the new health.
 *
 * Two notifiers may attempt one delivery at once, and one attempt fails: both count, and the delivery has a row and a
 * place in a batch. The row is shown, and its retry follows.
 *
 * Failure at an await: the read or the write fails → the notifier gets an error and reports again; stored rows know
 * their attempts. A catalog that dies in the middle of a write leaves all of a batch or nothing on the embedded store.
 * MongoDB writes documents one by one: some counts of the batch may be missing or doubled there; the rows are right.
 */
import type { AttemptReport } from '@parterre/shared/protocol/catalog/deliveries';
import { Fault } from '@parterre/shared/protocol/errors';
import { createGathering } from '@parterre/shared/runtime/gathering';
import { deliveries, deliveryBatches, webhookHealth } from '../store/collections.ts';
import type { Ports } from '../store/operations.ts';
import { changeAttemptsMax, deliveriesUntrimmedMax, reportsAtOnceMax } from '../store/rules/bounds.ts';
import type { DeliveryBatch, DeliveryRow, WebhookHealth } from '../store/rules/webhook-records.ts';
import type { Store, Write } from '../store/store.ts';
import { arrivedRows } from './delivery-batches.ts';
import { pauseFailing, trimHistory } from './health-store.ts';
import { beginRecovery } from './recoveries.ts';
import { batchesOf, isArrived } from './rules/delivery-batch.ts';
import { noteReport } from './rules/delivery-row.ts';
import {
  type CountedAttempt,
  freshHealth,
  hasRecovered,
  isForgotten,
  noteAttempts,
} from './rules/subscription-health.ts';

/** Resolves when every report is written. */
export type RecordReports = (reports: AttemptReport[]) => Promise<void>;

export function createRecordReports(ports: Ports): RecordReports {
  // One batch after the other in this process, so that batches of a busy subscription never compete for its health.
  const gathered = createGathering<AttemptReport[], void>(async (_key, batches) => {
    const reports = batches.flat();
    for (let from = 0; from < reports.length; from += reportsAtOnceMax) {
      await recordTogether(ports, reports.slice(from, from + reportsAtOnceMax));
    }
    return batches.map(() => undefined);
  });
  return (reports) => (reports.length === 0 ? Promise.resolve() : gathered('', reports));
}

/** The rest to write. */
type Left = {
  /** Reports by delivery, in the order of their arrival. */
  reports: Map<string, AttemptReport[]>;
  /** Counts by subscription: of stored rows, and those to be taken back. */
  owed: Map<string, CountedAttempt[]>;
};
/** A document to write, with the deliveries whose reports it has, and their counts. */
type Recording = { write: Write<DeliveryRow | DeliveryBatch>; deliveryIds: string[]; counted: CountedAttempt[] };
/** `version` is null where a batch has the delivery. */
type KnownRow = { version: number | null; row: DeliveryRow };
type Health = { version: number | null; health: WebhookHealth; counted: CountedAttempt[]; inserted: number };

async function recordTogether(ports: Ports, reports: AttemptReport[]): Promise<void> {
  const left: Left = { reports: new Map(), owed: new Map() };
  for (const report of reports) push(left.reports, report.deliveryId, report);
  const untrimmed = new Set<string>();
  for (let round = 0; left.reports.size + left.owed.size > 0; round++) {
    // Only several catalogs at once overtake each other, and in each round one of them wins.
    if (round === changeAttemptsMax) throw new Fault('record deliveries: other catalogs keep overtaking');
    for (const subId of await recordOnce(ports, left, round === 0)) untrimmed.add(subId);
  }
  for (const subId of untrimmed) await trimHistory(ports.store, subId);
}

/** Resolves with the subscriptions whose oldest deliveries are to be deleted. */
async function recordOnce(ports: Ports, left: Left, first: boolean): Promise<string[]> {
  const { store } = ports;
  const [known, healths] = await Promise.all([storedRows(store, left), readHealths(store, left)]);
  // In the first round no batch is read for a first attempt that arrived: an existing batch refuses the new one.
  if (!first) await addArrived(store, left, known, []);
  const batches = batchRecordings(left, known, healths);
  if (first) await addArrived(store, left, known, batches);
  const recordings = [...batches, ...rowRecordings(left, known, healths, batches)];
  for (const { write, deliveryIds, counted } of recordings) {
    const of = healths.get(write.value.subId)!;
    of.counted.push(...counted);
    if (write.version === null) of.inserted += deliveryIds.length;
  }
  const changed = [...healths].filter(([, { counted }]) => counted.length > 0);
  const healthWrites = changed.map(([id, { version, health, counted, inserted }]): Write<WebhookHealth> => {
    const value = noteAttempts(health, counted, ports.clock.now());
    value.untrimmed += inserted;
    return { collection: webhookHealth, id, version, value };
  });
  await pauseFailing(
    ports,
    [...left.reports.values()].flat(),
    new Map(healthWrites.map(({ id, value }) => [id, value])),
  );
  const recovered = changed.filter(([, { health, counted }]) => hasRecovered(health, counted));
  const full = healthWrites.filter(({ value }) => value.untrimmed >= deliveriesUntrimmedMax);
  for (const { value } of full) value.untrimmed = 0;
  const written = await store.writeMany([...recordings.map(({ write }) => write), ...healthWrites]);
  const stood = (at: number) => written[at] === 'inserted' || written[at] === 'replaced';
  const countedFor = new Set(healthWrites.filter((_, at) => stood(recordings.length + at)).map(({ id }) => id));
  settle(left, recordings, stood, countedFor);
  const organisations = new Map(recordings.map(({ write: { value } }) => [value.subId, value.organisationId]));
  for (const [subId] of recovered) {
    const organisationId = organisations.get(subId);
    if (organisationId === undefined || !countedFor.has(subId)) continue;
    await beginRecovery(ports, { subId, organisationId, since: null });
  }
  return full.map(({ id }) => id).filter((id) => countedFor.has(id));
}

async function storedRows(store: Store, left: Left): Promise<Map<string, KnownRow>> {
  const ids = [...left.reports.keys()];
  const stored = ids.length === 0 ? [] : await store.getMany(deliveries, ids);
  return new Map(stored.map(({ id, version, value }) => [id, { version, row: value }]));
}

async function readHealths(store: Store, left: Left): Promise<Map<string, Health>> {
  const ids = new Set(left.owed.keys());
  for (const reports of left.reports.values()) ids.add(reports[0]!.subId);
  const known = new Map((await store.getMany(webhookHealth, [...ids])).map((document) => [document.id, document]));
  const healths = new Map<string, Health>();
  for (const id of ids) {
    const stored = known.get(id);
    const health = stored?.value ?? freshHealth;
    if (isForgotten(health)) {
      // Reports of a deleted subscription are dropped.
      left.owed.delete(id);
      continue;
    }
    const counted = [...(left.owed.get(id) ?? [])];
    healths.set(id, { version: stored?.version ?? null, health, counted, inserted: 0 });
  }
  return healths;
}

/** The batches of deliveries that arrived at their first attempt and are not known. */
function batchRecordings(left: Left, known: Map<string, KnownRow>, healths: Map<string, Health>): Recording[] {
  const arrived = new Map<string, AttemptReport[]>();
  for (const [id, reports] of left.reports) {
    const report = reports.find(isArrived);
    if (report && !known.has(id) && healths.has(report.subId)) push(arrived, report.subId, report);
  }
  return [...arrived].flatMap(([subId, reports]) =>
    batchesOf(reports, healths.get(subId)!.health.arrived ?? 0).map(({ batch, reports: batched }): Recording => {
      const { deliveryIds } = batch;
      const write = { collection: deliveryBatches, id: deliveryIds[0]!, version: null, value: batch };
      return { write, deliveryIds, counted: batched.map((report) => ({ ...countOf(report), batched: true })) };
    }),
  );
}

/** Adds a row to `known` for each delivery that a stored batch has. Deliveries of the new `batches` are left out. */
async function addArrived(
  store: Store,
  left: Left,
  known: Map<string, KnownRow>,
  batches: readonly Recording[],
): Promise<void> {
  const inBatches = idsOf(batches);
  const ids = [...left.reports.keys()].filter((id) => !known.has(id) && !inBatches.has(id));
  for (const [id, row] of await arrivedRows(store, ids)) known.set(id, { version: null, row });
}

/** The rows that change. Reports that change none are done. */
function rowRecordings(
  left: Left,
  known: Map<string, KnownRow>,
  healths: Map<string, Health>,
  batches: readonly Recording[],
): Recording[] {
  const recordings: Recording[] = [];
  const inBatches = idsOf(batches);
  for (const [id, reports] of left.reports) {
    if (inBatches.has(id)) continue;
    const stored = known.get(id);
    const before = stored?.row ?? null;
    let row = before;
    const counted: CountedAttempt[] = [];
    for (const report of reports) {
      const noted = healths.has(report.subId) ? noteReport(row, report) : null;
      if (!noted) continue;
      row = noted.row;
      if (noted.attempted || report.dropped !== undefined) counted.push(countOf(report));
    }
    const version = stored?.version ?? null;
    if (row === null || row === before) left.reports.delete(id);
    else recordings.push({ write: { collection: deliveries, id, version, value: row }, deliveryIds: [id], counted });
  }
  return recordings;
}

function idsOf(recordings: readonly Recording[]): Set<string> {
  return new Set(recordings.flatMap(({ deliveryIds }) => deliveryIds));
}

function countOf({ at, status, retryState, dropped }: AttemptReport): CountedAttempt {
  const count = { at, status, delivered: retryState === 'delivered', count: 1 } as const;
  return dropped === undefined ? count : { ...count, dropped: true };
}

function settle(left: Left, recordings: Recording[], stood: (at: number) => boolean, countedFor: Set<string>): void {
  for (const subId of countedFor) left.owed.delete(subId);
  for (const [at, { write, deliveryIds, counted }] of recordings.entries()) {
    const { subId } = write.value;
    if (stood(at)) for (const id of deliveryIds) forget(left, id, write.collection === deliveryBatches);
    if (stood(at) === countedFor.has(subId)) continue;
    for (const count of counted) push(left.owed, subId, stood(at) ? count : { ...count, count: -1 });
  }
}

/** A batch has first attempts only. Further reports of its deliveries follow in the next round. */
function forget({ reports }: Left, id: string, isBatched: boolean): void {
  const rest = isBatched ? reports.get(id)!.filter((report) => !isArrived(report)) : [];
  if (rest.length > 0) reports.set(id, rest);
  else reports.delete(id);
}

function push<Value>(into: Map<string, Value[]>, key: string, value: Value): void {
  const others = into.get(key);
  if (others) others.push(value);
  else into.set(key, [value]);
}
