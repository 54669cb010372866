/** The sums of reports, the days of a zone, and the door list with its saved page. */
import { describe, expect, test } from 'vitest';
import { columnsIn, doorFound, doorRows, sortText } from '../../../web/console/door/door-list.ts';
import { savedList } from '../../../web/console/door/saved-list.ts';
import { csvOf } from '../../../web/console/frame/files.ts';
import { dayAfter, dayOf, startOfDay } from '../../../web/console/frame/zoned-time.ts';
import { columnsOf, type ReportAnswer, rowsNow, rowsOfSpan, sumOf } from '../../../web/console/reports/rows.ts';
import { type SoldObject, soldBy, soldOverTime, totalOf } from '../../../web/console/reports/sold.ts';

const vienna = 'Europe/Vienna';

describe('the days of a zone', () => {
  test('begin at its midnight, in summer and winter', () => {
    expect(startOfDay('2026-07-01', vienna)).toBe(Date.parse('2026-06-30T22:00Z'));
    expect(startOfDay('2026-12-01', vienna)).toBe(Date.parse('2026-11-30T23:00Z'));
    expect(startOfDay('2026-03-29', vienna)).toBe(Date.parse('2026-03-28T23:00Z'));
    expect(startOfDay('2026-01-01', 'Pacific/Kiritimati')).toBe(Date.parse('2025-12-31T10:00Z'));
    expect(startOfDay('2026-01-01', 'Asia/Kathmandu')).toBe(Date.parse('2025-12-31T18:15Z'));
    expect(dayOf(Date.parse('2026-06-30T22:30Z'), vienna)).toBe('2026-07-01');
    expect(dayAfter('2026-12-31')).toBe('2027-01-01');
  });

  test('have no beginning where the text is no day', () => {
    for (const text of ['', '2026-13-01', 'today']) expect(startOfDay(text, vienna)).toBeNull();
  });
});

const object = (more: Partial<SoldObject>): SoldObject => ({
  categoryKey: 'premium',
  categoryLabel: 'Premium',
  channelId: null,
  releaseId: null,
  sectionId: 'stalls',
  sectionLabel: 'Stalls',
  objectType: 'seat',
  configuredValue: 60,
  total: 63,
  bookedAt: 1_000,
  cancelledAt: null,
  ...more,
});

describe('what was sold', () => {
  const hour = 3_600_000;
  const objects = [
    object({}),
    object({ bookedAt: 2 * hour, cancelledAt: 3 * hour }),
    object({ categoryKey: 'standing', objectType: 'ga', quantity: 5, configuredValue: 75, total: 75, bookedAt: hour }),
    object({ objectType: 'table', quantity: 6, configuredValue: 360, total: 378, channelId: 'chn_1', bookedAt: hour }),
  ];
  const always = { from: null, to: null };

  test('counts places, and money of the places that are not cancelled', () => {
    const rows = soldBy(objects, always, 'category');
    expect(rows).toEqual([
      { id: 'standing', booked: 5, cancelled: 0, value: 75, fees: 0 },
      { id: 'premium', booked: 3, cancelled: 1, value: 420, fees: 21 },
    ]);
    expect(totalOf(rows)).toEqual({ booked: 8, cancelled: 1, value: 495, fees: 21 });
    expect(soldBy(objects, always, 'channel').map(({ id, booked }) => [id, booked])).toEqual([
      [null, 7],
      ['chn_1', 1],
    ]);
  });

  test('belongs to a span that ends before its end', () => {
    expect(soldBy(objects, { from: hour, to: 2 * hour }, 'section')).toMatchObject([{ booked: 6, cancelled: 0 }]);
  });

  test('tells no money where a caller may not see it', () => {
    const rows = soldBy([object({ configuredValue: null, total: null })], always, 'category');
    expect(rows).toMatchObject([{ value: null, fees: null }]);
  });

  test('is summed by hour, and by day of the zone behind three days', () => {
    expect(soldOverTime(objects, always, vienna)).toEqual({
      unit: 'hour',
      times: [
        { at: 0, booked: 1, value: 60 },
        { at: hour, booked: 6, value: 435 },
      ],
    });
    const later = object({ bookedAt: 100 * hour });
    expect(soldOverTime([...objects, later], always, vienna)).toMatchObject({
      unit: 'day',
      times: [{ booked: 7 }, { booked: 1 }],
    });
    expect(soldOverTime([], always, vienna).times).toEqual([]);
  });
});

describe('the rows of a report', () => {
  const shares = { total: 10, free: 4, held: 1, booked: 3, not_for_sale: 2 };
  const answer: ReportAnswer = {
    report: {
      byStatus: shares,
      byCategory: [{ category: 'premium', ...shares, bookedValue: 180 }],
      bySection: [{ sectionId: '__ungrouped__', sectionLabel: 'Ungrouped', ...shares, bookedValue: 180 }],
      byChannel: [{ channelId: null, name: 'Public sale', held: 1, booked: 3, bookedValue: 180 }],
      byRelease: [],
      byAccessibility: [{ type: 'wheelchair', label: 'Wheelchair', ...shares }],
      byFee: [],
      bookedTotal: 180,
      exchanges: { fees: 0, waivedDifferences: 0 },
    },
    categories: [{ key: 'premium', label: 'Premium seats' }],
    currency: 'EUR',
    priceUnit: 'major',
  };
  const words = { public: 'Open', none: 'None' };

  test('have the names of categories, and words for what has no name', () => {
    expect(rowsNow(answer, 'category', words)).toMatchObject([{ name: 'Premium seats', blocked: 2, value: 180 }]);
    expect(rowsNow(answer, 'section', words)).toMatchObject([{ name: 'None' }]);
    expect(rowsNow(answer, 'channel', words)).toMatchObject([{ name: 'Open', total: null }]);
    expect(columnsOf(rowsNow(answer, 'channel', words))).toEqual(['held', 'booked', 'value']);
    expect(rowsNow(answer, 'release', words)).toEqual([]);
  });

  test('of a span name a channel that is gone by its id, and have sums', () => {
    const sold = [
      { id: 'chn_gone', booked: 2, cancelled: 1, value: 60, fees: 0 },
      { id: null, booked: 1, cancelled: 0, value: 60, fees: 3 },
    ];
    const rows = rowsOfSpan(sold, answer, 'channel', words);
    expect(rows.map(({ name }) => name)).toEqual(['chn_gone', 'Open']);
    expect(sumOf(rows)).toMatchObject({ booked: 3, cancelled: 1, value: 120, fees: 3, total: null });
  });
});

test('a table as a file has numbers as numbers, and no formula', () => {
  expect(
    csvOf([
      ['Name', 'Sold'],
      ['=1+1', 5],
      ['a "b", c', null],
    ]),
  ).toBe('\ufeffName,Sold\r\n\'=1+1,5\r\n"a ""b"", c",\r\n');
});

describe('the door list', () => {
  const csv = [
    'label,status,bookingRef,place,section,entrance,categoryLabel,tierName,quantity,floor',
    'A-10,booked,order-2,"Row A, seat 10",Stalls,,Standard,Adult,1,',
    'A-2,booked,order-2,"Row A, seat 2",Stalls,,Standard,Adult,1,',
    "T,booked,'=order,Table 1,,,Premium,,6,Balcony",
    'A-3,held,order-3,"Row A, seat 3",Stalls,,Standard,Adult,1,',
    '',
  ].join('\r\n');
  const rows = doorRows(csv);

  test('has the booked places in the order of references and places', () => {
    expect(rows.map(({ ref, place }) => [ref, place])).toEqual([
      ['=order', 'Table 1'],
      ['order-2', 'Row A, seat 2'],
      ['order-2', 'Row A, seat 10'],
    ]);
    expect(rows[0]).toMatchObject({ section: 'Balcony', guests: 6, category: 'Premium' });
    expect(columnsIn(rows)).not.toContain('entrance');
    expect(sortText('A-10') > sortText('A-2')).toBe(true);
  });

  test('finds rows that have every word', () => {
    expect(doorFound(rows, 'ORDER-2 seat 10')).toHaveLength(1);
    expect(doorFound(rows, ' ')).toBe(rows);
    expect(doorFound(rows, 'nobody')).toEqual([]);
  });

  test('is saved as one page that names no address, and runs nothing from a reference', () => {
    const evil = { ...rows[0]!, ref: '<script>alert(1)</script>', label: '"><b>' };
    const columns = { in: 'In', ref: 'R', place: 'P', section: 'S', entrance: 'E', category: 'C', guests: 'G' };
    const words = {
      locale: 'en',
      direction: 'ltr',
      title: '</script><b>',
      from: 'from',
      search: 's',
      shown: '',
      print: 'p',
      columns,
    } as const;
    const page = savedList([evil], words);
    expect(page).not.toMatch(/https?:|src=|href=/);
    expect(page.match(/<script>/g)).toHaveLength(1);
    expect(page.match(/<\/script>/g)).toHaveLength(1);
    expect(page).toContain('&lt;script&gt;alert(1)');
  });
});
