/** The report with one line for each unit: the form of its cells, and the facts in its lines. */

import type { UnitColumns } from '@parterre/shared/protocol/answers';
import { itemTermsOf } from '@parterre/shared/protocol/line-items';
import { encode } from '@parterre/shared/protocol/wire';
import { describe, expect, test } from 'vitest';
import { reportFileHead, reportLines } from '../../../../services/frontdoor/src/api/rules/report-file.ts';
import { unitColumns } from '../../../../services/inventory-shard/src/rules/reads/unit-columns.ts';
import { unitColumnsBytesMax } from '../../../../services/inventory-shard/src/rules/state/bounds.ts';
import { newState } from '../../../../services/inventory-shard/src/rules/state/state.ts';
import { apply } from '../../../../services/inventory-shard/src/rules/turn/apply.ts';
import { textCell } from '../../../../shared/src/charts/exports/csv-cell.ts';
import { readCsv } from '../../../support/csv.ts';
import { book, callId, eventConfig, hold, house, START, smallPlan } from '../../../support/inventory/house.ts';

function linesOf(event: ReturnType<typeof house>, atOnce = 1_000): Record<string, string>[] {
  const next = reportLines(
    event.state.plan,
    event.ok({ type: 'unit-columns', from: 0 }),
    itemTermsOf({ locale: 'de' }),
    String,
  );
  let text = reportFileHead;
  for (let some = next(atOnce); some !== ''; some = next(atOnce)) text += some;
  return readCsv(text);
}

describe('a cell', () => {
  test.each([
    ['a plain text', 'A-1', 'A-1'],
    ['a comma', 'Box 3, left', '"Box 3, left"'],
    ['a quote', 'the "royal" box', '"the ""royal"" box"'],
    ['a line break', 'a\nb', '"a\nb"'],
    ['a formula', '=HYPERLINK("http://x")', '"\'=HYPERLINK(""http://x"")"'],
    ['a sum', '+1', "'+1"],
    ['a difference', '-1', "'-1"],
    ['a function', '@SUM(A1)', "'@SUM(A1)"],
    ['a tab before a formula', '\t=1', "'\t=1"],
    ['a formula in wide letters', '＝1', "'＝1"],
    ['a sign further on', 'A-1+2', 'A-1+2'],
    ['nothing', '', ''],
  ])('with %s is safe to open and read back', (_, text, written) => {
    expect(textCell(text)).toBe(written);
  });
});

describe('lines', () => {
  test("give every unit's object, holder and price", () => {
    const event = house();
    event.ok({ ...hold('h1'), selections: [{ label: 'C-1', tierId: 'child' }, { label: 'T1' }] });
    event.ok(book('h1', 'order "1", paid'));
    event.ok({ ...hold('h2'), selections: [{ label: 'Standing', quantity: 2 }, { label: 'A-2' }] });
    event.ok(book('h2', '=order', ['A-2']));
    event.ok({ type: 'block', callId: callId(), labels: ['B-1'], releaseAt: null, reason: null });
    const lines = linesOf(event);
    expect(lines.map(({ label }) => label)).toEqual(
      Array.from({ length: smallPlan.unitCount }, (_, unit) => smallPlan.labels.at(unit)),
    );
    const byLabel = new Map(lines.map((line) => [line.label, line]));
    const noWords = {
      ...{ floor: '', section: '', row: '', seat: '', area: '', table: '', entrance: '' },
      ...{ tierName: '', priceUnit: 'major' },
    };
    const nobody = {
      ...{ tierId: '', unitPrice: '', quantity: '', configuredValue: '', currency: '', bookingRef: '' },
      ...{ fees: '', total: '' },
    };
    expect(byLabel.get('A-1')).toEqual({
      label: 'A-1',
      objectId: 'row-A:0',
      objectType: 'seat',
      sectionId: '',
      sectionLabel: '',
      zoneId: '',
      categoryKey: 'stalls',
      accessibility: '',
      status: 'free',
      ...nobody,
      holdId: '',
      channelId: '',
      releaseId: '',
      ...noWords,
      row: 'A',
      seat: '1',
      place: 'Reihe A, Platz 1',
      categoryLabel: 'Stalls',
    });
    expect(byLabel.get('A-2')).toMatchObject({ status: 'booked', bookingRef: "'=order", holdId: '', unitPrice: '40' });
    expect(byLabel.get('B-1')).toMatchObject({ status: 'blocked', ...nobody });
    expect(byLabel.get('H-1')).toMatchObject({ status: 'not_for_sale', ...nobody });
    expect(byLabel.get('C-1')).toMatchObject({
      status: 'booked',
      tierId: 'child',
      unitPrice: '15',
      quantity: '1',
      configuredValue: '15',
      currency: 'EUR',
      bookingRef: 'order "1", paid',
      tierName: 'Child',
    });
    expect(byLabel.get('T1')).toMatchObject({ table: 'T1', seat: '', place: 'T1' });
    expect(byLabel.get('__sl_ga__ga__2')).toMatchObject({ area: 'Standing', place: 'Standing' });
    expect(byLabel.get('T1')).toMatchObject({
      objectType: 'table',
      quantity: '4',
      configuredValue: '160',
      fees: '0',
      total: '160',
    });
    expect(byLabel.get('__sl_ga__ga__2')).toMatchObject({ objectType: 'ga', status: 'held', holdId: 'h2' });
  });

  test('are the same however many are written at once', () => {
    const event = house();
    event.ok(hold('h1', 'A-2', 'B-3', 'C-8'));
    event.ok(book('h1', 'order', ['B-3']));
    expect(linesOf(event, 1)).toEqual(linesOf(event));
    expect(linesOf(event, 7)).toEqual(linesOf(event));
  });

  test('give accessibility, sections and zones as in the chart', () => {
    const plan = { ...smallPlan, accessibilityOfUnit: smallPlan.accessibilityOfUnit.map(() => 0b11) };
    const lines = readCsv(
      reportFileHead +
        reportLines(
          plan,
          unitColumns(newState(eventConfig(), smallPlan), 0),
          itemTermsOf({ locale: null }),
          String,
        )(1_000),
    );
    expect(new Set(lines.map(({ accessibility }) => accessibility))).toEqual(new Set(['wheelchair companion']));
  });
});

test('units that do not fit in one answer come in several, which make the whole report', () => {
  const { state } = house();
  const by = { source: 'server', actor: null } as const;
  const refs = Array.from({ length: 8 }, (_, nth) => `${nth}`.repeat(unitColumnsBytesMax / 2));
  for (const [nth, bookingRef] of refs.entries()) {
    const lines = [{ unit: nth * 2, price: 10 }];
    const accessSource = 'public' as const;
    apply(state, { type: 'booked', bookingRef, callId: callId(), holdId: null, accessSource, lines, by }, START);
  }
  const pieces: UnitColumns[] = [];
  for (let from = 0; from < smallPlan.unitCount; from += pieces.at(-1)!.statuses.length) {
    pieces.push(unitColumns(state, from));
    expect(encode(pieces.at(-1)).length).toBeLessThan(2 * unitColumnsBytesMax);
  }
  expect(pieces.length).toBeGreaterThan(3);
  const refsTold = pieces.flatMap(({ ownerOf, owners }) => ownerOf.map((owner) => owners[owner]));
  expect(refsTold.filter((ref) => ref !== undefined)).toEqual(refs);
  expect(pieces.flatMap(({ statuses }) => [...statuses])).toEqual([...state.statuses]);
});
