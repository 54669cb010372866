/**
 * Decides which subscriptions an occurrence matches. The catalog gives the active subscriptions of an organisation and
 * mode. The remaining conditions are here.
 */
import type { SigningSub } from '@parterre/shared/protocol/catalog/webhooks';
import { heardWith } from '@parterre/shared/protocol/vocabulary';
import { clockSkewMsMax } from '@parterre/shared/protocol/webhook-limits';

/**
 * A subscription without a workspace matches events of all workspaces. A subscription without an environment matches
 * events of all environments, and events without an environment.
 */
export function matchesEvent(
  sub: Pick<SigningSub, 'workspaceId' | 'environment'>,
  event: { workspaceId: string | null; environment: string | null },
): boolean {
  return (
    (sub.workspaceId === null || sub.workspaceId === event.workspaceId) &&
    (sub.environment === null || sub.environment === event.environment)
  );
}

/** Whether the subscription names the occurrence, or one that is heard with it. */
export function hearsOf({ events }: Pick<SigningSub, 'events'>, name: string): boolean {
  if (events.includes(name)) return true;
  return name.startsWith('season.') && (events.includes('season.*') || events.includes(heardWith(name)));
}

/**
 * Whether an occurrence at `at` is no older than the subscription, by the clocks of two machines. A record that is read
 * late, after an outage or by the first notifier of a deployment, matches no younger subscription.
 */
export function matchesTime({ createdAt }: Pick<SigningSub, 'createdAt'>, at: number): boolean {
  return at >= createdAt - clockSkewMsMax;
}

/** Whether the subscription matches every event of its organisation and mode. */
export function matchesEveryEvent({
  workspaceId,
  environment,
}: Pick<SigningSub, 'workspaceId' | 'environment'>): boolean {
  return workspaceId === null && environment === null;
}
