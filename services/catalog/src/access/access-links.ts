/**
 * Access links: hosted links to one channel. A bounded number of buyers redeem a link for a session each. The link's
 * capability is shown once and stored as SHA-256.
 *
 * States of a link: active → revoked | rotated. Whether an active link is expired or used up is computed at each read.
 *
 * States of a redemption: asked → counted (with others of the same link, in one checked write, so never more than the
 * link allows) → session stored → the link is read again → answered. A caller that ends a link with its sessions marks
 * the link first. Whether the new session or the search for sessions comes second, the second sees the first.
 *
 * Failure at each await: the store fails, or this catalog dies, after the count → one redemption is used up without a
 * session; before it → nothing. A rotation that dies between its two writes leaves a second link whose capability
 * nobody knows.
 */
import type { AccessLinkDraft } from '@parterre/shared/protocol/catalog/access';
import type { CatalogInput, CatalogOutput } from '@parterre/shared/protocol/catalog-api';
import { done, type Outcome, refuse } from '@parterre/shared/protocol/errors';
import { newId, randomText, sha256 } from '@parterre/shared/protocol/ids';
import {
  accessLinkMsDefault,
  accessLinksPerChannelMax,
  buyerSessionSecondsDefault,
  redemptionsDefault,
} from '@parterre/shared/protocol/limits';
import { createGathering } from '@parterre/shared/runtime/gathering';
import { findEvent } from '../events/event-access.ts';
import { readRecord } from '../projections/event-records.ts';
import { accessLinks, embeddedSessions, events } from '../store/collections.ts';
import { change, type OperationTable, type Ports } from '../store/operations.ts';
import type { AccessLinkRecord } from '../store/rules/records.ts';
import { findOne, type Stored } from '../store/store.ts';
import { mintBuyerSession } from './buyer-sessions.ts';
import { linksOf, noLink, noteMint } from './channel-access.ts';
import { countRevocation, endAll, endSession, type InsertSession } from './embedded-sessions.ts';
import { noteLink } from './link-audit.ts';
import { checkMinter, minterOf } from './minted-access.ts';
import { accessLinkOf, boundOf, checkRedeemable, ended, linkStatus, redeemed } from './rules/link-states.ts';
import { checkAllowedOrigin, revoked } from './rules/session-states.ts';

type AccessLinkOperation =
  | 'access-links.create'
  | 'access-links.list'
  | 'access-links.rotate'
  | 'access-links.revoke'
  | 'access-links.check'
  | 'access-links.redeem';

/** `acl_` and 43 characters: 256 bits. */
const CAPABILITY_PREFIX = 'acl_';
const CAPABILITY_LENGTH = 43;

export function createAccessLinkOperations(
  ports: Ports,
  insertSession: InsertSession,
): OperationTable<AccessLinkOperation> {
  const { store, clock } = ports;
  const redeem = createRedeem(ports, insertSession);
  return {
    'access-links.create': (input) => createLink(ports, input),

    async 'access-links.list'({ scope, eventKey, channelId }) {
      const event = await findEvent(store, scope, eventKey);
      if (!event.ok) return event;
      const now = clock.now();
      const links = (await linksOf(store, eventKey, channelId)).map(async ({ id, value }) => ({
        ...accessLinkOf(id, value, now),
        activeSessions: await store.count(embeddedSessions, { index: 'byGround', equal: [id], above: now }),
      }));
      return done({ links: await Promise.all(links) });
    },

    'access-links.rotate': (input) => rotateLink(ports, input),

    async 'access-links.revoke'(input) {
      const link = await endLink(ports, input, { action: 'revoke', state: 'revoked' });
      if (!link.ok) return link;
      const endedSessions = await endSessionsOf(ports, input);
      return done({ link: accessLinkOf(input.linkId, link.value, clock.now()), endedSessions });
    },

    async 'access-links.check'(input) {
      const found = await findRedeemable(ports, input);
      if (!found.ok) return found;
      const standing = checkRedeemable(found.value.link.value, clock.now());
      return standing.ok ? done(true as const) : standing;
    },

    'access-links.redeem': redeem,
  };
}

function newCapability(): { capability: string; hash: string } {
  const capability = CAPABILITY_PREFIX + randomText(CAPABILITY_LENGTH);
  return { capability, hash: sha256(capability) };
}

async function createLink(
  { store, clock }: Ports,
  { scope, eventKey, channelId, draft, by, version }: CatalogInput<'access-links.create'>,
): Promise<Outcome<CatalogOutput<'access-links.create'>>> {
  const event = await findEvent(store, scope, eventKey);
  if (!event.ok) return event;
  const now = clock.now();
  if (draft.expiresAt != null && draft.expiresAt <= now) return alreadyOver;
  const links = await linksOf(store, eventKey, channelId);
  if (links.length >= accessLinksPerChannelMax) {
    const oldest = links.findLast(({ value }) => !checkRedeemable(value, now).ok);
    if (!oldest) return tooManyLinks;
    await store.delete(accessLinks, oldest.id, oldest.version);
  }
  const { capability, hash } = newCapability();
  const made = { createdBy: scope.actor, minter: await minterOf(store, scope) };
  const whose = { organisationId: event.value.organisationId, eventKey, channelId, ...made };
  const record = newLink(draft, { ...whose, hash, createdAt: now });
  const id = newId('lnk');
  await noteMint(store, eventKey, [channelId], now);
  await noteLink(store, record, { action: 'create', linkId: id, at: now, actor: scope.actor, ...by }, version);
  await store.insert(accessLinks, id, record);
  const standing = await checkMinter(store, scope);
  if (standing.ok) return done({ link: accessLinkOf(id, record, now), capability });
  await store.delete(accessLinks, id, 1);
  return standing;
}

const alreadyOver = refuse('invalid_request', 'This link would expire before its first use. Send a later expiresAt.', {
  details: { issues: [{ path: 'expiresAt', message: 'Must be in the future.' }] },
});
const tooManyLinks = refuse(
  'conflict',
  `A channel has at most ${accessLinksPerChannelMax} links. Revoke a link first.`,
  {
    reason: 'access_link_limit_reached',
  },
);

type LinkOrigin = Pick<
  AccessLinkRecord,
  'organisationId' | 'eventKey' | 'channelId' | 'hash' | 'createdAt' | 'createdBy' | 'minter'
>;

function newLink(draft: AccessLinkDraft, made: LinkOrigin): AccessLinkRecord {
  return {
    ...made,
    label: draft.label ?? null,
    includePublic: draft.includePublic ?? false,
    expiresAt: draft.expiresAt ?? made.createdAt + accessLinkMsDefault,
    maxRedemptions: draft.maxRedemptions ?? redemptionsDefault,
    redemptions: 0,
    maxQuantity: draft.maxQuantity ?? null,
    sessionTtlSeconds: draft.sessionTtlSeconds ?? buyerSessionSecondsDefault,
    state: 'active',
    revokedAt: null,
    lastRedeemedAt: null,
    rotatedFrom: null,
    rotatedTo: null,
    sessionsEnded: false,
  };
}

type Target = { scope: Parameters<typeof findEvent>[1]; eventKey: string; channelId: string; linkId: string };

function isThere(link: AccessLinkRecord | undefined, { eventKey, channelId }: Target): boolean {
  return link?.eventKey === eventKey && link.channelId === channelId;
}

/** Makes a new link with the same settings and no redemptions, which replaces this one. */
async function rotateLink(
  ports: Ports,
  input: CatalogInput<'access-links.rotate'>,
): Promise<Outcome<CatalogOutput<'access-links.rotate'>>> {
  const { store, clock } = ports;
  const { scope, eventKey, channelId, linkId } = input;
  const event = await findEvent(store, scope, eventKey);
  if (!event.ok) return event;
  const before = await store.get(accessLinks, linkId);
  if (!before || !isThere(before.value, input)) return noLink();
  const now = clock.now();
  if (!checkRedeemable(before.value, now).ok) return notActive(before.value, now);
  const { capability, hash } = newCapability();
  const made = { createdBy: scope.actor, minter: await minterOf(store, scope) };
  const whose = { organisationId: before.value.organisationId, eventKey, channelId, ...made };
  const draft = { ...before.value, maxRedemptions: boundOf(before.value) };
  const record = { ...newLink(draft, { ...whose, hash, createdAt: now }), rotatedFrom: linkId };
  const id = newId('lnk');
  await noteMint(store, eventKey, [channelId], now);
  await store.insert(accessLinks, id, record);
  const standing = await checkMinter(store, scope);
  const rotation = { action: 'rotate', state: 'rotated', rotatedTo: id } as const;
  const previous = standing.ok ? await endLink(ports, input, rotation) : standing;
  if (!previous.ok) {
    await store.delete(accessLinks, id, 1);
    return previous;
  }
  const endedSessions = await endSessionsOf(ports, input);
  const link = accessLinkOf(id, record, now);
  return done({ link, previous: accessLinkOf(linkId, previous.value, now), endedSessions, capability });
}

function notActive(link: AccessLinkRecord, now: number): Outcome<never> {
  return refuse('conflict', `This link is already ${linkStatus(link, now)}. Create a new link.`, {
    reason: 'access_link_not_active',
  });
}

/** Revoking an ended link is harmless. Rotating it is refused: another caller may have the new link. */
async function endLink(
  { store, clock }: Ports,
  input: CatalogInput<'access-links.revoke'>,
  { action, ...how }: { action: 'rotate' | 'revoke'; state: 'revoked' | 'rotated'; rotatedTo?: string },
): Promise<Outcome<AccessLinkRecord>> {
  const event = await findEvent(store, input.scope, input.eventKey);
  if (!event.ok) return event;
  const written = await change(store, accessLinks, input.linkId, noLink, (link) => {
    if (!isThere(link, input)) return noLink();
    const now = clock.now();
    if (how.state === 'rotated' && !checkRedeemable(link, now).ok) return notActive(link, now);
    return done(ended(link, { ...how, sessionsEnded: input.endActiveSessions }, now));
  });
  if (!written.ok) return written;
  const { scope, linkId, by } = input;
  await noteLink(store, written.value.value, { action, linkId, at: clock.now(), actor: scope.actor, ...by });
  return done(written.value.value);
}

/** Behind the end of a link. Ends the sessions of the link if the caller wants so. */
async function endSessionsOf(
  ports: Ports,
  { eventKey, linkId, endActiveSessions }: CatalogInput<'access-links.revoke'>,
): Promise<number> {
  const now = ports.clock.now();
  if (endActiveSessions) return endAll(ports, linkId, (session) => revoked(session, now), [eventKey]);
  await countRevocation(ports, eventKey);
  return 0;
}

const noCapability = refuse('buyer_access_invalid', 'This link is unknown. Ask the sender for a new link.');
const foreignOrigin = refuse(
  'buyer_access_origin_mismatch',
  'A link is redeemed from a page with a secure origin. Open the page over https.',
);
const endedMeanwhile = refuse('buyer_access_revoked', 'This link was revoked. Ask the sender for a new link.');

function createRedeem(ports: Ports, insertSession: InsertSession) {
  const { store, clock } = ports;
  const count = createGathering((linkId, asked: true[]) => countRedemptions(ports, linkId, asked.length));

  return async (input: CatalogInput<'access-links.redeem'>): Promise<Outcome<CatalogOutput<'access-links.redeem'>>> => {
    const found = await findRedeemable(ports, input);
    if (!found.ok) return found;
    const { eventKey, origin } = input;
    const { link, event } = found.value;
    const { organisationId, workspaceId, mode } = event;
    const counted = await count(link.id, true);
    if (!counted.ok) return counted;
    const where = { organisationId, workspaceId, mode, eventKey, accessSource: 'hosted_link' } as const;
    const { channelId, includePublic, maxQuantity, sessionTtlSeconds } = link.value;
    const draft = {
      channelIds: [channelId],
      includePublic,
      maxQuantity,
      allowedOrigin: origin,
      expiresInSeconds: sessionTtlSeconds,
    };
    const minted = mintBuyerSession(where, draft, clock.now());
    const { session, token, record } = minted;
    await noteMint(store, eventKey, [channelId], clock.now());
    await insertSession(session.sessionId, { ...record, restsOn: [...record.restsOn, link.id, link.value.minter] });
    const now = await store.get(accessLinks, link.id);
    if (now && !now.value.sessionsEnded) return done({ session, token });
    await endSession(ports, session.sessionId, () => true);
    return endedMeanwhile;
  };
}

/** The link and its event, for a page of this origin. Whether the link still stands is checked later. */
async function findRedeemable(ports: Ports, { eventKey, capability, origin }: CatalogInput<'access-links.redeem'>) {
  const link = await findOne(ports.store, accessLinks, 'byHash', [sha256(capability)]);
  if (link?.value.eventKey !== eventKey) return noCapability;
  const event = await eventOf(ports, eventKey);
  if (!event.ok) return event;
  return checkAllowedOrigin(origin, event.value.mode).ok ? done({ link, event: event.value }) : foreignOrigin;
}

async function eventOf({ store }: Ports, eventKey: string) {
  const document = await store.get(events, eventKey);
  const event = document && (await readRecord(store, document));
  return event && event.status !== 'deleted' ? done(event) : noCapability;
}

/** One outcome for each caller. The first callers get in, as many as the link allows. */
async function countRedemptions({ store, clock }: Ports, linkId: string, asked: number): Promise<Outcome<true>[]> {
  let taken = 0;
  let refused: Outcome<never> = noCapability;
  const counted: Outcome<Stored<AccessLinkRecord>> = await change(
    store,
    accessLinks,
    linkId,
    () => noCapability,
    (link) => {
      const now = clock.now();
      const standing = checkRedeemable(link, now);
      if (!standing.ok) return standing;
      const after = redeemed(link, asked, now);
      taken = after.taken;
      const next = checkRedeemable(after.link, now);
      if (!next.ok) refused = next;
      return done(after.link);
    },
  );
  if (!counted.ok) return Array.from({ length: asked }, () => counted);
  return Array.from({ length: asked }, (_, nth) => (nth < taken ? done(true) : refused));
}
