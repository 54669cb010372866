/**
 * Webhook subscriptions. All subscriptions of an organisation are one document, so their limits hold under any
 * concurrency.
 */
import { randomBytes } from 'node:crypto';
import type { Scope } from '@parterre/shared/protocol/catalog/scope';
import type { WebhookChanges, WebhookSub } from '@parterre/shared/protocol/catalog/webhooks';
import { done, type Outcome } from '@parterre/shared/protocol/errors';
import { newId } from '@parterre/shared/protocol/ids';
import { createGathering } from '@parterre/shared/runtime/gathering';
import { checkMinter } from '../access/minted-access.ts';
import { organisations, webhookBooks } from '../store/collections.ts';
import { change, type OperationTable, type Ports } from '../store/operations.ts';
import { beforePauseMs } from '../store/rules/bounds.ts';
import type { KeptSub, WebhookBook } from '../store/rules/webhook-records.ts';
import { organisationUnknown } from '../tenants/tenants.ts';
import { deleteHistory, forgetHealth, healthOf, noteEnabled } from './health-store.ts';
import { tellPaused } from './paused-notes.ts';
import { beginRecovery, forgetRecovery } from './recoveries.ts';
import {
  beginsAnew,
  findSub,
  matchesMode,
  reachOfNew,
  signingOf,
  subOf,
  subscriptionInScope,
  webhookUnknown,
  withChanges,
  withNew,
  without,
  withSecret,
} from './rules/subscription-state.ts';

type WebhookOperation =
  | 'webhooks.create'
  | 'webhooks.list'
  | 'webhooks.update'
  | 'webhooks.rotate-secret'
  | 'webhooks.delete'
  | 'webhooks.matching'
  | 'webhooks.signing';

const SECRET_BYTES = 32;

export function createWebhookOperations(ports: Ports): OperationTable<WebhookOperation> {
  const { store, clock, log } = ports;
  const changeBook = createChangeBook(ports);
  return {
    async 'webhooks.create'({ scope, url, events, ...asked }) {
      const { organisationId } = scope;
      if (!(await store.get(organisations, organisationId))) return organisationUnknown();
      const sub: KeptSub = {
        id: newId('whk'),
        url,
        events,
        disabled: false,
        pausedReason: null,
        createdAt: clock.now(),
        ...reachOfNew(scope, asked),
        createdBy: scope.actor,
      };
      const secret = newSecret();
      // Made on first use. An existing document is as good.
      await store.insert(webhookBooks, organisationId, { subs: [] });
      const changed = await changeBook(scope, (book) => withNew(book, { sub, secrets: [{ secret, until: null }] }));
      if (!changed.ok) return changed;
      const standing = await checkMinter(store, scope);
      if (standing.ok) return done({ sub: subOf(sub), secret });
      await changeBook(scope, (book) => without(book, scope, sub.id));
      return standing;
    },

    async 'webhooks.list'({ scope }) {
      const book = await store.get(webhookBooks, scope.organisationId);
      const known = (book?.value.subs ?? []).filter(({ sub }) => subscriptionInScope(sub, scope));
      const ids = known.map(({ sub }) => sub.id);
      const health = await healthOf(store, ids, clock.now());
      return done({ subs: known.map(({ sub }) => subOf(sub, health.get(sub.id))) });
    },

    'webhooks.update': ({ scope, id, changes }) => updateSub(ports, changeBook, scope, id, changes),

    async 'webhooks.rotate-secret'({ scope, id }) {
      const secret = newSecret();
      const changed = await changeBook(scope, (book) => withSecret(book, scope, id, secret, clock.now()));
      return changed.ok ? done({ sub: await subscriptionAfter(ports, changed.value, id), secret }) : changed;
    },

    async 'webhooks.delete'({ scope, id }) {
      const changed = await changeBook(scope, (book) => without(book, scope, id));
      if (!changed.ok) return changed;
      await forgetHealth(ports, id);
      await forgetRecovery(store, id);
      void deleteHistory(store, id).catch((error: unknown) =>
        log.warn(
          { err: error, subId: id },
          'the history of a deleted subscription could not be deleted and stays until it expires',
        ),
      );
      return done({ ok: true });
    },

    async 'webhooks.matching'({ organisationId, mode }) {
      const book = await store.get(webhookBooks, organisationId);
      const matching = (book?.value.subs ?? []).filter(({ sub }) => matchesMode(sub, mode));
      return done({ subs: matching.map(signingOf) });
    },

    async 'webhooks.signing'({ id, ...asking }) {
      const organisationId = asking.scope ? asking.scope.organisationId : asking.organisationId;
      const book = await store.get(webhookBooks, organisationId);
      const found = book?.value.subs.find(({ sub }) => sub.id === id);
      if (!found || (asking.scope && !subscriptionInScope(found.sub, asking.scope))) return webhookUnknown();
      return done({ sub: signingOf(found), disabled: found.sub.disabled, mode: found.sub.mode });
    },
  };
}

async function updateSub(
  ports: Ports,
  changeBook: ChangeBook,
  scope: Scope,
  id: string,
  changes: WebhookChanges,
): Promise<Outcome<{ sub: WebhookSub }>> {
  // Before the subscription is active again: otherwise its first failure would end the earlier five days.
  if (changes.disabled === false || changes.url !== undefined) {
    const book = await ports.store.get(webhookBooks, scope.organisationId);
    const found = book && findSub(book.value, scope, id);
    if (found && beginsAnew(found.sub, changes)) await noteEnabled(ports, id);
  }
  let before: KeptSub | undefined;
  const changed = await changeBook(scope, (book) => {
    before = findSub(book, scope, id)?.sub;
    return withChanges(book, scope, id, changes, ports.clock.now());
  });
  if (changed.ok && before) await afterUpdate(ports, scope, before, changes);
  return changed.ok ? done({ sub: await subscriptionAfter(ports, changed.value, id) }) : changed;
}

/** The end of a pause brings what happened meanwhile. Its beginning is told to others. */
async function afterUpdate(
  ports: Ports,
  { organisationId }: Scope,
  before: KeptSub,
  { disabled }: WebhookChanges,
): Promise<void> {
  if (before.disabled && disabled === false) {
    // A subscription that was paused by an earlier version does not know since when.
    if (before.pausedAt == null) return;
    await beginRecovery(ports, { subId: before.id, organisationId, since: before.pausedAt - beforePauseMs });
  }
  if (!before.disabled && disabled) await tellPaused(ports, organisationId, before, 'operator');
}

async function subscriptionAfter({ store, clock }: Ports, { subs }: WebhookBook, id: string): Promise<WebhookSub> {
  const health = await healthOf(store, [id], clock.now());
  return subOf(subs.find(({ sub }) => sub.id === id)!.sub, health.get(id));
}

type Decide = (book: WebhookBook) => Outcome<WebhookBook>;
/** Resolves with the book after this change and those before it. */
type ChangeBook = (scope: Scope, decide: Decide) => Promise<Outcome<WebhookBook>>;

/**
 * Changes of one organisation that come together in this process are decided one after another and written once, so
 * they never compete.
 */
function createChangeBook({ store, announce }: Ports): ChangeBook {
  const gathered = createGathering<Decide, Outcome<WebhookBook>>(async (organisationId, decides) => {
    let outcomes: Outcome<WebhookBook>[] = [];
    const changed = await change(store, webhookBooks, organisationId, webhookUnknown, (found) => {
      let book = found;
      outcomes = decides.map((decide) => {
        const decided = decide(book);
        if (decided.ok) book = decided.value;
        return decided;
      });
      return done(book);
    });
    if (!changed.ok) return decides.map(() => changed);
    if (outcomes.some(({ ok }) => ok)) announce({ kind: 'webhooks', organisationId });
    return outcomes;
  });
  return ({ organisationId }, decide) => gathered(organisationId, decide);
}

function newSecret(): string {
  return `whsec_${randomBytes(SECRET_BYTES).toString('base64')}`;
}
