/** Request bodies of seasons. */
import { amendmentKinds } from '@parterre/shared/catalog/seasons';
import { groupDraftKeysMax } from '@parterre/shared/group-limits';
import { visibleText } from '@parterre/shared/names';
import { z } from 'zod';
import { id, moment, name, optional } from '../records/records.ts';

const keys = z.array(id).max(groupDraftKeysMax);
const edition = visibleText.min(1).max(200).nullable();

const selection = {
  eventKeys: optional(keys.describe('In the order of the season.')),
  sourcePerformanceGroupKeys: optional(keys.describe('Active groups, whose events follow the named events.')),
};

export const selectionBody = z.object(selection);
export const seasonBody = z.object({ name, edition: optional(edition), ...selection });
export const planBody = z.object({ name, ...selection });
export const duplicateBody = z.object({
  eventKeys: keys.describe('One live event for each occurrence, in the order of the occurrences.'),
  name: optional(name),
});

const expectedRevision = z.int().min(1).describe('The revision of the season that the caller has read.');
export const stepBody = z.object({ expectedRevision });
export const seasonUpdateBody = z.object({
  expectedRevision,
  name: optional(name),
  edition: optional(edition.describe('Null clears it.')),
});

export const amendmentBody = z.object({
  eventKey: id,
  kind: z.enum(amendmentKinds),
  startsAt: optional(moment.describe('Needed to reschedule. `endsAt` moves by as much.')),
  name: optional(name.describe('Needed to replace.')),
});
