/**
 * The checks after a load with kills, pauses or cuts, once its clients have stopped:
 * - The journal folds without a violation.
 * - The map that front doors serve is the fold of the journal.
 * - Every acknowledged call stands in the journal exactly once.
 * - The history of every event is linearizable.
 */

import { compilePlan } from '@parterre/shared/charts/compile';
import type { ChartDocument } from '@parterre/shared/charts/document';
import type { Plan } from '@parterre/shared/charts/plan';
import { createPlanSource } from '@parterre/shared/charts/plans/plans';
import type { JournalRecord } from '@parterre/shared/protocol/records';
import { createCatalogClient } from '@parterre/shared/runtime/catalog-client';
import { createLog } from '@parterre/shared/runtime/log';
import { compilerHere } from '../../support/compiler-here.ts';
import { checkHistories } from '../../support/histories/check-history.ts';
import { describe, type Operation, type Recorder } from '../../support/histories/history.ts';
import { type FoldedEvent, foldJournals, type PlanOf } from '../../support/partition/journal-fold.ts';
import { connectTo } from '../../support/servers/nats.ts';

/** A front door and the secret key for it. */
export type Access = { url: string; token: string };

/** A front door, the addresses of NATS, and the plans of the journals. */
export type Deployment = { access: Access; natsUrl: string; partitions: number; planOf: PlanOf };

/** Creates events of one published chart. */
export async function createEvents(
  access: Access,
  chartId: string,
  count: number,
): Promise<{ plan: Plan; eventKeys: string[] }> {
  const { doc } = await call<{ doc: ChartDocument }>(access, 'GET', `/v1/charts/${chartId}`);
  const created = Array.from({ length: count }, () =>
    call<{ meta: { key: string } }>(access, 'POST', '/v1/events', { chartId }),
  );
  return { plan: compilePlan(doc, 'plan'), eventKeys: (await Promise.all(created)).map(({ meta }) => meta.key) };
}

/** The plans of a deployment's journals, read from its catalog. */
export async function plansOf(natsUrl: string): Promise<{ planOf: PlanOf; close(): Promise<void> }> {
  const nats = await connectTo(natsUrl);
  const plans = createPlanSource(createCatalogClient(nats, createLog('test', 'silent')), compilerHere);
  return { planOf: (_eventKey, hash) => plans(hash), close: () => nats.close() };
}

/** All violations; an empty list means that every check passed. */
export async function violationsAfter(
  history: Recorder,
  { access, natsUrl, partitions, planOf }: Deployment,
): Promise<string[]> {
  const folded = await foldJournals(natsUrl, partitions, planOf);
  const violations = [...history.violations];
  for (const eventKey of new Set(history.operations.map((operation) => operation.eventKey))) {
    const event = folded.get(eventKey);
    if (!event) {
      violations.push(`${eventKey} has no journal`);
      continue;
    }
    violations.push(...event.violations.map((what) => `${eventKey}: ${what}`));
    violations.push(...(await servedOtherwise(access, eventKey, event)));
  }
  for (const operation of history.operations) {
    const event = folded.get(operation.eventKey);
    const missing = event && whatIsMissing(event, operation);
    if (missing) violations.push(`${describe(operation)}: ${missing}`);
  }
  return [...violations, ...checkHistories(history, folded)];
}

/** Throws unless the answer is a success. */
export async function call<T>({ url, token }: Access, method: string, path: string, body?: unknown): Promise<T> {
  const response = await fetch(`${url}${path}`, {
    method,
    headers: { Authorization: `Bearer ${token}`, 'Content-Type': 'application/json' },
    ...(body === undefined ? {} : { body: JSON.stringify(body) }),
  });
  const answer = await response.json();
  if (!response.ok) throw new Error(`${method} ${path}: ${response.status} ${JSON.stringify(answer)}`);
  return answer as T;
}

/** Whether front doors serve another map than the fold of the journal. */
export async function servedOtherwise(access: Access, eventKey: string, event: FoldedEvent): Promise<string[]> {
  const { seats } = await call<{ seats: Record<string, string> }>(access, 'GET', `/v1/events/${eventKey}/objects`);
  const served = withoutHeld(seats);
  const kept = withoutHeld(mapOf(event));
  return String(served) === String(kept) ? [] : [`${eventKey}: the API serves ${served}, the journal has ${kept}`];
}

function mapOf({ state }: FoldedEvent): Record<string, string> {
  const statuses = Array.from(state.statuses, (status) => ['free', 'held', 'booked', 'blocked'][status]!);
  const seats = statuses.map((status, unit): [string, string] => [state.plan.labels.at(unit), status]);
  return Object.fromEntries(seats.filter(([, status]) => status !== 'free'));
}

/** Without held seats, because holds go on expiring between the two reads. Bookings and blocks stay. */
function withoutHeld(seats: Record<string, string>): string[] {
  const others = Object.entries(seats).filter(([, status]) => status !== 'held');
  return others.map(([label, status]) => `${label} ${status}`).sort();
}

/**
 * The difference between an acknowledged call and the journal; null when the journal has the call exactly once and
 * unchanged.
 */
function whatIsMissing(event: FoldedEvent, { call: asked, outcome }: Operation): string | null {
  if (outcome.kind !== 'ok') return null;
  const { answer } = outcome;
  if (!['hold', 'book', 'release', 'unbook'].includes(answer.type)) return null; // Other calls have no id of their own.
  if (!('labels' in answer) || answer.labels.length === 0) return null;
  const found = event.entries.map(({ record }) => record).filter((record) => isOf(record, asked, answer));
  const [record] = found;
  if (!record) return 'the call is not in the journal';
  if (found.length > 1) return `the call is ${found.length} times in the journal`;
  const units = 'lines' in record ? record.lines.map(({ unit }) => unit) : 'units' in record ? record.units : [];
  const labels = units.map((unit) => event.state.plan.labels.at(unit)).sort();
  return String(labels) === String(answer.labels) ? null : `the journal has other labels: ${labels}`;
}

/** Whether a record is the record of this answer, judged by the ids in both. */
function isOf(
  record: JournalRecord,
  asked: Operation['call'],
  answer: Extract<Operation['outcome'], { kind: 'ok' }>['answer'],
): boolean {
  switch (answer.type) {
    case 'hold':
      return record.type === 'held' && record.holdId === answer.holdId && record.expiresAt === answer.expiresAt;
    case 'book':
      return record.type === 'booked' && asked.type === 'book' && record.bookingRef === asked.bookingRef;
    case 'release':
      return record.type === 'released' && asked.type === 'release' && record.holdId === asked.holdId;
    case 'unbook':
      return record.type === 'unbooked' && asked.type === 'unbook' && record.bookingRef === asked.bookingRef;
    default:
      return false;
  }
}
