/** The list of ticket releases (specification, Ticket release). What depends on the event's chart is its actor's to refuse. */
import { priceMax, releaseActionUrlLengthMax, releasesPerEventMax } from '@parterre/shared/limits';
import { z } from 'zod';
import { epochMs, id, name, optional } from '../records/body-parts.ts';

const price = z.int().min(0).max(priceMax);

/** Null is the same as nothing said; what a list that was read says beside these is ignored. */
const release = z
  .object({
    id: optional(id.nullable()),
    name,
    price,
    previousPrice: optional(price.nullable()),
    quota: optional(z.int().min(1).nullable()),
    startsAt: optional(epochMs.nullable()),
    endsAt: optional(epochMs.nullable()),
    categoryKey: optional(id.nullable()),
    action: z.enum(['buy', 'apply', 'invoice']).default('buy'),
    actionUrl: optional(
      z
        .url({ protocol: /^https$/, error: 'An https address.' })
        .max(releaseActionUrlLengthMax)
        .nullable(),
    ),
  })
  .refine(({ action, actionUrl }) => action === 'buy' || actionUrl != null, {
    message: 'A release that is not for buying leads to an https address.',
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
        context.addIssue({ code: 'custom', path: [index, 'id'], message: 'Named twice.' });
      }
    }),
});
