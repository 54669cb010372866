/**
 * Request bodies of buyers' sessions, embedded sessions and access links. The catalog checks the origin of a session.
 */
import { capabilities } from '@parterre/shared/catalog/scope';
import {
  accessRefLengthMax,
  buyerSessionSecondsMax,
  buyerSessionSecondsMin,
  channelsPerEventMax,
  embedSessionSecondsMax,
  embedSessionSecondsMin,
  featuresLengthMax,
  maxQuantityMax,
  originLengthMax,
  redemptionsMax,
} from '@parterre/shared/limits';
import { z } from 'zod';
import { id, moment, name, optional, reason } from '../records/records.ts';

export const allowedOrigin = z.string().min(1).max(originLengthMax);
export const ref = z.string().trim().min(1).max(accessRefLengthMax);
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
  // A faulty list is refused with `invalid_capabilities`, not with `invalid_request` (asked-capabilities.ts).
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
  features: optional(
    z.record(id, z.unknown()).refine((features) => JSON.stringify(features).length <= featuresLengthMax, {
      message: `Must have at most ${featuresLengthMax} characters as JSON.`,
    }),
  ),
  person: optional(name.nullable()),
  expiresInSeconds: optional(embedSeconds),
});

export const accessLinkBody = z.object({
  label: optional(name.nullable()),
  expiresAt: optional(moment.nullable()),
  maxRedemptions: optional(z.int().min(1).max(redemptionsMax).nullable()),
  maxQuantity: optional(maxQuantity),
  sessionTtlSeconds: optional(buyerSeconds),
  includePublic: optional(z.boolean()),
  reason: optional(reasonSaid),
});

export const rotationBody = z.object({ endActiveSessions: z.boolean(), reason: optional(reasonSaid) });
