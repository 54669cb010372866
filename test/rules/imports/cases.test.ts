/** Small files as people send them: damaged by spreadsheets, in the code pages of their countries, named by number. */
import { readFileSync } from 'node:fs';
import { importChart } from '@parterre/shared/charts/imports/imports';
import { isSeller, partsOf, placesOf } from '@parterre/shared/charts/places';
import { expect, test } from 'vitest';
import { codesOf, faultOf, placesIn } from '../../support/imports/imported.ts';

const bytesOf = (file: string) => readFileSync(new URL(`../../support/imports/cases/${file}`, import.meta.url));

function read(file: string) {
  const outcome = importChart(bytesOf(file), { format: null, name: null });
  if (outcome.kind === 'failed') throw new Error(`${file}: ${outcome.fault.message}`);
  return { ...outcome, places: placesIn(outcome.document) };
}

type Wanted = {
  /** The first labels, in the order of the chart. */
  labels: string[];
  seats: number;
  sections?: string[];
  encoding?: string;
  told?: string[];
  untold?: string[];
};

const guessed = (encoding: string) => ({ encoding, told: ['encoding_guessed'] });
const byNumber = { seats: 24, untold: ['scaled'] };
const drawnRows = { seats: 18, told: ['order_of_ids'] };

const cases: [file: string, wanted: Wanted][] = [
  ['airline.csv', { labels: ['1-A', '1-B'], seats: 12 }],
  [
    'boxes-beside-equal-rows.csv',
    { labels: ['Stalls-A-1', 'Stalls-A-2', 'Circle-A-1', 'Circle-A-2', 'Loge 1-1'], seats: 7 },
  ],
  ['boxes-by-ids.svg', { labels: ['Loge 1-1', 'Loge 1-2'], seats: 3, sections: ['Loge 1'], told: ['no_label'] }],
  ['boxes-only.csv', { labels: ['Loge 1-1', 'Loge 1-2', 'Loge 2-1'], seats: 3 }],
  ['boxes-without-rows.csv', { labels: ['Loge 1-1', 'Loge 1-2', 'Loge 2-1', 'Loge 2-2', 'A-1'], seats: 6 }],
  [
    'boxes-without-rows.svg',
    { labels: ['Loge 1-1', 'Loge 1-2', 'Loge 1-3', 'Loge 2-1'], seats: 6, told: ['no_label'] },
  ],
  ['czech-utf8.csv', { labels: ['Přízemí-1-1'], seats: 4, encoding: 'utf-8', untold: ['encoding_guessed'] }],
  [
    'czech-windows-1250.csv',
    {
      labels: ['Přízemí-1-1', 'Přízemí-1-2', 'Lóže č. 3-1-1', 'Galerie – šikmá-1-1'],
      seats: 4,
      ...guessed('windows-1250'),
    },
  ],
  ['excel-dates.csv', { labels: ['01-Jan-1'], seats: 4, told: ['looks_like_date'] }],
  ['floats-comma.csv', { labels: ['1-1', '1-2', '2-1'], seats: 3, told: ['whole_numbers'], untold: ['several_seats'] }],
  [
    'floats-scientific.csv',
    { labels: ['1-1E+01', '1-1.1E+01', '2-1'], seats: 3, told: ['looks_like_power', 'whole_numbers'] },
  ],
  [
    'french-seat-code.csv',
    { labels: ['ORCH-A-1', 'ORCH-A-2', 'BALC-B-10'], seats: 3, sections: ['ORCH', 'BALC'], told: ['seat_codes'] },
  ],
  ['gbk.csv', { labels: ['1-1', '1-2'], seats: 2, sections: ['池座'], ...guessed('gb18030') }],
  [
    'greek-ascii-header-windows-1253.csv',
    { labels: ['Α-1', 'Α-2', 'Β-1'], seats: 3, sections: ['Πλατεία', 'Εξώστης'], ...guessed('windows-1253') },
  ],
  ['hebrew-utf8.csv', { labels: ['א-1'], seats: 3, sections: ['יציע', 'אולם'], untold: ['unknown_column'] }],
  [
    'hebrew-windows-1255.csv',
    { labels: ['א-1', 'א-2', 'ב-1'], seats: 3, sections: ['יציע', 'אולם'], ...guessed('windows-1255') },
  ],
  [
    'japanese-ascii-header-shift-jis.csv',
    { labels: ['い-12', 'い-13', 'ろ-1'], seats: 3, sections: ['1階', '2階'], ...guessed('shift_jis') },
  ],
  [
    'japanese-shift-jis.csv',
    { labels: ['い-12', 'い-13', 'ろ-1'], seats: 3, sections: ['1階', '2階'], ...guessed('shift_jis') },
  ],
  ['latin9-euro.csv', { labels: ['1-1'], seats: 1, ...guessed('iso-8859-15') }],
  ['leading-zeros.csv', { labels: ['00-01', '00-02', '0-1', '01-01', '1-1', '10-1'], seats: 6 }],
  ['odd-even-20-apart.csv', { labels: [], ...byNumber }],
  ['odd-even-by-number.csv', { labels: [], ...byNumber }],
  ['odd-even-by-place.csv', { labels: ['A-12', 'A-10'], ...byNumber }],
  ['odd-even-odd-first.csv', { labels: ['A-1', 'A-3'], ...byNumber }],
  ['pandas-floats.csv', { labels: ['1-1', '1-2', '2-1'], seats: 3, told: ['whole_numbers'] }],
  ['plain-column-order.csv', { labels: ['A-1', 'A-2'], seats: 96 }],
  ['plain-text-order.csv', { labels: ['A-1', 'A-2'], seats: 96 }],
  ['pretix-own-wheelchair-field.json', { labels: ['8-1'], seats: 45, told: ['unknown_field'] }],
  [
    'russian-ascii-header-windows-1251.csv',
    { labels: ['Партер-1-1', 'Партер-1-2', 'Бельэтаж-1-1'], seats: 3, ...guessed('windows-1251') },
  ],
  [
    'russian-windows-1251.csv',
    { labels: ['Партер-1-1', 'Партер-1-2', 'Бельэтаж-1-1'], seats: 3, ...guessed('windows-1251') },
  ],
  ['svg-airline.svg', { labels: ['1-A', '1-B'], ...drawnRows }],
  ['svg-box-odd.svg', { labels: ['Odd-1', 'Odd-3'], seats: 12, sections: ['lower box'] }],
  ['svg-number-row.svg', { labels: ['A-1', 'A-2'], ...drawnRows }],
  ['svg-r3s12.svg', { labels: ['1-1', '1-2'], seats: 18 }],
  ['svg-row3-seat12-numbers.svg', { labels: ['1-1', '1-2'], sections: [], ...drawnRows }],
  ['svg-seat-number-row-zone.svg', { labels: ['A-1', 'A-2'], sections: ['1'], ...drawnRows }],
  ['svg-zone-row-seat-numbers.svg', { labels: ['1-1', '1-2'], sections: ['101'], seats: 18 }],
  ['turkish-windows-1254.csv', { labels: ['1-1'], seats: 1, sections: ['Şeref'], ...guessed('windows-1254') }],
  ['vertical.csv', { labels: [], seats: 16 }],
];

test.each(cases)('%s', (file, { labels, seats, sections, encoding, told = [], untold = [] }) => {
  const { document, report, places } = read(file);
  expect([...places.keys()].slice(0, labels.length)).toEqual(labels);
  expect([places.size, report.publishIssues]).toEqual([seats, []]);
  const outlines = partsOf(document).flatMap(({ objects }) => objects.filter(({ type }) => type === 'section'));
  if (sections) expect(outlines.map(({ label }) => label)).toEqual(sections);
  if (encoding) expect(report.encoding).toBe(encoding);
  const codes = codesOf(report);
  expect(codes).toEqual(expect.arrayContaining(told));
  for (const code of untold) expect(codes).not.toContain(code);
});

test.each([
  ['fake.xlsx', 'unreadable_text', 'encoding'],
  ['grid.csv', 'unknown_format', 'row and seat'],
  ['rows-from-to.csv', 'unknown_format', 'row and seat'],
  ['rows-with-counts.csv', 'unknown_format', 'row and seat'],
])('%s is refused', (file, code, message) => {
  expect(faultOf(bytesOf(file))).toMatchObject({ code, message: expect.stringContaining(message) });
});

test.each(cases.filter(([file]) => file.endsWith('.csv') && /^row,seat,x,y/.test(bytesOf(file).toString())))(
  '%s keeps every seat within 0.25 units of its place, and neighbours stand 14 to 40 units apart',
  (file) => {
    const { document, report, places } = read(file);
    const [header, ...lines] = bytesOf(file)
      .toString()
      .trim()
      .split('\n')
      .map((line) => line.trim().split(','));
    expect(header).toEqual(['row', 'seat', 'x', 'y']);
    for (const [row, seat, x, y] of lines) {
      const place = places.get(`${row}-${seat}`)!;
      const off = Math.hypot(place.x - Number(x) * report.scale, place.y - Number(y) * report.scale);
      expect(off, `${row}-${seat}`).toBeLessThanOrEqual(0.25);
    }
    for (const { objects } of partsOf(document)) {
      for (const seats of objects.filter(isSeller).map(placesOf)) {
        const steps = seats.slice(1).map((seat, i) => Math.hypot(seat.x - seats[i]!.x, seat.y - seats[i]!.y));
        for (const step of steps) expect(step).toBeGreaterThanOrEqual(14);
        for (const step of steps) expect(step).toBeLessThanOrEqual(40);
      }
    }
  },
);
