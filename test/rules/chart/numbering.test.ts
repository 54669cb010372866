import type { Row } from '@parterre/shared/charts/document';
import { gaLabels, seatNumberer } from '@parterre/shared/charts/numbering';
import { placesOf } from '@parterre/shared/charts/places';
import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { gaArea, row } from '../../support/charts.ts';
import { numberingSchemes } from '../../support/venues.ts';

type Numbering = NonNullable<Row['seatNumbering']>;

function numbers(seatCount: number, seatNumbering?: Numbering, seatLabelStart?: number): string {
  const number = seatNumberer({
    seatCount,
    ...(seatNumbering ? { seatNumbering } : {}),
    ...(seatLabelStart === undefined ? {} : { seatLabelStart }),
  });
  return Array.from({ length: seatCount }, (_, index) => number(index)).join(' ');
}

const ltr = { direction: 'ltr' } as const;
const rtl = { direction: 'rtl' } as const;
const center = { direction: 'center' } as const;

describe('seat numbers, from the first seat to the last', () => {
  const cases: [what: string, seatCount: number, numbering: Numbering | undefined, start: number, expected: string][] =
    [
      ['count up from 1 without numbering', 4, undefined, 1, '1 2 3 4'],
      ['start where the row says', 4, ltr, 7, '7 8 9 10'],
      ['count from the far end', 4, rtl, 1, '4 3 2 1'],
      ['count in twos', 4, { ...ltr, step: 2 }, 1, '1 3 5 7'],
      ['count in twos from the far end', 4, { ...rtl, step: 2 }, 2, '8 6 4 2'],
      ['count outward from the middle seat', 5, center, 1, '4 2 1 3 5'],
      ['count outward, the left of two middle seats first', 4, center, 1, '3 1 2 4'],
      ['count outward in a row of one', 1, center, 1, '1'],
      ['count outward in a row of two', 2, center, 1, '1 2'],
      ['are odd', 3, { ...ltr, scheme: 'odd' }, 1, '1 3 5'],
      ['are odd from the first odd number at or above the start', 3, { ...ltr, scheme: 'odd' }, 2, '3 5 7'],
      ['are odd below zero too', 3, { ...ltr, scheme: 'odd' }, -4, '-3 -1 1'],
      ['are even from the first even number at or above the start', 3, { ...ltr, scheme: 'even' }, 1, '2 4 6'],
      ['are even from the far end', 3, { ...rtl, scheme: 'even' }, 2, '6 4 2'],
      ['are odd outward from the middle', 3, { ...center, scheme: 'odd' }, 1, '3 1 5'],
      ['are roman', 10, { ...ltr, scheme: 'roman' }, 1, 'I II III IV V VI VII VIII IX X'],
      ['are large and roman', 2, { ...ltr, scheme: 'roman' }, 1_994, 'MCMXCIV MCMXCV'],
      ['stay decimal where no numeral exists', 3, { ...ltr, scheme: 'roman' }, -1, '-1 0 I'],
      ['stay decimal above the largest numeral', 2, { ...ltr, scheme: 'roman' }, 3_999, 'MMMCMXCIX 4000'],
      ['are capital letters', 4, { ...ltr, scheme: 'letters-upper' }, 1, 'A B C D'],
      ['carry letters from Z to AA', 3, { ...ltr, scheme: 'letters-upper' }, 26, 'Z AA AB'],
      ['carry letters from ZZ to AAA', 2, { ...ltr, scheme: 'letters-upper' }, 702, 'ZZ AAA'],
      ['are small letters from the far end', 3, { ...rtl, scheme: 'letters-lower' }, 1, 'c b a'],
      ['stay decimal where no letter exists', 2, { ...ltr, scheme: 'letters-lower' }, 0, '0 a'],
      ['run up and back down', 6, { ...ltr, scheme: 'updown' }, 1, '1 3 5 6 4 2'],
      ['run up and back down in an odd row', 5, { ...ltr, scheme: 'updown' }, 1, '1 3 5 4 2'],
      ['run up and back down from a later start', 4, { ...ltr, scheme: 'updown' }, 11, '11 13 14 12'],
      ['run down and back up', 6, { ...ltr, scheme: 'updown-descending' }, 1, '5 3 1 2 4 6'],
      ['run down and back up in an odd row', 5, { ...ltr, scheme: 'updown-descending' }, 1, '5 3 1 2 4'],
      ['run up and down as the row stands, whatever the direction', 4, { ...rtl, scheme: 'updown' }, 1, '1 3 4 2'],
      ['run up and down without regard to an end', 4, { ...ltr, scheme: 'updown', endAt: 90 }, 1, '1 3 4 2'],
      ['carry a prefix', 3, { ...ltr, prefix: 'R' }, 1, 'R1 R2 R3'],
      ['carry a prefix in any scheme', 4, { ...ltr, scheme: 'updown', prefix: 'R' }, 1, 'R1 R3 R4 R2'],
      ['end where they are told to', 4, { ...ltr, endAt: 20 }, 5, '17 18 19 20'],
      ['end where they are told to, in twos', 4, { ...ltr, step: 2, endAt: 20 }, 1, '14 16 18 20'],
      ['end at an odd number in twos', 3, { ...ltr, scheme: 'odd', endAt: 9 }, 1, '5 7 9'],
      ['end at the first seat when counted from the far end', 3, { ...rtl, endAt: 9 }, 1, '9 8 7'],
      ['end at a letter', 3, { ...ltr, scheme: 'letters-upper', endAt: 26 }, 1, 'X Y Z'],
    ];

  it.each(cases)('%s', (_, seatCount, numbering, start, expected) => {
    expect(numbers(seatCount, numbering, start)).toBe(expected);
  });

  it('never repeat within a row', () => {
    const numbering = fc.record(
      {
        direction: fc.constantFrom('ltr', 'rtl', 'center'),
        scheme: fc.constantFrom(...numberingSchemes),
        step: fc.constantFrom(1, 2),
        endAt: fc.integer({ min: -50, max: 5_000 }),
      },
      { requiredKeys: ['direction'] },
    ) as fc.Arbitrary<Numbering>;
    fc.assert(
      fc.property(
        fc.integer({ min: 1, max: 80 }),
        numbering,
        fc.integer({ min: -50, max: 5_000 }),
        (count, how, start) => {
          const all = numbers(count, how, start).split(' ');
          expect(new Set(all).size).toBe(count);
        },
      ),
    );
  });
});

describe('labels of GA places', () => {
  it('count from 1 under the area id', () => {
    expect(gaLabels(gaArea({ id: 'lawn', capacity: 2 }))).toEqual(['__sl_ga__lawn__1', '__sl_ga__lawn__2']);
  });

  it('encode the area id as a URL component', () => {
    expect(gaLabels(gaArea({ id: 'front lawn/ä', capacity: 1 }))).toEqual(['__sl_ga__front%20lawn%2F%C3%A4__1']);
  });

  it('stay those of the areas the places came from', () => {
    const joined = gaArea({
      id: 'lawn',
      capacity: 3,
      inventorySegments: [
        { sourceAreaId: 'north', startIndex: 0, count: 2 },
        { sourceAreaId: 'south', startIndex: 40, count: 1 },
      ],
    });
    expect(gaLabels(joined)).toEqual(['__sl_ga__north__1', '__sl_ga__north__2', '__sl_ga__south__41']);
  });
});

describe('skipped seats', () => {
  const skip = (...indexes: number[]) => indexes.map((index) => ({ index, skip: true }));
  it.each([
    ['take numbers', { ...ltr }, 'A-1 A-2 A-5 A-6'],
    ['take none', { ...ltr, countSkipped: false }, 'A-1 A-2 A-3 A-4'],
    ['take none from the far end', { ...rtl, countSkipped: false }, 'A-4 A-3 A-2 A-1'],
    [
      'take none outward from an aisle',
      { ...ltr, scheme: 'updown-descending', countSkipped: false },
      'A-3 A-1 A-2 A-4',
    ],
    ['take none up to a number', { ...ltr, endAt: 10, countSkipped: false }, 'A-7 A-8 A-9 A-10'],
    ['take none beside odd numbers', { ...ltr, scheme: 'odd', countSkipped: false }, 'A-1 A-3 A-5 A-7'],
  ] as [string, Numbering, string][])('%s', (_, seatNumbering, expected) => {
    const aisle = row({ seatCount: 6, seatNumbering, overrides: skip(2, 3) });
    expect(
      placesOf(aisle)
        .map(({ label }) => label)
        .join(' '),
    ).toBe(expected);
  });
});
