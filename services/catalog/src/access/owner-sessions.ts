/**
 * Buyers' sessions to all events of a performance group (bgs_) or season (bss_), from one origin, for a while. A
 * session rests on each of its channels, as an event's session does.
 *
 * On failure at the await, the store: a session that was not stored has no token that anybody knows; an end that was
 * not stored is repeated by its caller.
 */
import type {
  MintedOwnerSession,
  OwnerOfSession,
  OwnerSessionDraft,
} from '@parterre/shared/protocol/catalog/owner-sessions';
import type { CatalogInput } from '@parterre/shared/protocol/catalog-api';
import { done, type Outcome, refuse } from '@parterre/shared/protocol/errors';
import { ownerSessionsPerPageMax } from '@parterre/shared/protocol/group-limits';
import { newId, sha256 } from '@parterre/shared/protocol/ids';
import { buyerSessionSecondsDefault } from '@parterre/shared/protocol/limits';
import { newSessionToken } from '@parterre/shared/protocol/session-tokens';
import { embeddedSessions, keys } from '../store/collections.ts';
import { change, type OperationTable, type Ports } from '../store/operations.ts';
import type { EmbeddedSessionRecord, OwnerSessionRecord } from '../store/rules/records.ts';
import { findOne, type Stored } from '../store/store.ts';
import { noteMint } from './channel-access.ts';
import { endSession, type InsertSession, sessionUnknown } from './embedded-sessions.ts';
import { checkMinter } from './minted-access.ts';
import { adopting, ownerListName, ownerSessionInfoOf } from './rules/owner-session-states.ts';
import { channelGround, checkAllowedOrigin, noList } from './rules/session-states.ts';

type OwnerSessionOperation =
  | 'owner-sessions.create'
  | 'owner-sessions.open-public'
  | 'owner-sessions.adopt'
  | 'owner-sessions.list'
  | 'owner-sessions.revoke';

export function createOwnerSessionOperations(
  ports: Ports,
  insertSession: InsertSession,
): OperationTable<OwnerSessionOperation> {
  const { store, clock } = ports;
  return {
    async 'owner-sessions.create'({ scope, of, draft }) {
      const allowed = checkAllowedOrigin(draft.allowedOrigin, of.mode);
      if (!allowed.ok) return allowed;
      const now = clock.now();
      const { id, record, minted } = mintOwnerSession(of, draft, now);
      for (const [eventKey, channelIds] of Object.entries(draft.channelIdsByEvent)) {
        await noteMint(store, eventKey, channelIds, now);
      }
      await insertSession(id, { ...record, restsOn: [...record.restsOn, scope.actor], mintedBy: scope.actor });
      const standing = await checkMinter(store, scope);
      if (standing.ok) return done(minted);
      await store.delete(embeddedSessions, id, 1);
      return standing;
    },

    async 'owner-sessions.open-public'({ of, origin, keyId, budgets }) {
      const draft = {
        channelIdsByEvent: {},
        includePublic: true,
        allowedOrigin: origin,
        accessSource: 'public' as const,
      };
      const { id, record, minted } = mintOwnerSession(of, draft, clock.now());
      const own = budgets === undefined ? { keyId } : { keyId, budgets };
      await insertSession(id, { ...record, ...own, listedIn: noList, restsOn: [keyId] });
      // The key is read after the insert, so either this read sees a revocation or the revocation sees the session.
      const key = await store.get(keys, keyId);
      if (key?.value.revokedAt === null) return done(minted);
      await store.delete(embeddedSessions, id, 1);
      return refuse('buyer_access_invalid', 'This key is unknown or revoked. Send a valid key.');
    },

    'owner-sessions.adopt': (input) => adoptSession(ports, input),

    async 'owner-sessions.list'({ owner, limit = ownerSessionsPerPageMax }) {
      const query = { index: 'byEvent', equal: [ownerListName(owner)], descending: true, limit };
      const { documents } = await store.page(embeddedSessions, query);
      return done({ sessions: documents.filter(isOwners).map(({ id, value }) => ownerSessionInfoOf(id, value)) });
    },

    async 'owner-sessions.revoke'({ owner, sessionId }) {
      const listedIn = ownerListName(owner);
      const ended = await endSession(
        ports,
        sessionId,
        (each) => each.kind === 'owner-buyer' && each.listedIn === listedIn,
      );
      return ended.ok ? done({ sessionId }) : ended;
    },
  };
}

const nothingToAdopt = refuse(
  'buyer_access_invalid',
  'The previous token is not of an earlier session of this page. Start without its holds.',
);

async function adoptSession(
  { store, announce }: Ports,
  { sessionId, previousHash }: CatalogInput<'owner-sessions.adopt'>,
): Promise<Outcome<{ sessionId: string }>> {
  const earlier = await findOne(store, embeddedSessions, 'byHash', [previousHash]);
  if (!earlier || !isOwners(earlier)) return nothingToAdopt;
  if (earlier.id === sessionId) return done({ sessionId });
  const adopted = await change(store, embeddedSessions, sessionId, sessionUnknown, (record) => {
    if (record.kind !== 'owner-buyer') return sessionUnknown();
    const next = adopting(record, { sessionId: earlier.id, record: earlier.value });
    return next === null ? nothingToAdopt : done(next);
  });
  if (!adopted.ok) return adopted;
  announce({ kind: 'key', hash: adopted.value.value.hash });
  return done({ sessionId });
}

function isOwners(session: Stored<EmbeddedSessionRecord>): session is Stored<OwnerSessionRecord> {
  return session.value.kind === 'owner-buyer';
}

/** A fresh token for a fresh session, and the session's record. */
function mintOwnerSession(
  { planActivationId, ...of }: OwnerOfSession,
  draft: OwnerSessionDraft,
  now: number,
): { id: string; record: OwnerSessionRecord; minted: MintedOwnerSession } {
  const token = newSessionToken(of.owner.kind === 'group' ? 'bgs' : 'bss');
  const { channelIdsByEvent, includePublic, accessSource, allowedOrigin: origin } = draft;
  const { maxQuantity = null, buyerRef = null, partnerRef = null } = draft;
  const grounds = Object.entries(channelIdsByEvent).flatMap(([eventKey, channelIds]) =>
    channelIds.map((channelId) => channelGround(eventKey, channelId)),
  );
  const record: OwnerSessionRecord = {
    kind: 'owner-buyer',
    ...of,
    ...(planActivationId === undefined ? {} : { planActivationId }),
    origin,
    channelIdsByEvent,
    includePublic,
    maxQuantity,
    buyerRef,
    partnerRef,
    accessSource,
    hash: sha256(token),
    grantVersion: 1,
    createdAt: now,
    expiresAt: now + (draft.expiresInSeconds ?? buyerSessionSecondsDefault) * 1_000,
    revokedAt: null,
    restsOn: grounds,
    mintedBy: null,
    listedIn: ownerListName(of.owner),
  };
  const id = newId('ses');
  return { id, record, minted: { session: ownerSessionInfoOf(id, record), token } };
}
