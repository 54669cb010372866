/** Request body of ticket releases. The event's actor checks everything that depends on the chart. */
import { priceMax, releaseActionUrlLengthMax, releasesPerEventMax } from '@parterre/shared/limits';
import { z } from 'zod';
import { id, moment, name, optional } from '../records/records.ts';

const price = z.int().min(0).max(priceMax);

/**
 * Null means the same as an absent field. A caller may send back a list that it has read: further fields are ignored.
 */
const release = z
  .object({
    id: optional(id.nullable()),
    name,
    price,
    previousPrice: optional(price.nullable()),
    quota: optional(z.int().min(1).nullable()),
    startsAt: optional(moment.nullable()),
    endsAt: optional(moment.nullable()),
    categoryKey: optional(id.nullable()),
    action: z.enum(['buy', 'apply', 'invoice']).default('buy'),
    actionUrl: optional(
      z
        .url({ protocol: /^https$/, error: 'Must be an https address.' })
        .max(releaseActionUrlLengthMax)
        .nullable(),
    ),
  })
  .refine(({ action, actionUrl }) => action === 'buy' || actionUrl != null, {
    message: 'A ticket release with another action than buy needs an https actionUrl.',
    path: ['actionUrl'],
  });

export const releasesBody = z.object({
  releases: z
    .array(release)
    .max(releasesPerEventMax)
    .superRefine((releases, context) => {
      const named = releases.map((each) => each.id ?? null);
      for (const [index, each] of named.entries()) {
        if (each === null || named.indexOf(each) === index) continue;
        context.addIssue({
          code: 'custom',
          path: [index, 'id'],
          message: 'This id is named twice. Name each ticket release once.',
        });
      }
    }),
});
