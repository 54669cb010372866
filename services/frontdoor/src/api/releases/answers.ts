import type { ReleaseView } from '@parterre/shared/answers';
import { z } from 'zod';
import { count, epochMs, idOf, price, text, textOrNull } from '../records/records.ts';

export const release = z.object({
  id: idOf('rel'),
  name: text,
  price,
  previousPrice: price.nullable(),
  quota: count.nullable().describe('Units that may be held and booked under it at one time; null is no bound.'),
  startsAt: epochMs.nullable(),
  endsAt: epochMs.nullable(),
  categoryKey: textOrNull.describe('Null: every category without tiers.'),
  action: z.enum(['buy', 'apply', 'invoice']),
  actionUrl: textOrNull,
  position: count,
  consumed: count.describe('Units held and booked under it just now.'),
  remaining: count.nullable().describe('Null without a quota.'),
  soldOutAt: epochMs.nullable().describe('When its units came to the quota, while they are at it.'),
  status: z
    .enum(['upcoming', 'active', 'ended', 'closed'])
    .describe('A release whose category the chart has not any more, or with tiers now, has ended.'),
}) satisfies z.ZodType<ReleaseView>;

export const releaseList = z.object({ releases: z.array(release).describe('In the order in which they price.') });
