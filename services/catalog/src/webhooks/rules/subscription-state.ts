/** Webhook subscriptions as they are stored and shown, who may see and change them, and the result of each change. */
import type { Scope } from '@parterre/shared/protocol/catalog/scope';
import type { SigningSub, WebhookChanges, WebhookSub } from '@parterre/shared/protocol/catalog/webhooks';
import { done, nothingToUpdate, type Outcome, refuse } from '@parterre/shared/protocol/errors';
import type { Mode } from '@parterre/shared/protocol/records';
import { replacedSecretMs } from '@parterre/shared/protocol/webhook-limits';
import { webhookSecretsMax, webhooksActiveMax, webhooksMax } from '../../store/rules/bounds.ts';
import {
  type BookedSub,
  type KeptSub,
  type SubHealth,
  type WebhookBook,
  withSub,
} from '../../store/rules/webhook-records.ts';

const noHealth: SubHealth = { lastStatus: null, lastAt: null, uptime7d: null, lastDroppedAt: null };

export function subOf(kept: KeptSub, health: SubHealth = noHealth): WebhookSub {
  const { id, url, events, disabled, createdAt, mode, environment } = kept;
  return {
    id,
    url,
    events,
    disabled,
    createdAt,
    mode,
    environment,
    pausedReason: kept.pausedReason,
    workspaceId: kept.workspaceId,
    ...health,
  };
}

export function signingOf({ sub, secrets }: BookedSub): SigningSub {
  const { id, url, events, createdAt, workspaceId, environment } = subOf(sub);
  return { id, url, events, createdAt, workspaceId, environment, secrets };
}

/**
 * A key manages subscriptions of its own mode, and of its environment and workspace where it has them. A dashboard
 * manages all, and alone manages subscriptions of both modes. A dashboard that names its mode manages those of this
 * mode and of both.
 */
export function subscriptionInScope(sub: KeptSub, { mode, environment, workspaceId, role }: Scope): boolean {
  return (
    (mode === null || sub.mode === mode || (role !== null && sub.mode === null)) &&
    (environment == null || sub.environment === environment) &&
    (workspaceId === null || sub.workspaceId === workspaceId)
  );
}

/** The subscription of this id, where it exists within the scope. */
export function findSub({ subs }: WebhookBook, scope: Scope, id: string): BookedSub | undefined {
  return subs.find(({ sub }) => sub.id === id && subscriptionInScope(sub, scope));
}

/** Whether an active subscription matches the mode. A subscription without a mode matches both. */
export function matchesMode(sub: KeptSub, mode: Mode): boolean {
  return !sub.disabled && (sub.mode === null || sub.mode === mode);
}

/**
 * A key's subscription has the key's mode and environment. Other values in the call are ignored. A dashboard chooses;
 * its default is the mode that it names, else live events, of every environment.
 */
export function reachOfNew(
  { role, mode, environment, workspaceId }: Scope,
  asked: Pick<WebhookChanges, 'mode' | 'environment'>,
): Pick<KeptSub, 'mode' | 'environment' | 'workspaceId'> {
  if (role === null) return { mode, environment, workspaceId };
  const { mode: chosen = mode ?? 'live', environment: tag = null } = asked;
  return { mode: chosen, environment: tag, workspaceId };
}

const full = refuse(
  'webhook_limit_reached',
  `An organisation has at most ${webhooksActiveMax} active subscriptions, and ${webhooksMax} in all.`,
);

export function withNew(book: WebhookBook, made: BookedSub): Outcome<WebhookBook> {
  if (book.subs.length >= webhooksMax || isActiveFull(book)) return full;
  return done({ subs: [...book.subs, made] });
}

function isActiveFull({ subs }: WebhookBook): boolean {
  return subs.filter(({ sub }) => !sub.disabled).length >= webhooksActiveMax;
}

const changeable: readonly (keyof WebhookChanges)[] = ['url', 'events', 'disabled', 'mode', 'environment'];

/**
 * Makes every change or none. Changes to the present values change nothing. A key may change neither mode nor
 * environment.
 */
export function withChanges(
  book: WebhookBook,
  scope: Scope,
  id: string,
  changes: WebhookChanges,
  now: number,
): Outcome<WebhookBook> {
  const found = findSub(book, scope, id);
  if (!found) return webhookUnknown();
  if (Object.keys(changes).length === 0) return nothingToUpdate(changeable);
  const { sub } = found;
  const { mode = sub.mode, environment = sub.environment, disabled = sub.disabled } = changes;
  if (scope.role === null && (mode !== sub.mode || environment !== sub.environment)) {
    return refuse('webhook_scope_immutable', 'A secret key changes neither mode nor environment of a subscription.');
  }
  if (sub.disabled && !disabled && isActiveFull(book)) return full;
  const { url = sub.url, events = sub.events } = changes;
  const pausedReason = disabled ? (sub.pausedReason ?? 'operator') : null;
  const { pausedAt, ...known } = sub;
  const next: KeptSub = { ...known, url, events, mode, environment, disabled, pausedReason };
  if (disabled) next.pausedAt = sub.disabled ? (pausedAt ?? null) : now;
  return done(withSub(book, { ...found, sub: next }));
}

/**
 * Whether earlier failures say nothing about the future: the subscription continues after a pause, or has a new
 * address.
 */
export function beginsAnew(sub: KeptSub, { disabled, url = sub.url }: WebhookChanges): boolean {
  return (sub.disabled && disabled === false) || url !== sub.url;
}

/** Adds a secret. Earlier secrets sign for another `replacedSecretMs` each, as far as `webhookSecretsMax` has room. */
export function withSecret(
  book: WebhookBook,
  scope: Scope,
  id: string,
  secret: string,
  now: number,
): Outcome<WebhookBook> {
  const found = findSub(book, scope, id);
  if (!found) return webhookUnknown();
  const replaced = found.secrets
    .map((before) => ({ ...before, until: before.until ?? now + replacedSecretMs }))
    .filter(({ until }) => until > now);
  const secrets = [{ secret, until: null }, ...replaced].slice(0, webhookSecretsMax);
  return done(withSub(book, { ...found, secrets }));
}

export function without(book: WebhookBook, scope: Scope, id: string): Outcome<WebhookBook> {
  const found = findSub(book, scope, id);
  return found ? done({ subs: book.subs.filter((booked) => booked !== found) }) : webhookUnknown();
}

export function webhookUnknown(): Outcome<never> {
  return refuse('not_found', 'There is no such subscription. GET /v1/webhooks lists the ids.');
}
