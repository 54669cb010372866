/** Webhook subscriptions. An organisation's stand in one document, so that its limits hold under any concurrency. */
import { randomBytes } from 'node:crypto';
import { done, type Outcome, refuse } from '@parterre/shared/errors';
import { newId } from '@parterre/shared/ids';
import { organisations, webhookBooks } from '../collections.ts';
import type { KeptSub, WebhookBook } from '../rules/records.ts';
import { hears, inScope, isFull, signingOf, subOf, webhookIssues } from '../rules/webhook-form.ts';
import { change, type OperationTable, type Ports } from './operations.ts';
import { organisationUnknown } from './organisations.ts';

type WebhookOperation =
  | 'webhooks.create'
  | 'webhooks.list'
  | 'webhooks.delete'
  | 'webhooks.matching'
  | 'webhooks.signing';

const SECRET_BYTES = 32;

/** `loopback` lets receivers on this machine be named, for development. */
export function createWebhookOperations(
  { store, clock, announce }: Ports,
  loopback: boolean,
): OperationTable<WebhookOperation> {
  const changeBook = async (
    organisationId: string,
    decide: (book: WebhookBook) => Outcome<WebhookBook>,
  ): Promise<Outcome<unknown>> => {
    const changed = await change(store, webhookBooks, organisationId, unknown, decide);
    if (changed.ok) announce({ kind: 'webhooks', organisationId });
    return changed;
  };

  return {
    async 'webhooks.create'({ scope, url, events }) {
      const issues = webhookIssues(url, events, loopback);
      if (issues.length > 0) {
        return refuse('invalid_request', 'There cannot be such a subscription.', { details: { issues } });
      }
      const { organisationId, mode, environment, workspaceId } = scope;
      if (!(await store.get(organisations, organisationId))) return organisationUnknown();
      const sub: KeptSub = {
        id: newId('whk'),
        url,
        events: [...new Set(events)],
        disabled: false,
        pausedReason: null,
        createdAt: clock.now(),
        // A dashboard sees both modes; what it makes is for live events.
        mode: mode ?? 'live',
        environment,
        workspaceId,
      };
      const secret = `whsec_${randomBytes(SECRET_BYTES).toString('base64')}`;
      // Made on first use; that it is there already is as good.
      await store.insert(webhookBooks, organisationId, { subs: [] });
      const changed = await changeBook(organisationId, (book) =>
        isFull(book)
          ? refuse('webhook_limit_reached', 'An organisation has at most 10 active subscriptions, and 25 in all.')
          : done({ subs: [...book.subs, { sub, secrets: [{ secret, until: null }] }] }),
      );
      return changed.ok ? done({ sub: subOf(sub), secret }) : changed;
    },

    async 'webhooks.list'({ scope }) {
      const book = await store.get(webhookBooks, scope.organisationId);
      const known = (book?.value.subs ?? []).filter(({ sub }) => inScope(sub, scope));
      return done({ subs: known.map(({ sub }) => subOf(sub)) });
    },

    async 'webhooks.delete'({ scope, id }) {
      const changed = await changeBook(scope.organisationId, (book) => {
        const subs = book.subs.filter(({ sub }) => sub.id !== id || !inScope(sub, scope));
        return subs.length < book.subs.length ? done({ subs }) : unknown();
      });
      return changed.ok ? done({ ok: true }) : changed;
    },

    async 'webhooks.matching'({ organisationId, mode }) {
      const book = await store.get(webhookBooks, organisationId);
      const matching = (book?.value.subs ?? []).filter(({ sub }) => hears(sub, mode));
      return done({ subs: matching.map(signingOf) });
    },

    async 'webhooks.signing'({ id, ...asking }) {
      const organisationId = asking.scope ? asking.scope.organisationId : asking.organisationId;
      const book = await store.get(webhookBooks, organisationId);
      const found = book?.value.subs.find(({ sub }) => sub.id === id && (!asking.scope || inScope(sub, asking.scope)));
      return found ? done({ sub: signingOf(found), disabled: found.sub.disabled }) : unknown();
    },
  };
}

function unknown(): Outcome<never> {
  return refuse('not_found', 'There is no such subscription.');
}
