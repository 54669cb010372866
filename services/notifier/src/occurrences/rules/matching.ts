/** Who hears what. The catalog tells the active subscriptions of an organisation and mode; what is left to ask stands here. */
import type { EventRecord } from '@parterre/shared/catalog/events';
import type { SigningSub } from '@parterre/shared/catalog/webhooks';
import { clockSkewMsMax } from '@parterre/shared/webhook-limits';

/** A subscription without a workspace or an environment hears of all of them, and of events that have none. */
export function matchesEvent(
  sub: Pick<SigningSub, 'workspaceId' | 'environment'>,
  event: Pick<EventRecord, 'workspaceId' | 'environment'>,
): boolean {
  return (
    (sub.workspaceId === null || sub.workspaceId === event.workspaceId) &&
    (sub.environment === null || sub.environment === event.environment)
  );
}

/**
 * Whether what happened at `at` is no older than the subscription, by clocks of two machines: what is read late (after an outage, or by
 * the first notifier of a deployment) is not news to those who came after it.
 */
export function matchesTime({ createdAt }: Pick<SigningSub, 'createdAt'>, at: number): boolean {
  return at >= createdAt - clockSkewMsMax;
}

/** Whether there is no event of its organisation and mode that it does not hear of. */
export function matchesEveryEvent({
  workspaceId,
  environment,
}: Pick<SigningSub, 'workspaceId' | 'environment'>): boolean {
  return workspaceId === null && environment === null;
}
