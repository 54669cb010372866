/**
 * The messages of issues in plain English. Each route's schema gets values that are wrong in every way that its JSON
 * Schema names, and each message must be a sentence that says what to send.
 */
import '@parterre/shared/protocol/plain-issues';
import { describe, expect, it } from 'vitest';
import { z } from 'zod';
import { readBody } from '../../../services/frontdoor/src/admission/reading.ts';
import { routes } from '../../../services/frontdoor/src/api/api.ts';
import { eventChangesBody } from '../../../services/frontdoor/src/api/events.ts';
import { checkStructure } from '../../../shared/src/charts/document.ts';
import { wrongBodies } from '../../support/wrong-bodies.ts';

/** Words of the schema library, of the runtime and of records. */
const FOREIGN = /\b(invalid (input|option|string|key)|expected|received|too (big|small)|unrecognized|undefined|NaN)\b/i;
const SENTENCE = /^\p{Lu}.{8,}[.]$/su;

function expectPlain(messages: readonly string[]): void {
  for (const message of messages) {
    expect(message).toMatch(SENTENCE);
    expect(message).not.toMatch(FOREIGN);
  }
}

const withBody = routes.filter(({ schema }) => schema !== null);

describe('an issue says what to send', () => {
  it.each(withBody.map((route) => [`${route.method} ${route.path}`, route] as const))('%s', (_, { schema }) => {
    const found = wrongBodies(schema!).flatMap((body) => schema!.safeParse(body).error?.issues ?? []);
    expectPlain(found.map(({ message }) => message));
  });

  it('covers the bodies of all routes with hundreds of messages', () => {
    const messages = withBody.flatMap(({ schema }) =>
      wrongBodies(schema!).flatMap((body) => schema!.safeParse(body).error?.issues ?? []),
    );
    expect(withBody.length).toBeGreaterThan(40);
    expect(messages.length).toBeGreaterThan(500);
  });

  it('in a chart document too', () => {
    const objects = ['row', 'table', 'booth', 'gaArea', 'section', 'cloud', undefined].map((type) => ({ type }));
    const issues = [undefined, null, [], {}, { objects, categories: [{}, 1], venueType: 'BIG' }].flatMap(
      checkStructure,
    );
    expectPlain(issues.map(({ message }) => message));
    expect(issues.map(({ message }) => message)).toContain(
      'Must be one of row, table, booth, gaArea, section, shape, text, decorImage.',
    );
  });
});

it.each([
  [z.string(), 5, 'Must be a text.'],
  [z.string(), undefined, 'This field is missing. It must be a text.'],
  [z.int(), 1.5, 'Must be a whole number.'],
  [z.int(), 2 ** 60, `Must be at most ${Number.MAX_SAFE_INTEGER}.`],
  [z.boolean(), 'yes', 'Must be true or false.'],
  [z.array(z.string()).min(1), [], 'Must be a list of at least 1 entry.'],
  [z.string().max(3), 'long', 'Must be a text of at most 3 characters.'],
  [z.enum(['a', 'b']), 'c', 'Must be one of a, b.'],
  [z.literal(true), false, 'Must be true.'],
  [z.union([z.string(), z.null()]), 1, 'Must be a text or null.'],
  [z.strictObject({ a: z.int() }), { a: 1, b: 2 }, 'Must be without the unknown field "b".'],
  [z.discriminatedUnion('mode', [z.object({ mode: z.literal('x') })]), {}, 'This field is missing. It must be x.'],
])('%#: says what a value must be', (schema: z.ZodType, value, message) => {
  expect(schema.safeParse(value).error?.issues.map((issue) => issue.message)).toEqual([message]);
});

it.each([
  [
    'PATCH /v1/seasons/{key}',
    'The body is empty. Send a JSON object with expectedRevision, and Content-Type: application/json.',
  ],
  ['POST /v1/events/{key}/hold', 'The body is empty. Send a JSON object, and Content-Type: application/json.'],
])('An empty body of %s is told so, with the fields that it needs', (signature, message) => {
  const route = routes.find((each) => each.signature === signature)!;
  const empty = { idempotencyKey: '', contentType: '', body: Buffer.alloc(0) };
  expect(readBody(route, empty)).toMatchObject({ refusal: { code: 'invalid_json', message } });
});

it('A date in words is told the form of a time', () => {
  const { error } = eventChangesBody.safeParse({ startsAt: '2026-12-01' });
  expect(error?.issues[0]?.message).toBe('Must be epoch milliseconds, such as 1798761600000 for 2027-01-01T00:00:00Z.');
});
