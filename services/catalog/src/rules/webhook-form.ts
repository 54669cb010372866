/** What a webhook subscription may be, and who may see it. */
import type { Scope } from '@parterre/shared/catalog/scope';
import type { PausedReason, SigningSecret, SigningSub, WebhookSub } from '@parterre/shared/catalog/webhooks';
import type { Issue } from '@parterre/shared/errors';
import type { Mode } from '@parterre/shared/records';
import { webhookEvents } from '@parterre/shared/vocabulary';
import { webhooksActiveMax, webhooksMax, webhookUrlLengthMax } from './bounds.ts';
import type { BookedSub, KeptSub, SubHealth, WebhookBook } from './records.ts';

const eventNames: readonly string[] = webhookEvents;

/** `loopback` opens http://127.0.0.1 and http://localhost, for development on one machine. */
export function webhookIssues(url: string, events: readonly string[], loopback: boolean): Issue[] {
  const issues: Issue[] = [];
  if (!isReceiver(url, loopback))
    issues.push({ path: 'url', message: 'Must be an https address without credentials.' });
  if (url.length > webhookUrlLengthMax) {
    issues.push({ path: 'url', message: `Must have at most ${webhookUrlLengthMax} characters.` });
  }
  if (events.length === 0) issues.push({ path: 'events', message: 'Must name at least one event.' });
  events.forEach((name, index) => {
    if (!eventNames.includes(name)) issues.push({ path: `events.${index}`, message: `No event is named ${name}.` });
  });
  return issues;
}

function isReceiver(address: string, loopback: boolean): boolean {
  if (!URL.canParse(address)) return false;
  const url = new URL(address);
  if (url.username !== '' || url.password !== '') return false;
  if (url.protocol === 'https:') return true;
  return loopback && url.protocol === 'http:' && ['127.0.0.1', 'localhost'].includes(url.hostname);
}

export function isFull({ subs }: WebhookBook): boolean {
  const active = subs.filter(({ sub }) => !sub.disabled).length;
  return subs.length >= webhooksMax || active >= webhooksActiveMax;
}

const unheard: SubHealth = { lastStatus: null, lastAt: null, uptime7d: null };

export function subOf(kept: KeptSub, health: SubHealth = unheard): WebhookSub {
  const { id, url, events, disabled, createdAt, mode, environment } = kept;
  return {
    ...{ id, url, events, disabled, createdAt, mode, environment },
    pausedReason: disabled ? (kept.pausedReason ?? 'operator') : null,
    workspaceId: kept.workspaceId ?? null,
    ...health,
  };
}

export function signingOf({ sub, secrets }: BookedSub): SigningSub {
  const { id, url, events, workspaceId, environment } = subOf(sub);
  return { id, url, events, workspaceId, environment, secrets: secrets.map(asSecret) };
}

function asSecret(kept: SigningSecret | string): SigningSecret {
  return typeof kept === 'string' ? { secret: kept, until: null } : kept;
}

/** The book with this subscription paused; the same book where it is paused already, or gone. */
export function withPaused(book: WebhookBook, id: string, pausedReason: PausedReason): WebhookBook {
  if (!book.subs.some(({ sub }) => sub.id === id && !sub.disabled)) return book;
  return {
    subs: book.subs.map((booked) =>
      booked.sub.id === id ? { ...booked, sub: { ...booked.sub, disabled: true, pausedReason } } : booked,
    ),
  };
}

/** A key manages subscriptions of its own mode, and of its environment and workspace when it has one; a dashboard all of them. */
export function inScope(sub: KeptSub, { mode, environment, workspaceId }: Scope): boolean {
  return (
    (mode === null || sub.mode === mode) &&
    (environment == null || sub.environment === environment) &&
    (workspaceId === null || sub.workspaceId === workspaceId)
  );
}

/** Whether an active subscription hears of what happens in `mode`; without a mode it hears of both. */
export function hears(sub: KeptSub, mode: Mode): boolean {
  return !sub.disabled && (sub.mode === null || sub.mode === mode);
}
