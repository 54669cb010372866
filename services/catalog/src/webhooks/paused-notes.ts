/**
 * Tells the other subscriptions of an organisation that a subscription was paused: `webhook.paused` goes into the
 * outbox of the seasons' occurrences, from where the notifiers take it. Subscriptions hear of pauses in their own mode
 * and workspace; a subscription of both modes is told in live mode.
 *
 * Failure at the await: the store fails, or the process dies behind the pause → nobody is told, and the list of
 * subscriptions shows the pause.
 */
import type { PausedReason } from '@parterre/shared/protocol/catalog/webhooks';
import { newId, sha256 } from '@parterre/shared/protocol/ids';
import { hexOf } from '../seasons/rules/list-hash.ts';
import type { Ports } from '../store/operations.ts';
import type { SeasonOutbox } from '../store/rules/season-records.ts';
import type { KeptSub } from '../store/rules/webhook-records.ts';
import { seasonOutbox } from '../store/season-collections.ts';

export async function tellPaused(
  { store, clock }: Pick<Ports, 'store' | 'clock'>,
  organisationId: string,
  { id: subscriptionId, url, mode, workspaceId, environment }: KeptSub,
  pausedReason: PausedReason,
): Promise<void> {
  const pausedAt = clock.now();
  const occurrenceId = newId('occ');
  const eventName = 'webhook.paused';
  const livemode = mode !== 'test';
  const named = { occurrenceId, event: eventName, type: eventName, at: pausedAt, sequence: null, index: 0, livemode };
  const data = { subscriptionId, url, pausedReason, pausedAt };
  const payloadText = JSON.stringify({ ...named, ...(workspaceId !== null && { workspaceId }), data });
  const told: SeasonOutbox = {
    // The outbox keeps one order for each of its owners. This owner has one occurrence.
    seasonKey: occurrenceId,
    order: pausedAt * 1_000,
    organisationId,
    mode: livemode ? 'live' : 'test',
    season: { key: subscriptionId, workspaceId, environment },
    eventName,
    payloadSha256: hexOf(sha256(payloadText)),
    payloadText,
    createdAt: pausedAt,
    deliveredAt: null,
    delivered: false,
    replayedAt: null,
    replayCount: 0,
    due: true,
    dueAt: pausedAt,
  };
  await store.insert(seasonOutbox, occurrenceId, told);
}
