/** The words of line items at the front door: from a table of the event's plan, and without it. */
import { compilePlan } from '@parterre/shared/charts/compile';
import type { Plan } from '@parterre/shared/charts/plan';
import type { LineItem } from '@parterre/shared/protocol/answers';
import { type ItemWords, lineItemsOf } from '@parterre/shared/protocol/line-items';
import { SECOND_MS } from '@parterre/shared/runtime/units';
import { expect, test } from 'vitest';
import { createEventWords } from '../../../services/frontdoor/src/caches/event-words.ts';
import { booth, chart, gaArea, rectangle, row, section, table } from '../../support/charts.ts';
import { ManualClock } from '../../support/manual-clock.ts';

const stalls = section({ id: 's', label: '103', displayLabel: 'Left', outline: rectangle(-500, -500, 2_000, 2_000) });
const overrides = [
  { index: 1, skip: true },
  { index: 2, displayLabel: '3a' },
];
const document = chart([
  stalls,
  row({ label: '103-A', seatCount: 4, overrides, ...{ entrance: 'Gate 3' } }),
  table({ id: 'whole', label: 'Table 1', bookAsWhole: true }),
  booth({ label: 'Booth 1' }),
  gaArea({ id: 'pit', label: 'Pit' }),
]);
const plan = compilePlan(document, 'plan-1');
const event = { planHash: 'plan-1', locale: null };

/** Items as an actor tells them. */
function itemsOn(labels: readonly string[], on = plan): (LineItem & Partial<ItemWords>)[] {
  const lines = labels.map((label) => ({ unit: on.labels.unitOf(label)!, price: 10 }));
  return lineItemsOf(on, lines, { currency: 'EUR', accessSource: 'public' });
}

function doorWith(plans: (hash: string) => Promise<Plan>) {
  const clock = new ManualClock();
  const faults: unknown[] = [];
  const words = createEventWords({ plans, clock, onFault: (fault) => faults.push(fault) });
  const said = (items: readonly LineItem[], locale: string | null = null) =>
    new Promise<void>((resolve) => words.add({ ...event, locale }, items, resolve));
  return { clock, faults, words, said };
}

test('items have the words of their places, as the chart has them', async () => {
  const { words, said } = doorWith(async () => plan);
  const items = itemsOn(['103-A-1', '103-A-3', 'Table 1', 'Booth 1', '__sl_ga__pit__2']);
  await said(items);
  const none = { floor: null, section: 'Left', row: null, seat: null, area: null, table: null, entrance: null };
  expect(items.map(({ place }) => place)).toEqual([
    { ...none, row: 'A', seat: '1', entrance: 'Gate 3', name: 'Row A, seat 1' },
    { ...none, row: 'A', seat: '3a', entrance: 'Gate 3', name: 'Row A, seat 3a' },
    { ...none, table: 'Table 1', name: 'Table 1' },
    { ...none, name: 'Booth 1' },
    { ...none, area: 'Pit', name: 'Pit' },
  ]);
  expect(items[0]).toMatchObject({ categoryLabel: document.categories[0]!.label, tierName: null });
  // The table is here now: the next answer waits for nothing.
  const [next] = itemsOn(['103-A-1']);
  let isTold = false;
  words.add({ ...event, locale: 'fr' }, [next!], () => {
    isTold = true;
  });
  expect([isTold, next!.place!.name]).toEqual([true, 'Rang A, place 1']);
});

test('the text of items is the JSON of their words and money, however their row was sold before', async () => {
  const marks = [...['B"2', 'B\\2', 'B\n2', 'B\ud8002', 'صف', '😀']].map((label) =>
    row({ label, seatCount: 2, overrides: [{ index: 1, displayLabel: label }] }),
  );
  const wide = compilePlan(chart([...document.objects, ...marks]), 'plan-1');
  const { words, said } = doorWith(async () => wide);
  const labels = ['103-A-1', '103-A-3', 'Table 1', 'Booth 1', '__sl_ga__pit__2'];
  for (const { label } of marks) labels.push(`${label}-1`, `${label}-2`);
  const ways: Partial<LineItem>[] = [
    {},
    { unitPrice: 12 },
    { categoryKey: 'gone' },
    { tierId: 'child' },
    { releaseId: 'rel_1' },
    { channelId: 'chn_1', accessSource: 'link' as never },
    { currency: 'JPY' },
    { fees: [{ name: 'Fee', amount: 2 }] },
    { fees: [{ name: 'Fee', amount: 2 }], allIn: true },
  ];
  for (const locale of ['en', 'ar']) {
    for (const way of ways.flatMap((each) => [{}, each])) {
      const items = itemsOn(labels, wide);
      items.push({ ...items[0]!, label: 'Nowhere-1', objectId: 'nowhere:0' });
      for (const item of items) Object.assign(item, way);
      const json = await new Promise<string>((resolve) => words.spell({ ...event, locale }, items, resolve));
      await said(items, locale);
      expect(JSON.parse(json)).toEqual(items);
    }
  }
});

test('a place that the plan lacks has its label as its name', async () => {
  const { said } = doorWith(async () => compilePlan(chart([row({ id: 'other' })]), 'plan-1'));
  const items = itemsOn(['103-A-1']);
  await said(items);
  expect(items[0]!.place).toMatchObject({ row: null, name: '103-A-1' });
  expect(items[0]).toMatchObject({ tierName: null });
});

test('answers wait a second for a late plan, and the next answers have its words', async () => {
  let give: (plan: Plan) => void = () => {};
  const { clock, said } = doorWith(
    () =>
      new Promise((resolve) => {
        give = resolve;
      }),
  );
  const early = itemsOn(['103-A-1']);
  const told = said(early);
  clock.advance(SECOND_MS);
  await told;
  expect(early[0]!.place!.name).toBe('103-A-1');
  give(plan);
  await new Promise(setImmediate);
  const later = itemsOn(['103-A-1']);
  await said(later);
  expect(later[0]!.place!.name).toBe('Row A, seat 1');
});

test('a plan that cannot be had is asked for once in some seconds, and no answer fails', async () => {
  let asked = 0;
  const { clock, faults, said } = doorWith(async () => {
    asked++;
    throw new Error('the catalog is away');
  });
  const items = itemsOn(['103-A-1']);
  await said(items);
  await said(items);
  expect(items[0]!.place!.name).toBe('103-A-1');
  expect([asked, faults.length]).toEqual([1, 1]);
  clock.advance(5 * SECOND_MS);
  await said(items);
  expect(asked).toBe(2);
});
