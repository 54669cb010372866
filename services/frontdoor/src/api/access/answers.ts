/** Answers of sessions that a server issues. */
import type { BuyerSessionInfo, MintedAccess } from '@parterre/shared/catalog/access';
import { capabilities } from '@parterre/shared/catalog/scope';
import { z } from 'zod';
import { accessSource, count, epochMs, idOf, mode, nextCursor, ok, text, textOrNull } from '../records/records.ts';

const sessionId = idOf('ses');

const token = (prefix: string) =>
  z
    .string()
    .regex(new RegExp(`^${prefix}_[0-9A-Za-z]{38}$`))
    .describe('Shown in this answer only, and stored as a hash.');

const buyerSession = z.object({
  sessionId,
  channelIds: z.array(idOf('chn')),
  includePublic: z.boolean(),
  allowedOrigin: text,
  mode,
  expiresAt: epochMs,
  maxQuantity: count.nullable(),
  buyerRef: textOrNull,
  partnerRef: textOrNull,
  accessSource,
  state: z.enum(['active', 'revoked', 'expired']),
  createdAt: epochMs,
  revokedAt: epochMs.nullable(),
}) satisfies z.ZodType<BuyerSessionInfo>;

const designerSession = z.object({
  id: sessionId,
  workspaceId: idOf('ws'),
  chartId: idOf('cht'),
  allowedOrigin: text,
  authority: z.enum(['read-only', 'edit', 'publish']),
  canEdit: z.boolean(),
  canPublish: z.boolean(),
  mode: z.enum(['normal', 'safe']),
  safeModeOptions: z
    .object({ allowDeletingObjects: z.boolean(), allowEditingAreaCapacity: z.boolean() })
    .nullable()
    .describe('Null in normal mode.'),
  featurePolicy: z
    .record(text, z.unknown())
    .describe(
      'The `features` of the request. The designer leaves out those that are false. The server upholds `publish` alone.',
    ),
  expiresAt: epochMs,
});

const mintedDesignerSession = designerSession.extend({
  token: token('dse'),
  designerUrl: text.describe(
    'The address of the designer, with the token in the fragment: for a frame on a page of `allowedOrigin`, or for a ' +
      'tab of its own. The token is valid from this page and from `allowedOrigin`.',
  ),
});

const person = textOrNull.describe('The `person` of the request.');

/** The fields of a listed session beside its rights. */
const standing = {
  state: z.enum(['active', 'revoked', 'expired']),
  createdAt: epochMs,
  revokedAt: epochMs.nullable(),
  mintedBy: textOrNull.describe('The id of the key or user that asked for the session.'),
};

export const listManageSessionsAnswer = z.object({
  sessions: z.array(
    z.object({
      id: sessionId,
      sessionId: sessionId.describe('The same as id.'),
      eventKey: text,
      workspaceId: idOf('ws'),
      mode,
      capabilities: z.array(z.enum(capabilities)),
      allowedOrigin: text,
      expiresAt: epochMs,
      ...standing,
    }),
  ),
  nextCursor,
});

export const listDesignerSessionsAnswer = z.object({
  sessions: z.array(
    designerSession.extend({
      person,
      eventsMode: mode.nullable().describe('The mode of the events that a publish refreshes; null: both modes.'),
      ...standing,
    }),
  ),
  nextCursor,
});

/** The access that a key or user gave to others. The lists have the first 200 of each kind. */
export const mintedAccess = z.object({
  counts: z.object({ sessions: count, accessLinks: count, webhooks: count }),
  sessions: z.array(
    z.object({
      id: sessionId,
      kind: z.enum(['buyer', 'group', 'season', 'manage', 'designer']),
      of: text.describe('The key of the event, group or season, or the id of the chart.'),
      expiresAt: epochMs,
    }),
  ),
  accessLinks: z.array(
    z.object({ id: idOf('lnk'), eventKey: text, channelId: idOf('chn'), activeSessions: count, expiresAt: epochMs }),
  ),
  webhooks: z.array(z.object({ id: idOf('whk'), url: text })),
}) satisfies z.ZodType<MintedAccess>;

export const getDesignerSessionAnswer = z.object({
  session: designerSession.extend({ person }),
});

export const mintBuyerSessionAnswer = z.object({
  sessionId,
  token: token('bse'),
  expiresAt: epochMs,
  eventKey: text,
  includePublic: z.boolean(),
  maxQuantity: count.nullable().describe('The guests and places that the session may have in holds and bookings.'),
});

export const listBuyerSessionsAnswer = z.object({ sessions: z.array(buyerSession) });

export const revokeBuyerSessionAnswer = z.object({
  ok,
  sessionId,
  grantVersion: count.describe('Grows with each token that is issued and each session that is ended.'),
});

export const mintManageSessionAnswer = z.object({
  id: sessionId,
  sessionId: sessionId.describe('The same as id.'),
  token: token('mse'),
  expiresAt: epochMs,
  capabilities: z.array(z.enum(capabilities)),
  allowedOrigin: text,
  eventKey: text,
});

export const revokeManageSessionAnswer = z.object({ ok });

export const mintDesignerSessionAnswer = z.object({
  session: mintedDesignerSession,
  id: sessionId.describe('The same as session.id.'),
  token: token('dse'),
  expiresAt: epochMs,
});

export const revokeDesignerSessionAnswer = z.object({ ok });
