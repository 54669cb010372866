/** The bodies of buyers' and embedded sessions and of access links (wire contract 6). What a session's origin may be is the catalog's to say. */
import { capabilities } from '@parterre/shared/catalog/scope';
import {
  accessRefLengthMax,
  buyerSessionSecondsMax,
  buyerSessionSecondsMin,
  channelsPerEventMax,
  embedSessionSecondsMax,
  embedSessionSecondsMin,
  maxQuantityMax,
  originLengthMax,
  redemptionsMax,
} from '@parterre/shared/limits';
import { z } from 'zod';
import { epochMs, id, name, optional, reason } from '../records/body-parts.ts';

const allowedOrigin = z.string().min(1).max(originLengthMax);
const ref = z.string().trim().min(1).max(accessRefLengthMax);
const maxQuantity = z.int().min(1).max(maxQuantityMax).nullable();
const buyerSeconds = z.int().min(buyerSessionSecondsMin).max(buyerSessionSecondsMax);
export const reasonSaid = reason.nullable();
const embedSeconds = z.int().min(embedSessionSecondsMin).max(embedSessionSecondsMax);

export const buyerSessionBody = z.object({
  channelIds: optional(z.array(id).max(channelsPerEventMax)),
  includePublic: z.boolean(),
  allowedOrigin,
  expiresInSeconds: optional(buyerSeconds),
  maxQuantity: optional(maxQuantity),
  buyerRef: optional(ref.nullable()),
  partnerRef: optional(ref.nullable()),
  clientRequestId: optional(ref),
});

export const manageSessionBody = z.object({
  allowedOrigin,
  // Whatever is wrong with it has a code of its own.
  capabilities: optional(
    z.unknown().meta({
      type: 'array',
      items: { type: 'string' },
      description: `At least one of ${capabilities.join(', ')}.`,
    }),
  ),
  expiresInSeconds: optional(embedSeconds),
});

export const designerSessionBody = z.object({
  workspaceId: id,
  chartId: id,
  allowedOrigin,
  authority: optional(z.enum(['read-only', 'edit', 'publish'])),
  canPublish: optional(z.boolean()),
  mode: optional(z.enum(['normal', 'safe'])),
  safeModeOptions: optional(
    z.object({ allowDeletingObjects: optional(z.boolean()), allowEditingAreaCapacity: optional(z.boolean()) }),
  ),
  features: optional(z.record(id, z.unknown())),
  expiresInSeconds: optional(embedSeconds),
});

export const accessLinkBody = z.object({
  label: optional(name.nullable()),
  expiresAt: optional(epochMs.nullable()),
  maxRedemptions: optional(z.int().min(1).max(redemptionsMax).nullable()),
  maxQuantity: optional(maxQuantity),
  sessionTtlSeconds: optional(buyerSeconds),
  includePublic: optional(z.boolean()),
  reason: optional(reasonSaid),
});

export const rotationBody = z.object({ endActiveSessions: z.boolean(), reason: optional(reasonSaid) });
