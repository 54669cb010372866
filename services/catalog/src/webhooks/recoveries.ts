/**
 * Recoveries of subscriptions: what was not delivered is queued again. A caller asks for one (`since`), the end of a
 * pause begins one, and so does a receiver that answers again after failures (without `since`: retries that are
 * scheduled are made now). The notifiers do the work, and the catalog keeps its progress.
 *
 * States of a recovery: due → taken by a notifier, and due again after `recoveryLeaseMs` → noted page by page: first
 * the deliveries of the history that have not arrived, then the occurrences that the history does not have → over. A
 * recovery of a paused subscription waits for the end of the pause. A subscription has one recovery: a new request is
 * merged with it, and begins at the start. `asked` tells notes of an earlier request.
 *
 * Failure at each await: the store fails → the operation fails, and the recovery stays as it is; a notifier dies, or
 * its note is lost → another goes on from the last note, and may queue a page twice. Each copy asks the history before
 * its post.
 */
import type { UndeliveredDelivery } from '@parterre/shared/protocol/catalog/deliveries';
import type { Recovery } from '@parterre/shared/protocol/catalog/webhooks';
import { done } from '@parterre/shared/protocol/errors';
import { deliveries, webhookBooks, webhookRecoveries } from '../store/collections.ts';
import { change, type OperationTable, type Ports } from '../store/operations.ts';
import {
  changeAttemptsMax,
  recoveriesTakenMax,
  recoveryLeaseMs,
  undeliveredBytesMax,
  undeliveredReadMax,
} from '../store/rules/bounds.ts';
import type { WebhookRecovery } from '../store/rules/webhook-records.ts';
import { type Store, type Stored, stands, type Write } from '../store/store.ts';
import { arrivedRows } from './delivery-batches.ts';
import { keptDeliveryOf } from './rules/delivery-row.ts';
import { mergedRecovery, rowsFrom } from './rules/recovery-state.ts';
import { findSub, subOf, webhookUnknown } from './rules/subscription-state.ts';

type RecoveryOperation =
  | 'webhooks.recover'
  | 'webhooks.take-recoveries'
  | 'webhooks.note-recovery'
  | 'deliveries.undelivered'
  | 'deliveries.known';

type Begin = { subId: string; organisationId: string; since: number | null };

export function createRecoveryOperations(ports: Ports): OperationTable<RecoveryOperation> {
  const { store, clock } = ports;
  return {
    async 'webhooks.recover'({ scope, id, since }) {
      const book = await store.get(webhookBooks, scope.organisationId);
      const found = book && findSub(book.value, scope, id);
      if (!found) return webhookUnknown();
      await beginRecovery(ports, { subId: id, organisationId: scope.organisationId, since });
      return done({ sub: subOf(found.sub) });
    },

    async 'webhooks.take-recoveries'() {
      const now = clock.now();
      const query = { index: 'byDue', equal: [true], limit: recoveriesTakenMax };
      const { documents } = await store.page(webhookRecoveries, query);
      const ready = documents.filter(({ value }) => value.dueAt <= now);
      const writes = ready.map(({ id, version, value }): Write<WebhookRecovery> => {
        return { collection: webhookRecoveries, id, version, value: { ...value, dueAt: now + recoveryLeaseMs } };
      });
      const written = writes.length === 0 ? [] : await store.writeMany(writes);
      const taken = ready.filter((_, at) => stands(written[at]!));
      const due = await Promise.all(taken.map((document) => recoveryOf(store, document)));
      return done({ due: due.filter((each) => each !== null) });
    },

    async 'webhooks.note-recovery'({ subId, asked, cursor, rows, dueInMs }) {
      const written = await change(store, webhookRecoveries, subId, webhookUnknown, (recovery) => {
        if (recovery.asked !== asked) return done(recovery);
        const dueAt = clock.now() + (dueInMs ?? recoveryLeaseMs);
        return done({ ...recovery, cursor, rows, dueAt, due: dueInMs === null ? null : true });
      });
      return written.ok ? done({ ok: true }) : written;
    },

    async 'deliveries.undelivered'({ subId, since, after }) {
      const query = { index: 'byOutcome', equal: [subId, false], limit: undeliveredReadMax };
      const page = await store.page(deliveries, {
        ...query,
        after: after ?? { order: rowsFrom(since ?? clock.now()), id: '' },
      });
      const kept: UndeliveredDelivery[] = [];
      let bytes = 0;
      let last = after;
      for (const { id, value } of page.documents) {
        // Only a body of a season cannot be made again.
        const body = value.place.sequence === 0 ? value.body : null;
        bytes += 1_000 + (body?.length ?? 0);
        if (kept.length > 0 && bytes > undeliveredBytesMax) return done({ kept, next: last ?? null });
        last = { order: value.order, id };
        if (value.dropped === undefined)
          kept.push({ ...keptDeliveryOf(id, { ...value, body }), endedAt: endOf(value) });
      }
      return done({ kept, next: page.next === null ? null : (last ?? null) });
    },

    async 'deliveries.known'({ ids }) {
      const [rows, arrived] = await Promise.all([store.getMany(deliveries, ids), arrivedRows(store, ids)]);
      return done({ known: [...new Set([...rows.map(({ id }) => id), ...arrived.keys()])] });
    },
  };
}

function endOf({ over, lastAttemptAt }: { over: { at: number } | null; lastAttemptAt: number | null }): number {
  return Math.max(over?.at ?? 0, lastAttemptAt ?? 0);
}

/** Null where the subscription is paused or gone. */
async function recoveryOf(store: Store, { id, value }: Stored<WebhookRecovery>): Promise<Recovery | null> {
  const book = await store.get(webhookBooks, value.organisationId);
  const found = book?.value.subs.find(({ sub }) => sub.id === id);
  if (!found || found.sub.disabled) return null;
  const { organisationId, since, asked, askedAt, cursor, rows } = value;
  return { subId: id, organisationId, mode: found.sub.mode, since, asked, askedAt, cursor, rows };
}

export async function beginRecovery(
  { store, clock }: Pick<Ports, 'store' | 'clock'>,
  { subId, organisationId, since }: Begin,
): Promise<void> {
  for (let attempt = 0; attempt < changeAttemptsMax; attempt++) {
    const found = await store.get(webhookRecoveries, subId);
    const next = mergedRecovery(found?.value ?? null, { organisationId, since }, clock.now());
    if (next === found?.value) return;
    const written = found
      ? await store.replace(webhookRecoveries, subId, found.version, next)
      : await store.insert(webhookRecoveries, subId, next);
    if (stands(written === 'duplicate' ? 'stale' : written)) return;
  }
}

/** The recovery of a deleted subscription. */
export async function forgetRecovery(store: Store, subId: string): Promise<void> {
  const found = await store.get(webhookRecoveries, subId);
  if (found) await store.delete(webhookRecoveries, subId, found.version);
}
