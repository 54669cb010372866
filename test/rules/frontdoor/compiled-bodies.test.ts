/** The compiled checks of the bodies of openings and sales, beside the usual checks of the same schemas. */
import fc from 'fast-check';
import { expect, test } from 'vitest';
import type { z } from 'zod';
import { bootstrapBody, buyerHoldBody, buyerReleaseBody } from '../../../services/frontdoor/src/api/buyers.ts';
import { bookBody, extendBody, holdBody, releaseBody } from '../../../services/frontdoor/src/api/inventory.ts';

const bodies: [string, z.ZodType][] = Object.entries({
  holdBody,
  bookBody,
  extendBody,
  releaseBody,
  buyerHoldBody,
  buyerReleaseBody,
  bootstrapBody,
});

const text = fc.oneof(fc.constantFrom('A-1', 'A-1', ' A-1 ', '', '__proto__'), fc.string({ maxLength: 6 }));
const odd = fc.constantFrom(null, undefined, 0, -1, 1.5, true, {}, []);
const selection = fc.record(
  { label: fc.oneof(text, odd), tierId: fc.oneof(text, odd), quantity: fc.oneof(fc.integer(), odd), more: odd },
  { requiredKeys: [] },
);
const field = {
  holdId: fc.oneof(text, odd),
  bookingRef: fc.oneof(text, odd),
  labels: fc.oneof(fc.array(fc.oneof({ weight: 9, arbitrary: text }, odd), { maxLength: 3 }), odd),
  selections: fc.oneof(fc.array(selection, { maxLength: 3 }), odd),
  ttlMs: fc.oneof(fc.integer({ min: -1, max: 5 }), odd),
  replaceHoldId: fc.oneof(text, odd),
  channelIds: fc.oneof(fc.array(text, { maxLength: 2 }), odd),
  ignoreChannelRestrictions: fc.oneof(fc.boolean(), odd),
  reason: fc.oneof(text, odd),
  referral: fc.oneof(text, odd),
  publicKey: fc.oneof(text, fc.string({ minLength: 199, maxLength: 201 }), odd),
  more: odd,
};
const someFields = fc.constantFrom<(keyof typeof field)[]>(
  ['labels'],
  ['holdId'],
  ['holdId', 'bookingRef'],
  ['labels', 'bookingRef'],
  ['publicKey'],
);
const body = someFields.chain((requiredKeys) => fc.record(field, { requiredKeys }));

test.each(bodies)('%s is compiled', (_, schema) => {
  // The library hands a schema back as it is where it cannot compile it.
  expect((schema._zod.bag as { validator?: unknown }).validator).toBeTypeOf('function');
});

test.each(bodies)('%s takes and refuses the same bodies as before its compilation', async (_, schema) => {
  // The library never parses with compiled checks where a parse may wait.
  await fc.assert(
    fc.asyncProperty(fc.oneof(body, odd), async (sent) => {
      const compiled = schema.safeParse(sent);
      const usual = await schema.safeParseAsync(sent);
      expect(compiled.data).toStrictEqual(usual.data);
      expect(compiled.error?.issues).toStrictEqual(usual.error?.issues);
    }),
    { numRuns: 500 },
  );
});
