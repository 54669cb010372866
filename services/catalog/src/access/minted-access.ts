/**
 * The access that a key or user has given to others: sessions, access links and webhooks. Revoking the key, or deleting
 * the user, lists this access or ends it. A session rests on its minter (`restsOn`), and on the minter of the link that
 * opened it. A link and a webhook name their minter.
 *
 * To end a link is to revoke it with the sessions that it opened. To end a webhook is to pause it: its history stays,
 * and an operator who knows its address may resume it.
 *
 * The order of an end: the minter is void → links → sessions → webhooks. Every mint reads its minter again after
 * the insert (`checkMinter`). So either the mint sees that the minter is void and takes itself back, or the end sees
 * the new access.
 *
 * Failure at each await: the store fails → the caller gets an error and repeats the call, which ends the rest; this
 * catalog dies before an announcement → front doors learn of the end when their cached principal expires
 * (`principalCacheMs`).
 */
import type { EndOfMinter, MintedAccess, MintedSession } from '@parterre/shared/protocol/catalog/access';
import type { Scope } from '@parterre/shared/protocol/catalog/scope';
import { done, type Outcome, refuse } from '@parterre/shared/protocol/errors';
import { accessLinks, embeddedSessions, keys, users, webhookBooks } from '../store/collections.ts';
import { change, type Ports } from '../store/operations.ts';
import { mintedListedMax } from '../store/rules/bounds.ts';
import type { AccessLinkRecord, EmbeddedSessionRecord } from '../store/rules/records.ts';
import { type WebhookBook, withPaused } from '../store/rules/webhook-records.ts';
import type { Store, Stored } from '../store/store.ts';
import { BEHIND_ALL_IDS, endAll, liveSessions } from './embedded-sessions.ts';
import { noteLink } from './link-audit.ts';
import { ended } from './rules/link-states.ts';
import { revoked } from './rules/session-states.ts';

const nothing: MintedAccess = {
  counts: { sessions: 0, accessLinks: 0, webhooks: 0 },
  sessions: [],
  accessLinks: [],
  webhooks: [],
};

/** The key or user behind the scope. A console makes links for the minter of its session. */
export async function minterOf(store: Store, { actor }: Scope): Promise<string> {
  if (!isSession(actor)) return actor;
  const session = await store.get(embeddedSessions, actor);
  return session?.value.mintedBy ?? actor;
}

/**
 * A refusal once the scope's key or session was revoked, or its user was deleted. A mint calls this function after the
 * insert of the new access.
 */
export async function checkMinter(store: Store, { actor, role }: Scope): Promise<Outcome<true>> {
  if (role !== null) return (await store.get(users, actor)) ? done(true) : minterVoid;
  const minter = await (isSession(actor) ? store.get(embeddedSessions, actor) : store.get(keys, actor));
  return minter && minter.value.revokedAt !== null ? minterVoid : done(true);
}

function isSession(actor: string): boolean {
  return actor.startsWith('ses_');
}

const minterVoid = refuse('unauthorized', 'The credential is unknown, revoked or expired. Send a valid one.');

/** The minter is void already. Ends its access, or leaves it. */
export async function settleMinted(
  ports: Ports,
  organisationId: string,
  minter: string,
  isEnding: boolean,
): Promise<Outcome<EndOfMinter>> {
  const minted = await mintedBy(ports, organisationId, minter);
  if (!isEnding) return done({ ok: true, ended: nothing, left: minted });
  const links = await endLinks(ports, minter);
  if (!links.ok) return links;
  const now = ports.clock.now();
  const { count, eventKeys } = links.value;
  const sessions = await endAll(ports, minter, (session) => revoked(session, now), [...eventKeys]);
  const webhooks = await pauseWebhooks(ports, organisationId, minter);
  if (!webhooks.ok) return webhooks;
  const counts = { sessions, accessLinks: count, webhooks: webhooks.value };
  ports.log.warn({ organisationId, minter, ...counts }, 'access that a revoked key or deleted user gave has ended');
  return done({ ok: true, ended: { ...minted, counts }, left: nothing });
}

async function mintedBy({ store, clock }: Ports, organisationId: string, minter: string): Promise<MintedAccess> {
  const now = clock.now();
  const links = await activeLinks(store, minter, now);
  const book = await store.get(webhookBooks, organisationId);
  const webhooks = activeWebhooks(book?.value, minter);
  return {
    counts: {
      sessions: await store.count(embeddedSessions, { index: 'byGround', equal: [minter], above: now }),
      accessLinks: await store.count(accessLinks, { index: 'byMinter', equal: [minter, 'active'], above: now }),
      webhooks: webhooks.length,
    },
    sessions: (await liveSessions(store, minter, now, mintedListedMax)).map(mintedSessionOf),
    accessLinks: await Promise.all(links.map((link) => mintedLinkOf(store, link, now))),
    webhooks,
  };
}

function mintedSessionOf({ id, value }: Stored<EmbeddedSessionRecord>): MintedSession {
  const { expiresAt } = value;
  switch (value.kind) {
    case 'owner-buyer':
      return { id, kind: value.owner.kind, of: value.owner.key, expiresAt };
    case 'designer':
      return { id, kind: 'designer', of: value.chartId, expiresAt };
    case 'buyer':
    case 'manage':
      return { id, kind: value.kind, of: value.eventKey, expiresAt };
  }
}

async function mintedLinkOf(store: Store, { id, value }: Stored<AccessLinkRecord>, now: number) {
  const activeSessions = await store.count(embeddedSessions, { index: 'byGround', equal: [id], above: now });
  return { id, eventKey: value.eventKey, channelId: value.channelId, activeSessions, expiresAt: value.expiresAt! };
}

async function activeLinks(store: Store, minter: string, now: number): Promise<Stored<AccessLinkRecord>[]> {
  const after = { order: now, id: BEHIND_ALL_IDS };
  const query = { index: 'byMinter', equal: [minter, 'active'], after, limit: mintedListedMax };
  return (await store.page(accessLinks, query)).documents;
}

/**
 * A revoked link leaves the index, so each look finds others. Its sessions rest on the minter, and end with all others.
 */
async function endLinks(
  { store, clock }: Ports,
  minter: string,
): Promise<Outcome<{ count: number; eventKeys: ReadonlySet<string> }>> {
  const eventKeys = new Set<string>();
  for (let count = 0; ; ) {
    const now = clock.now();
    const links = await activeLinks(store, minter, now);
    if (links.length === 0) return done({ count, eventKeys });
    for (const { id } of links) {
      const written = await change(store, accessLinks, id, linkGone, (link) =>
        done(ended(link, { state: 'revoked', sessionsEnded: true }, now)),
      );
      // A missing link had ended earlier and made room for another.
      if (!written.ok && written.refusal.code === 'not_found') continue;
      if (!written.ok) return written;
      const cause = { source: 'operator', reason: 'The maker of the link was revoked.' } as const;
      await noteLink(store, written.value.value, { action: 'revoke', linkId: id, at: now, actor: minter, ...cause });
      eventKeys.add(written.value.value.eventKey);
      count++;
    }
  }
}

function linkGone(): Outcome<never> {
  return refuse('not_found', 'There is no such access link.');
}

function activeWebhooks(book: WebhookBook | undefined, minter: string): MintedAccess['webhooks'] {
  const active = (book?.subs ?? []).filter(({ sub }) => sub.createdBy === minter && !sub.disabled);
  return active.map(({ sub: { id, url } }) => ({ id, url }));
}

const noWebhooks = () => refuse('not_found', 'The organisation has no webhook subscription.');

async function pauseWebhooks(
  { store, clock, announce }: Ports,
  organisationId: string,
  minter: string,
): Promise<Outcome<number>> {
  let count = 0;
  const changed = await change(store, webhookBooks, organisationId, noWebhooks, (book) => {
    const active = activeWebhooks(book, minter);
    count = active.length;
    return done(active.reduce((paused, { id }) => withPaused(paused, id, 'operator', clock.now()), book));
  });
  // An organisation without a subscription has no document.
  if (!changed.ok) return changed.refusal.code === 'not_found' ? done(0) : changed;
  if (count > 0) announce({ kind: 'webhooks', organisationId });
  return done(count);
}
