/**
 * `npx parterre event KEY` and `event list ORGANISATION`: one event as its shard, its journal and the catalog know it.
 * `loaded` is asked before the counts, because counting loads the event.
 *
 * Failure at each await: no catalog → `Refused`; the owner of the partition does not answer → `state` says so, and the
 * counts are unknown.
 */

import { firstReply } from '../../services/catalog/src/shards/ask-events.ts';
import type { Answers } from '../../shared/src/protocol/answers.ts';
import type { EventRecord } from '../../shared/src/protocol/catalog/events.ts';
import type { Caller } from '../../shared/src/protocol/commands.ts';
import { names, subjects } from '../../shared/src/protocol/subjects.ts';
import { encode } from '../../shared/src/protocol/wire.ts';
import { systemClock } from '../../shared/src/runtime/clock.ts';
import { createPlacement } from '../../shared/src/runtime/placement.ts';
import { standingLayout } from '../backup/deployment.ts';
import { Refused } from '../backup/refused.ts';
import { callRoll, gatherJournal, type Looking, statusOf } from './gather.ts';
import { claimOn, journalLine, ownedLine } from './rules/status-report.ts';

const reader: Caller = { source: 'timer', actor: null, accessSource: 'public' };
const answerMsMax = 10_000;
const silenceMs = 3_000;

/** Of an organisation, with everything: what the catalog's operations ask for. */
export const operatorOf = (organisationId: string) => ({
  organisationId,
  mode: null,
  workspaceId: null,
  environment: null,
  actor: 'operator',
  role: null,
});

export async function findEvent({ catalog }: Looking, eventKey: string): Promise<EventRecord> {
  const found = await catalog('events.get', { eventKey });
  if (found.ok) return found.value.event;
  throw new Refused(`${found.refusal.code}: ${found.refusal.message}`);
}

export async function partitionOfEvent(looking: Looking, event: Pick<EventRecord, 'key' | 'region'>): Promise<number> {
  return createPlacement(await standingLayout(looking))(event);
}

/** A command to the event's actor, which loads the event. Null: no answer in time; a text: the code of a refusal. */
export async function askActor<T extends 'count' | 'releases'>(
  { nats }: Looking,
  partition: number,
  eventKey: string,
  type: T,
): Promise<Answers[T] | string | null> {
  const payload = encode([{ id: 1, eventKey, caller: reader, command: { type } }]);
  const until = performance.now() + answerMsMax;
  while (performance.now() < until) {
    const reply = await firstReply({ nats, clock: systemClock }, subjects.commands(partition), payload, 1, silenceMs);
    if (reply?.kind === 'ok') return reply.value as Answers[T];
    if (reply?.kind === 'absent') return 'not opened yet';
    if (reply?.kind === 'refused' && !reply.refusal.retryable) return reply.refusal.code;
    await new Promise((resolve) => void setTimeout(resolve, 100));
  }
  return null;
}

export async function eventReport(
  looking: Looking,
  eventKey: string,
): Promise<{ facts: Record<string, unknown>; isBad: boolean }> {
  const event = await findEvent(looking, eventKey);
  const partition = await partitionOfEvent(looking, event);
  const { beats } = await callRoll(looking.nats);
  const owner = claimOn(partition, beats)?.owner ?? null;
  const told = owner === null ? null : await statusOf(looking.nats, owner, [eventKey]);
  const line = ownedLine(partition, beats, told === null ? [] : [told]);
  const halt = told?.partitions.flatMap(({ events }) => events).find((each) => each.eventKey === eventKey);
  const loaded = told?.asked?.[0];
  const last = await looking.catalog('history.last-part', { eventKey, stream: names.journalStream(partition) });
  const counts = await askActor(looking, partition, eventKey, 'count');
  const { journal, stream } = await gatherJournal(looking, partition);
  const organisation = await looking.catalog('organisations.get', { organisationId: event.organisationId });
  const { uncounted, webhooks } = journalLine(journal, stream);
  const isHalted = halt !== undefined || line.reason !== null || counts === 'journal_lost_records';
  const facts = {
    event: eventKey,
    name: event.name,
    organisation: event.organisationId,
    organisationName: organisation.ok ? organisation.value.organisation.name : null,
    mode: event.mode,
    status: event.status,
    salesPaused: event.salesPaused,
    startsAt: event.startsAt,
    chart: event.chartId,
    chartVersion: event.chartVersion,
    places: event.seatTotal,
    region: event.region || null,
    partition,
    owner,
    state: line.state,
    loaded: loaded === undefined ? 'not told' : loaded.loadedVersion !== null,
    ...(typeof counts === 'object' && counts !== null
      ? { version: counts.version, ...counts.counts }
      : { counts: counts ?? 'no answer' }),
    countedVersion: last.ok ? (last.value?.sequence ?? 0) : null,
    halted: isHalted ? (halt?.reason ?? line.reason ?? 'its journal has lost records') : false,
    uncounted,
    webhooks,
  };
  return { facts, isBad: isHalted || line.state !== 'serving' || counts === null };
}

/** Everything that an organisation has, newest first. */
export async function eventList({ catalog }: Looking, organisationId: string): Promise<Record<string, unknown>> {
  const events: Record<string, unknown>[] = [];
  for (let cursor: string | undefined; ; ) {
    const page = await catalog('events.list', {
      scope: operatorOf(organisationId),
      page: { limit: 200, ...(cursor !== undefined && { cursor }) },
    });
    if (!page.ok) throw new Refused(`${page.refusal.code}: ${page.refusal.message}`);
    for (const { key, name, mode, status, salesPaused, seatTotal, sold, startsAt } of page.value.events) {
      events.push({ key, name, mode, status, salesPaused, places: seatTotal, sold, startsAt });
    }
    cursor = page.value.nextCursor;
    if (cursor === undefined) return { events };
  }
}
