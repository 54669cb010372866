/** Answers of ticket releases. */
import type { ReleaseView } from '@parterre/shared/answers';
import { z } from 'zod';
import { count, epochMs, idOf, price, text, textOrNull } from '../records/records.ts';

export const release = z.object({
  id: idOf('rel'),
  name: text,
  price,
  previousPrice: price.nullable(),
  quota: count
    .nullable()
    .describe('The most units that may be held and booked under the ticket release at one time. Null means no bound.'),
  startsAt: epochMs.nullable(),
  endsAt: epochMs.nullable(),
  categoryKey: textOrNull.describe('Null means every category without tiers.'),
  action: z.enum(['buy', 'apply', 'invoice']),
  actionUrl: textOrNull,
  position: count,
  consumed: count.describe('Units held and booked under the ticket release now.'),
  remaining: count.nullable().describe('Null without a quota.'),
  soldOutAt: epochMs.nullable().describe('When the quota was used up; null while it has room.'),
  status: z
    .enum(['upcoming', 'active', 'ended', 'closed'])
    .describe(
      'A ticket release has also ended if the chart no longer has its category, or if the category now has tiers.',
    ),
}) satisfies z.ZodType<ReleaseView>;

export const releaseList = z.object({ releases: z.array(release).describe('In order of precedence.') });
