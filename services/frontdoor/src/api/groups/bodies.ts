/** Request bodies of performance groups. */
import { groupDraftKeysMax } from '@parterre/shared/group-limits';
import { z } from 'zod';
import { externalRef, id, name, optional } from '../records/records.ts';

export const groupBody = z.object({
  name,
  eventKeys: z
    .array(id)
    .max(groupDraftKeysMax)
    .describe('2 to 8 events of one chart version, mode, workspace, region and currency, in the order of the run.'),
  externalRef: optional(externalRef.nullable()),
});

export const stepBody = z.object({
  expectedRevision: z.int().min(1).describe('The revision of the group that the caller has read.'),
});
