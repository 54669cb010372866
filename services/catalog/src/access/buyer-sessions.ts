/**
 * Buyers' sessions: access to one event, from one origin, for a while. A session with a `clientRequestId` is made once
 * and renewed from then on: it keeps its id, by which quantities are counted, and gets a new token.
 *
 * States of a session: absent → active → (renewed → active)* → revoked or expired → active again by a renewal, or
 * swept. The record alone decides which token is valid. It changes in checked writes, so of many renewals at once the
 * last one's token is valid.
 *
 * Failure at the awaits of a renewal: the earlier token is noted as replaced before the record has the new one. The
 * note is void while the record has the earlier token. A renewal that dies in between has changed nothing. A renewal to
 * fewer channels counts as a revocation behind the record (embedded-sessions.ts).
 */
import type { BuyerSessionDraft, MintedBuyerSession } from '@parterre/shared/protocol/catalog/access';
import type { CatalogInput, CatalogOutput } from '@parterre/shared/protocol/catalog-api';
import { done, type Outcome, refuse } from '@parterre/shared/protocol/errors';
import { derivedId, derivedIdAt, sha256 } from '@parterre/shared/protocol/ids';
import { buyerSessionSecondsDefault, buyerSessionsPerPageMax } from '@parterre/shared/protocol/limits';
import { newSessionToken } from '@parterre/shared/protocol/session-tokens';
import { findEvent } from '../events/event-access.ts';
import { embeddedSessions, keys, replacedTokens } from '../store/collections.ts';
import type { OperationTable, Ports } from '../store/operations.ts';
import { changeAttemptsMax } from '../store/rules/bounds.ts';
import type { BuyerSessionRecord, EmbeddedSessionRecord } from '../store/rules/records.ts';
import type { Stored } from '../store/store.ts';
import { noteMint } from './channel-access.ts';
import { countRevocation, endSession, type InsertSession } from './embedded-sessions.ts';
import { checkMinter } from './minted-access.ts';
import {
  buyerSessionInfoOf,
  buyerSessionOf,
  channelGround,
  checkAllowedOrigin,
  noList,
} from './rules/session-states.ts';

type BuyerSessionOperation =
  | 'buyer-sessions.create'
  | 'buyer-sessions.open-public'
  | 'buyer-sessions.list'
  | 'buyer-sessions.revoke';

export function createBuyerSessionOperations(
  ports: Ports,
  insertSession: InsertSession,
): OperationTable<BuyerSessionOperation> {
  const { store, clock } = ports;
  return {
    'buyer-sessions.create': (input) => createSession(ports, insertSession, input),

    'buyer-sessions.open-public': (input) => openPublic(ports, insertSession, input),

    async 'buyer-sessions.list'({ scope, eventKey, limit = buyerSessionsPerPageMax }) {
      const event = await findEvent(store, scope, eventKey);
      if (!event.ok) return event;
      const query = { index: 'byEvent', equal: [eventKey], descending: true, limit };
      const { documents } = await store.page(embeddedSessions, query);
      const now = clock.now();
      return done({
        sessions: documents.filter(isBuyers).map(({ id, value }) => buyerSessionInfoOf(id, value, now)),
      });
    },

    async 'buyer-sessions.revoke'({ scope, eventKey, sessionId }) {
      const event = await findEvent(store, scope, eventKey);
      if (!event.ok) return event;
      const ended = await endSession(ports, sessionId, (each) => each.kind === 'buyer' && each.eventKey === eventKey);
      return ended.ok ? done({ sessionId, grantVersion: ended.value.value.grantVersion }) : ended;
    },
  };
}

async function openPublic(
  { store, clock }: Ports,
  insertSession: InsertSession,
  { origin, count = 1, ...where }: CatalogInput<'buyer-sessions.open-public'>,
): Promise<Outcome<CatalogOutput<'buyer-sessions.open-public'>>> {
  const now = clock.now();
  const draft = { channelIds: [], includePublic: true, allowedOrigin: origin };
  const mint = () => mintBuyerSession({ ...where, accessSource: 'public' }, draft, now);
  const minted = Array.from({ length: count }, mint);
  const kept = minted.map(({ session, record }) =>
    insertSession(session.sessionId, { ...record, listedIn: noList, restsOn: [where.keyId] }),
  );
  await Promise.all(kept);
  // The key is read after the inserts, so either this read sees a revocation or the revocation sees the sessions.
  const key = await store.get(keys, where.keyId);
  const { session, token } = minted[0]!;
  const tokens = minted.map((each) => each.token);
  const sessionIds = minted.map((each) => each.session.sessionId);
  if (key?.value.revokedAt === null) return done({ session, token, tokens, sessionIds });
  await Promise.all(minted.map(({ session }) => store.delete(embeddedSessions, session.sessionId, 1)));
  return refuse('buyer_access_invalid', 'This key is unknown or revoked. Send a valid key.');
}

function isBuyers(session: Stored<EmbeddedSessionRecord>): session is Stored<BuyerSessionRecord> {
  return session.value.kind === 'buyer';
}

async function createSession(
  ports: Ports,
  insertSession: InsertSession,
  { scope, eventKey, draft, accessSource }: CatalogInput<'buyer-sessions.create'>,
): Promise<Outcome<CatalogOutput<'buyer-sessions.create'>>> {
  const { store, clock } = ports;
  const event = await findEvent(store, scope, eventKey);
  if (!event.ok) return event;
  const { organisationId, workspaceId, mode } = event.value;
  const allowed = checkAllowedOrigin(draft.allowedOrigin, mode);
  if (!allowed.ok) return allowed;
  const where = { organisationId, workspaceId, mode, eventKey, accessSource };
  const { session, token, record: minted } = mintBuyerSession(where, draft, clock.now());
  const record = { ...minted, restsOn: [...minted.restsOn, scope.actor], mintedBy: scope.actor };
  await noteMint(store, eventKey, draft.channelIds, clock.now());
  const { clientRequestId } = draft;
  if (clientRequestId === undefined) {
    await insertSession(session.sessionId, record);
    const standing = await checkMinter(store, scope);
    if (standing.ok) return done({ session, token, grantVersion: record.grantVersion });
    await store.delete(embeddedSessions, session.sessionId, 1);
    return standing;
  }
  const kept = await makeOrRenew(ports, derivedId('ses', 'buyer session', eventKey, clientRequestId), record);
  if (!kept.ok) return kept;
  const { id, value } = kept.value;
  const standing = await checkMinter(store, scope);
  if (!standing.ok) {
    await endSession(ports, id, ({ hash }) => hash === value.hash);
    return standing;
  }
  return done({ session: buyerSessionOf(id, value), token, grantVersion: value.grantVersion });
}

type Where = Pick<
  BuyerSessionRecord,
  'organisationId' | 'workspaceId' | 'mode' | 'eventKey' | 'accessSource' | 'keyId' | 'budgets'
>;

/** A fresh token for a fresh session, and the session's record. */
export function mintBuyerSession(
  where: Where,
  draft: BuyerSessionDraft,
  now: number,
): MintedBuyerSession & { record: BuyerSessionRecord } {
  const token = newSessionToken('bse');
  const hash = sha256(token);
  const record: BuyerSessionRecord = {
    kind: 'buyer',
    ...where,
    origin: draft.allowedOrigin,
    channelIds: draft.channelIds,
    includePublic: draft.includePublic,
    maxQuantity: draft.maxQuantity ?? null,
    buyerRef: draft.buyerRef ?? null,
    partnerRef: draft.partnerRef ?? null,
    hash,
    grantVersion: 1,
    createdAt: now,
    expiresAt: now + (draft.expiresInSeconds ?? buyerSessionSecondsDefault) * 1_000,
    revokedAt: null,
    mintedBy: null,
    restsOn: draft.channelIds.map((channelId) => channelGround(where.eventKey, channelId)),
    listedIn: where.eventKey,
  };
  // In the order of time: the sessions of an on-sale stand together in the store.
  return { session: buyerSessionOf(derivedIdAt('ses', now, hash), record), token, record };
}

async function makeOrRenew(
  ports: Ports,
  id: string,
  record: BuyerSessionRecord,
): Promise<Outcome<Stored<BuyerSessionRecord>>> {
  const { store, clock, announce } = ports;
  for (let attempt = 0; attempt < changeAttemptsMax; attempt++) {
    const found = await store.get(embeddedSessions, id);
    if (!found) {
      if ((await store.insert(embeddedSessions, id, record)) === 'inserted')
        return done({ id, version: 1, value: record });
      continue;
    }
    const { hash, grantVersion, createdAt, expiresAt, channelIds } = found.value as BuyerSessionRecord;
    await store.insert(replacedTokens, hash, { sessionId: id, revokedAt: clock.now(), expiresAt });
    const value = { ...record, grantVersion: grantVersion + 1, createdAt };
    if ((await store.replace(embeddedSessions, id, found.version, value)) !== 'replaced') continue;
    announce({ kind: 'key', hash });
    const losesChannel = channelIds.some((each) => !record.channelIds.includes(each));
    if (losesChannel) await countRevocation(ports, record.eventKey);
    return done({ id, version: found.version + 1, value });
  }
  return refuse('overloaded', 'Too many renewals of this session at once. Try again.', { retryable: true });
}
