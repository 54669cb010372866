/** Request bodies of workspaces. */
import { regions } from '@parterre/shared/vocabulary';
import { z } from 'zod';
import { externalRef, name, optional } from '../records/records.ts';

const details = { externalRef: optional(externalRef.nullable()), defaultRegion: optional(z.enum(regions)) };

export const workspaceBody = z.object({ name, ...details });
export const workspaceUpdateBody = z.object({
  name: optional(name),
  ...details,
  status: optional(z.enum(['active', 'disabled'])),
  isDefault: optional(z.literal(true)),
});
