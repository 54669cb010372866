/**
 * Carries out recoveries: what a subscription did not get is queued again in its backlog. The catalog keeps the
 * progress (webhooks/recoveries.ts there has the states), and any notifier goes on.
 *
 * First come the deliveries of the history that have not arrived, by `recoveredDelivery`. Then come the occurrences
 * since the asked time that the history does not have, for example those of a pause. The list of occurrences lags
 * behind the journal, so its end counts only `tailMs` after the request.
 *
 * The journal's reader makes the same deliveries. An occurrence that no notifier has read from the journal is left to
 * the reader until the reader has settled it: then the history has the delivery, or the reader found the subscription
 * paused, and the recovery makes the delivery. A message may stay unsettled for long, for example while a plan is away.
 * So the recovery waits for an unsettled message at most `unsettledWaitMs`.
 *
 * Every copy asks the history before its post (deliver.ts), and one notifier makes the attempts of a delivery one after
 * the other (dispatch.ts). So an occurrence is posted twice only where two notifiers post copies at the same moment,
 * where the history cannot be asked, or where a message stayed unsettled for longer. The receiver knows the id.
 *
 * Failure at each await: the catalog, the journal or a plan is away, or this notifier dies → the recovery is due again
 * after its lease, from the last note on. The backlog is full → the recovery rests, and nothing of it is lost.
 */

import type { PlanSource } from '@parterre/shared/charts/plans/plans';
import type { EventRecord } from '@parterre/shared/protocol/catalog/events';
import type { ListedGroup } from '@parterre/shared/protocol/catalog/occurrences';
import type { Recovery, SigningSub } from '@parterre/shared/protocol/catalog/webhooks';
import { Fault } from '@parterre/shared/protocol/errors';
import { linkAfter, readGroup } from '@parterre/shared/protocol/journal/messages';
import { decodeOccurrencesCursor, encodeOccurrencesCursor } from '@parterre/shared/protocol/occurrences/cursor';
import { needsPlan, occurrenceNamesOf, occurrencesOf } from '@parterre/shared/protocol/occurrences/occurrences';
import type { Mode } from '@parterre/shared/protocol/records';
import { occurrencesPageMax, recoveriesAtOnceMax, recoveryPollMs } from '@parterre/shared/protocol/webhook-limits';
import type { CatalogClient } from '@parterre/shared/runtime/catalog-client';
import { type Clock, pauseUnless } from '@parterre/shared/runtime/clock';
import type { Logger } from '@parterre/shared/runtime/log';
import type { Directory } from '../catalog/directory.ts';
import { matchesEvent } from '../occurrences/rules/matching.ts';
import { keepReading, type Reading } from '../streams/keep-reading.ts';
import type { Backlogs } from './backlogs.ts';
import type { Queues } from './queues.ts';
import { type Delivery, firstDelivery, piecesOf, recoveredDelivery } from './rules/delivery.ts';
import { createDeliveryOrder } from './rules/delivery-order.ts';

/**
 * How far the journal's readers have come with a message. `unread`: no notifier has read it. `unsettled`: its
 * deliveries are under way. `settled`: each of them was attempted or queued, and attempts are in the history while the
 * history keeps up.
 */
export type JournalProgress = 'unread' | 'unsettled' | 'settled';

/** The least progress of the messages at these places. Without places: `settled`. */
export type ProgressOf = (places: readonly { partition: number; sequence: number }[]) => Promise<JournalProgress>;

const tailMs = 5_000;
const restMs = 5_000;
/** How long a recovery rests while the journal's reader has to come first. */
const behindReaderMs = 1_000;
const unsettledWaitMs = 30_000;

export type RecoveryPorts = {
  catalog: CatalogClient;
  directory: Pick<Directory, 'subscriptions'>;
  plans: PlanSource;
  queues: Pick<Queues, 'putBacklog'>;
  backlogs: Pick<Backlogs, 'note'>;
  progressOf: ProgressOf;
  clock: Clock;
  log: Logger;
};

/** The queues of the deliveries must exist. */
export function readRecoveries(ports: RecoveryPorts): Reading {
  const { catalog, clock, log } = ports;
  const nextOrder = createDeliveryOrder(clock);
  const underWay = new Set<Promise<void>>();
  const reading = keepReading(ports, { queue: 'recoveries' }, async (stopping) => {
    while (!stopping.aborted) {
      while (underWay.size >= recoveriesAtOnceMax) await Promise.race(underWay);
      const taken = await catalog('webhooks.take-recoveries', {});
      const due = taken.ok ? taken.value.due : [];
      for (const recovery of due) {
        const work = carryOut(ports, recovery, nextOrder, stopping)
          .catch((error: unknown) => log.warn({ err: error, subId: recovery.subId }, 'a recovery goes on later'))
          .finally(() => underWay.delete(work));
        underWay.add(work);
      }
      if (due.length === 0) await pauseUnless(stopping, clock, recoveryPollMs);
    }
  });
  return {
    async stop() {
      await reading.stop();
      await Promise.all(underWay);
    },
  };
}

/** One page after the other. Throws where the work cannot go on now. */
async function carryOut(
  ports: RecoveryPorts,
  recovery: Recovery,
  nextOrder: () => number,
  stopping: AbortSignal,
): Promise<void> {
  const { catalog, clock } = ports;
  const { subId, asked, since, askedAt } = recovery;
  let { rows, cursor } = recovery;
  const note = async (dueInMs?: number | null): Promise<void> => {
    const progress = { subId, asked, rows, cursor, ...(dueInMs !== undefined && { dueInMs }) };
    const noted = await catalog('webhooks.note-recovery', progress);
    if (!noted.ok) throw new Fault(`note a recovery: ${noted.refusal.message}`);
  };
  while (!stopping.aborted) {
    const page =
      rows === 'done' ? await missing(ports, recovery, cursor, nextOrder) : await undelivered(ports, recovery, rows);
    if (page === 'later') return note(behindReaderMs);
    if (!(await queue(ports, subId, page.deliveries))) return note(restMs);
    rows = page.rows;
    if (page.cursor !== undefined) cursor = page.cursor;
    if (page.isEnd) return note(since !== null && clock.now() < askedAt + tailMs ? tailMs : null);
    await note();
  }
}

type Page = { deliveries: Delivery[]; rows: Recovery['rows']; cursor?: string; isEnd: boolean };

/** Deliveries of the history. */
async function undelivered({ catalog }: RecoveryPorts, recovery: Recovery, after: Recovery['rows']): Promise<Page> {
  const { subId, since } = recovery;
  const place = after === 'done' ? null : after;
  const page = await catalog('deliveries.undelivered', { subId, since, after: place });
  if (!page.ok) throw new Fault(`read the undelivered of ${subId}: ${page.refusal.message}`);
  const deliveries = page.value.kept.flatMap((kept) => recoveredDelivery(kept, recovery) ?? []);
  const rows = page.value.next ?? 'done';
  return { deliveries, rows, isEnd: rows === 'done' && since === null };
}

/**
 * Occurrences that the history does not have. A subscription of both modes has a cursor in each. `later`: the journal's
 * reader comes first.
 */
async function missing(
  ports: RecoveryPorts,
  recovery: Recovery,
  cursor: string | null,
  nextOrder: () => number,
): Promise<Page | 'later'> {
  const { subId, organisationId, since, mode: only, asked } = recovery;
  const cursors = cursor === null ? {} : (JSON.parse(cursor) as Partial<Record<Mode, string>>);
  const deliveries: Delivery[] = [];
  let isEnd = true;
  for (const mode of only === null ? (['live', 'test'] as const) : [only]) {
    const sub = await subscription(ports, organisationId, mode, subId);
    const page = await ports.catalog('occurrences.page', {
      organisationId,
      mode,
      workspaceId: sub.workspaceId,
      since: since ?? 0,
      limit: occurrencesPageMax,
      ...(cursors[mode] !== undefined && { after: cursors[mode] }),
    });
    if (!page.ok) throw new Fault(`read the occurrences of ${organisationId}: ${page.refusal.message}`);
    const { groups, events, nextAt } = page.value;
    const byKey = new Map(events.map((event) => [event.key, event]));
    for (const group of groups) {
      const event = byKey.get(group.eventKey);
      if (!event || !group.data || !matchesEvent(sub, event)) continue;
      for (const occurrence of await wantedOf(ports, sub, group, event)) {
        const to = { subId, organisationId, mode, eventKey: event.key };
        deliveries.push({ ...firstDelivery(occurrence, to, nextOrder()), recovery: { asked, from: 0 } });
      }
    }
    cursors[mode] = cursorBehind(cursors[mode], groups);
    if (nextAt !== null) isEnd = false;
  }
  if (!(await isTurnOf(ports, recovery, deliveries))) return 'later';
  return { deliveries: await unknownTo(ports, deliveries), rows: 'done', cursor: JSON.stringify(cursors), isEnd };
}

/** Whether the journal's reader is done with these deliveries. The history is asked after this. */
async function isTurnOf(
  { progressOf, clock }: RecoveryPorts,
  { askedAt }: Recovery,
  deliveries: readonly Delivery[],
): Promise<boolean> {
  const progress = await progressOf(deliveries.map(({ place }) => place));
  return progress === 'settled' || (progress === 'unsettled' && clock.now() >= askedAt + unsettledWaitMs);
}

async function subscription(
  { directory }: RecoveryPorts,
  organisationId: string,
  mode: Mode,
  subId: string,
): Promise<SigningSub> {
  const subs = await directory.subscriptions(organisationId, mode);
  const sub = subs.ok ? subs.value.find(({ id }) => id === subId) : undefined;
  if (!sub) throw new Fault(`recover ${subId}: the subscription is not active`);
  return sub;
}

async function wantedOf({ plans }: RecoveryPorts, sub: SigningSub, listed: ListedGroup, event: EventRecord) {
  const data = listed.data!;
  const group = readGroup(data);
  const names: Set<string> = occurrenceNamesOf(group);
  const wanted = new Set(sub.events.filter((name) => names.has(name)));
  // Without the tolerance for clocks: the list reaches back before the subscription, and all of it would come.
  if (wanted.size === 0 || group.at < sub.createdAt) return [];
  const plan = needsPlan(wanted) ? await plans(group.plan) : null;
  return occurrencesOf({ group, link: linkAfter(data) }, listed, event, plan, wanted);
}

function cursorBehind(cursor: string | undefined, groups: readonly ListedGroup[]): string {
  const places = new Map(decodeOccurrencesCursor(cursor));
  for (const { partition, sequence, group } of groups) places.set(partition, { sequence, group: group + 1, bodies: 0 });
  return encodeOccurrencesCursor(places);
}

async function unknownTo({ catalog }: RecoveryPorts, deliveries: Delivery[]): Promise<Delivery[]> {
  if (deliveries.length === 0) return [];
  const found = await catalog('deliveries.known', { ids: deliveries.map(({ deliveryId }) => deliveryId) });
  if (!found.ok) throw new Fault(`look for known deliveries: ${found.refusal.message}`);
  const known = new Set(found.value.known);
  return deliveries.filter(({ deliveryId }) => !known.has(deliveryId));
}

/** False where the backlog has no room. What was queued before is queued once when the page comes again. */
async function queue({ queues, backlogs }: RecoveryPorts, subId: string, deliveries: Delivery[]): Promise<boolean> {
  for (const piece of piecesOf(deliveries)) {
    if ((await queues.putBacklog(subId, piece)) !== 'queued') return false;
    backlogs.note(subId);
  }
  return true;
}
