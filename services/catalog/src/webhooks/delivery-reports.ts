/**
 * Records attempts: reports → rows of the history and the health of their subscriptions, with one flush a batch
 * where the store can. An attempt counts once, however often and through however many catalogs it is reported.
 *
 * States of a report: waiting (gathered with others of this process) → folded into its row and its subscription's
 * health, which are written together, each only if no other writer came between → done, once its row and its count
 * stand.
 *
 * Where another catalog wrote the row meanwhile, its count is taken back, and the report is folded again into the
 * new row. Where another catalog wrote the health, the owed counts are folded into the new health.
 *
 * Failure at an await: the read or the write fails → the notifier gets an error and reports again; stored rows know
 * their attempts. A catalog that dies in the middle of a write leaves all of a batch or nothing on the embedded store.
 * MongoDB writes documents one by one: some counts of the batch may be missing or doubled there; the rows are right.
 */
import type { AttemptReport } from '@parterre/shared/protocol/catalog/deliveries';
import { Fault } from '@parterre/shared/protocol/errors';
import { createGathering } from '@parterre/shared/runtime/gathering';
import { deliveries, webhookHealth } from '../store/collections.ts';
import type { Ports } from '../store/operations.ts';
import { changeAttemptsMax, deliveriesUntrimmedMax, reportsAtOnceMax } from '../store/rules/bounds.ts';
import type { DeliveryRow, WebhookHealth } from '../store/rules/webhook-records.ts';
import type { Store, Stored, Write } from '../store/store.ts';
import { pauseFailing, trimHistory } from './health-store.ts';
import { beginRecovery } from './recoveries.ts';
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
type Row = { write: Write<DeliveryRow>; counted: CountedAttempt[] };
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
  const [known, healths] = await Promise.all([knownRows(ports.store, left, first), readHealths(ports.store, left)]);
  const rows = rowsOf(left, known, healths);
  for (const { write, counted } of rows) {
    const of = healths.get(write.value.subId)!;
    of.counted.push(...counted);
    if (write.version === null) of.inserted += 1;
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
  const written = await ports.store.writeMany([...rows.map(({ write }) => write), ...healthWrites]);
  const stood = (at: number) => written[at] === 'inserted' || written[at] === 'replaced';
  const countedFor = new Set(healthWrites.filter((_, at) => stood(rows.length + at)).map(({ id }) => id));
  settle(left, rows, stood, countedFor);
  const organisations = new Map(rows.map(({ write }) => [write.value.subId, write.value.organisationId]));
  for (const [subId] of recovered) {
    const organisationId = organisations.get(subId);
    if (organisationId === undefined || !countedFor.has(subId)) continue;
    await beginRecovery(ports, { subId, organisationId, since: null });
  }
  return full.map(({ id }) => id).filter((id) => countedFor.has(id));
}

/**
 * A report of a first attempt is taken for the delivery's first report: in the first round its row is not read. An
 * existing row refuses the insert.
 */
async function knownRows(store: Store, left: Left, first: boolean): Promise<Map<string, Stored<DeliveryRow>>> {
  const ids = [...left.reports.keys()];
  const looked = first ? ids.filter((id) => left.reports.get(id)!.some(({ attempt }) => attempt !== 1)) : ids;
  return byId(looked.length === 0 ? [] : await store.getMany(deliveries, looked));
}

async function readHealths(store: Store, left: Left): Promise<Map<string, Health>> {
  const ids = new Set(left.owed.keys());
  for (const reports of left.reports.values()) ids.add(reports[0]!.subId);
  const known = byId(await store.getMany(webhookHealth, [...ids]));
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

/** The rows that change. Reports that change none are done. */
function rowsOf(left: Left, known: Map<string, Stored<DeliveryRow>>, healths: Map<string, Health>): Row[] {
  const rows: Row[] = [];
  for (const [id, reports] of left.reports) {
    const stored = known.get(id);
    const before = stored?.value ?? null;
    let row = before;
    const counted: CountedAttempt[] = [];
    for (const report of reports) {
      const noted = healths.has(report.subId) ? noteReport(row, report) : null;
      if (!noted) continue;
      row = noted.row;
      if (noted.attempted || report.dropped !== undefined) counted.push(countOf(report));
    }
    if (row === null || row === before) left.reports.delete(id);
    else rows.push({ write: { collection: deliveries, id, version: stored?.version ?? null, value: row }, counted });
  }
  return rows;
}

function countOf({ at, status, retryState, dropped }: AttemptReport): CountedAttempt {
  const count = { at, status, delivered: retryState === 'delivered', count: 1 } as const;
  return dropped === undefined ? count : { ...count, dropped: true };
}

function settle(left: Left, rows: Row[], stood: (at: number) => boolean, countedFor: Set<string>): void {
  for (const subId of countedFor) left.owed.delete(subId);
  for (const [at, { write, counted }] of rows.entries()) {
    const { subId } = write.value;
    if (stood(at)) left.reports.delete(write.id);
    if (stood(at) === countedFor.has(subId)) continue;
    for (const count of counted) push(left.owed, subId, stood(at) ? count : { ...count, count: -1 });
  }
}

function byId<V extends object>(documents: Stored<V>[]): Map<string, Stored<V>> {
  return new Map(documents.map((document) => [document.id, document]));
}

function push<Value>(into: Map<string, Value[]>, key: string, value: Value): void {
  const others = into.get(key);
  if (others) others.push(value);
  else into.set(key, [value]);
}
