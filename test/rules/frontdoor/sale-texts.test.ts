/** The answers of sales are texts: each is the JSON of the object that the route describes. */
import { compilePlan } from '@parterre/shared/charts/compile';
import type { Answers } from '@parterre/shared/protocol/answers';
import { done, type Outcome } from '@parterre/shared/protocol/errors';
import { addWordsOf, itemTermsOf, lineItemsOf } from '@parterre/shared/protocol/line-items';
import fc from 'fast-check';
import { expect, test } from 'vitest';
import { Prepared } from '../../../services/frontdoor/src/answers/answers.ts';
import { routes } from '../../../services/frontdoor/src/api/api.ts';
import { createEventWords } from '../../../services/frontdoor/src/caches/caches.ts';
import { booth, chart, gaArea, row, table } from '../../support/charts.ts';
import { ManualClock } from '../../support/manual-clock.ts';

const odd = ['A', '103-A', 'B"2', 'B\\2', 'B\n2', 'B\ud8002', 'صف', '😀'];
const plan = compilePlan(
  chart([
    ...odd.map((label) =>
      row({ id: `row ${label}`, label, seatCount: 3, overrides: [{ index: 1, displayLabel: label }] }),
    ),
    table({ id: 'whole', label: 'Table 1', bookAsWhole: true }),
    booth({ label: 'Booth 1' }),
    gaArea({ id: 'pit', label: 'Pit' }),
  ]),
  'plan-1',
);

const text = fc.oneof(fc.constantFrom('order-1', 'hld_1', ...odd), fc.string({ unit: 'binary', minLength: 1 }));
const line = fc.record(
  {
    unit: fc.nat(plan.labels.all().length - 1),
    price: fc.integer({ min: 0, max: 100_000 }),
    tierId: text,
    channelId: text,
    releaseId: text,
    accessSource: fc.constantFrom('public' as const, 'promoter' as const),
  },
  { requiredKeys: ['unit', 'price'] },
);
const terms = fc.record({
  locale: fc.constantFrom(null, 'en', 'de', 'ar'),
  priceUnit: fc.constantFrom('major' as const, 'minor' as const),
  currency: fc.constantFrom('EUR', 'JPY'),
});
type Terms = { locale: string | null; priceUnit: 'major' | 'minor'; currency: string };

const words = createEventWords({
  plans: async () => plan,
  clock: new ManualClock(),
  onFault: (error) => {
    throw error;
  },
});

const itemsOf = (lines: Parameters<typeof lineItemsOf>[1], { currency }: Terms) =>
  lineItemsOf(plan, lines, { currency, accessSource: 'public' });
const wordedOf = (lines: Parameters<typeof lineItemsOf>[1], of: Terms) =>
  itemsOf(lines, of).map((item) => addWordsOf(plan, item, itemTermsOf(of)));

/** The text that the route answers when the event's actor gives `value`. */
async function textOf(action: 'hold' | 'book', body: object, of: Terms, value: unknown): Promise<string> {
  const route = routes.find(({ signature }) => signature === `POST /v1/events/{key}/${action}`)!;
  const ports = {
    words,
    onFault(error: unknown) {
      throw error;
    },
    shards: {
      refusalOf: () => null,
      send: (_event: never, _caller: never, _command: never, _at: never, answered: (told: Outcome<unknown>) => void) =>
        answered(done(value)),
    },
  };
  const event = { event: { key: 'gala', organisationId: 'org_1', mode: 'test', planHash: 'plan-1', ...of } };
  const principal = { kind: 'secret', keyId: 'key_1' };
  const request = { idempotencyKey: '', deadlineAt: 1, requestId: 'r' };
  const coming = route.handle({ ports, event, principal, request, body } as never);
  const told = await new Promise<Outcome<unknown>>((resolve) =>
    (coming as { hear(listener: typeof resolve): void }).hear(resolve),
  );
  expect(told.ok && told.value).toBeInstanceOf(Prepared);
  return String(((told as { value: unknown }).value as Prepared).body);
}

function expectJson(json: string, value: object): void {
  expect(JSON.parse(json)).toEqual(value);
  // No escape, blank or field more than the library writes.
  expect(json).toBe(JSON.stringify(JSON.parse(json)));
}

test('the text of a hold is the JSON of its object', async () => {
  const lines = fc.array(line, { minLength: 1, maxLength: 5 });
  await fc.assert(
    fc.asyncProperty(lines, terms, text, fc.array(text), fc.integer(), async (sold, of, holdId, labels, expiresAt) => {
      const value: Answers['hold'] = { holdId, expiresAt, items: itemsOf(sold, of), labels, currency: of.currency };
      const json = await textOf('hold', { labels: ['A-1'] }, of, value);
      const { currency, priceUnit } = of;
      expectJson(json, { ok: true, holdId, expiresAt, items: wordedOf(sold, of), labels, currency, priceUnit });
    }),
  );
});

test('the text of a booking is the JSON of its object', async () => {
  const lines = fc.array(line, { maxLength: 5 });
  const holdId = fc.option(text);
  await fc.assert(
    fc.asyncProperty(lines, terms, text, holdId, fc.array(text), async (sold, of, bookingRef, holdId, booked) => {
      const body = { bookingRef, ...(holdId === null ? { labels: ['A-1'] } : { holdId }) };
      const items = wordedOf(sold, of);
      const json = await textOf('book', body, of, { booked, items: itemsOf(sold, of) } satisfies Answers['book']);
      const labels = items.length === 0 ? booked : items.flatMap((item) => item.labels ?? [item.label]);
      expectJson(json, { ok: true, booked, labels, items, bookingRef, holdId });
    }),
  );
});
