/**
 * Buyers' sessions: access to one event, from one origin, for a while. A session that its maker has named (`clientRequestId`) is made
 * once and renewed from then on: it keeps its id, which is what quantities are counted by, and its token is another.
 *
 * States of a session: absent → standing → (renewed → standing)* → revoked or expired → standing again by a renewal, or swept. The record is the
 * only one who says which token stands, in checked writes, so that of many renewals at once the last one's does.
 * Failure at the awaits of a renewal: the earlier token is noted as replaced before the record has the new one, and the note says
 * nothing as long as the record has the earlier one; so a renewal that dies in between has changed nothing.
 */
import type { BuyerSessionDraft } from '@parterre/shared/catalog/access';
import type { CatalogInput, CatalogOutput } from '@parterre/shared/catalog-api';
import { done, type Outcome, refuse } from '@parterre/shared/errors';
import { derivedId, newId, sha256 } from '@parterre/shared/ids';
import { buyerSessionSecondsDefault } from '@parterre/shared/limits';
import { newSessionToken } from '@parterre/shared/session-tokens';
import { embeddedSessions, replacedTokens } from '../collections.ts';
import type { Stored } from '../outbound/store.ts';
import { buyerSessionsPerPageMax, changeAttemptsMax } from '../rules/bounds.ts';
import { buyerSessionInfoOf, buyerSessionOf, checkAllowedOrigin } from '../rules/embedded-sessions.ts';
import type { BuyerSessionRecord, EmbeddedSessionRecord } from '../rules/records.ts';
import { endSession } from './embedded-sessions.ts';
import { findEvent } from './event-access.ts';
import type { OperationTable, Ports } from './operations.ts';

type BuyerSessionOperation =
  | 'buyer-sessions.create'
  | 'buyer-sessions.open-public'
  | 'buyer-sessions.list'
  | 'buyer-sessions.revoke';

export function createBuyerSessionOperations(ports: Ports): OperationTable<BuyerSessionOperation> {
  const { store, clock } = ports;
  return {
    'buyer-sessions.create': (input) => createSession(ports, input),

    async 'buyer-sessions.open-public'({ origin, ...where }) {
      const draft = { channelIds: [], includePublic: true, allowedOrigin: origin };
      const { token, record } = mint({ ...where, accessSource: 'public' }, draft, clock.now());
      const sessionId = newId('ses');
      await store.insert(embeddedSessions, sessionId, { ...record, listedIn: null });
      return done({ session: buyerSessionOf(sessionId, record), token });
    },

    async 'buyer-sessions.list'({ scope, eventKey }) {
      const event = await findEvent(store, scope, eventKey);
      if (!event.ok) return event;
      const query = { index: 'byEvent', equal: [eventKey], descending: true, limit: buyerSessionsPerPageMax };
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

function isBuyers(session: Stored<EmbeddedSessionRecord>): session is Stored<BuyerSessionRecord> {
  return session.value.kind === 'buyer';
}

async function createSession(
  ports: Ports,
  { scope, eventKey, draft, accessSource }: CatalogInput<'buyer-sessions.create'>,
): Promise<Outcome<CatalogOutput<'buyer-sessions.create'>>> {
  const event = await findEvent(ports.store, scope, eventKey);
  if (!event.ok) return event;
  const { organisationId, workspaceId, mode } = event.value;
  const allowed = checkAllowedOrigin(draft.allowedOrigin, mode);
  if (!allowed.ok) return allowed;
  const where = { organisationId, workspaceId, mode, eventKey, accessSource };
  const { token, record } = mint(where, draft, ports.clock.now());
  const { clientRequestId } = draft;
  const kept =
    clientRequestId === undefined
      ? await insertNew(ports, newId('ses'), record)
      : await makeOrRenew(ports, derivedId('ses', 'buyer session', eventKey, clientRequestId), record);
  if (!kept.ok) return kept;
  const { id, value } = kept.value;
  return done({ session: buyerSessionOf(id, value), token, grantVersion: value.grantVersion });
}

type Where = Pick<BuyerSessionRecord, 'organisationId' | 'workspaceId' | 'mode' | 'eventKey' | 'accessSource'>;

/** A fresh token, and what is kept of it. */
function mint(where: Where, draft: BuyerSessionDraft, now: number): { token: string; record: BuyerSessionRecord } {
  const token = newSessionToken('bse');
  const record: BuyerSessionRecord = {
    kind: 'buyer',
    ...where,
    origin: draft.allowedOrigin,
    channelIds: draft.channelIds,
    includePublic: draft.includePublic,
    maxQuantity: draft.maxQuantity ?? null,
    buyerRef: draft.buyerRef ?? null,
    partnerRef: draft.partnerRef ?? null,
    hash: sha256(token),
    grantVersion: 1,
    createdAt: now,
    expiresAt: now + (draft.expiresInSeconds ?? buyerSessionSecondsDefault) * 1_000,
    revokedAt: null,
    listedIn: where.eventKey,
    linkId: null,
  };
  return { token, record };
}

async function insertNew(
  { store }: Ports,
  id: string,
  value: BuyerSessionRecord,
): Promise<Outcome<Stored<BuyerSessionRecord>>> {
  await store.insert(embeddedSessions, id, value);
  return done({ id, version: 1, value });
}

async function makeOrRenew(
  { store, clock, announce }: Ports,
  id: string,
  record: BuyerSessionRecord,
): Promise<Outcome<Stored<BuyerSessionRecord>>> {
  for (let attempt = 0; attempt < changeAttemptsMax; attempt++) {
    const found = await store.get(embeddedSessions, id);
    if (!found) {
      if ((await store.insert(embeddedSessions, id, record)) === 'inserted')
        return done({ id, version: 1, value: record });
      continue;
    }
    const { hash, grantVersion, createdAt, expiresAt } = found.value;
    await store.insert(replacedTokens, hash, { sessionId: id, revokedAt: clock.now(), expiresAt });
    const value = { ...record, grantVersion: grantVersion + 1, createdAt };
    if ((await store.replace(embeddedSessions, id, found.version, value)) !== 'replaced') continue;
    announce({ kind: 'key', hash });
    return done({ id, version: found.version + 1, value });
  }
  return refuse('overloaded', 'Too many others are renewing this session. Try again.', { retryable: true });
}
