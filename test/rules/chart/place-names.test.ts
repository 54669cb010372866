import { compilePlan } from '@parterre/shared/charts/compile';
import type { ChartDocument, ChartObject, Section } from '@parterre/shared/charts/document';
import { placeTextsIn, wordsOfLabel, wordsOfUnit } from '@parterre/shared/charts/place-names';
import { packPlan, unpackPlan } from '@parterre/shared/charts/plans/packed-plan';
import { describe, expect, it } from 'vitest';
import { booth, chart, gaArea, rectangle, row, section, table } from '../../support/charts.ts';

/** Around every object of these charts. */
const everywhere = rectangle(-1000, -1000, 2000, 2000);
const around = (own: Partial<Section> = {}) => section({ outline: everywhere, ...own });

/** The words of a label, by way of the thread that compiles plans. */
async function wordsIn(document: ChartDocument, label: string, locale: string | null = null) {
  const plan = await unpackPlan(packPlan(compilePlan(document, 'hash')));
  return wordsOfUnit(plan, plan.labels.unitOf(label)!, placeTextsIn(locale));
}

const nothing = wordsOfLabel('');

describe('the words of a place', () => {
  it('are those that a ticket prints: display labels, number and entrance', async () => {
    const balcony = around({ label: 'S1', displayLabel: 'Balkon links', entrance: 'Tor 3' });
    const document = chart([balcony, row({ label: 'S1-A', displayLabel: 'A', seatCount: 3 })]);
    expect(await wordsIn(document, 'S1-A-3')).toEqual({
      ...nothing,
      section: 'Balkon links',
      row: 'A',
      seat: '3',
      entrance: 'Tor 3',
      name: 'Row A, seat 3',
    });
  });

  it('have the floor, and the own entrance of an object before that of its section', async () => {
    const objects = [around({ label: 'Left', entrance: 'Tor 3' }), table({ label: 'T1', entrance: 'Tor 4' })];
    const floors = [{ id: 'circle', name: 'Dress circle', focalPoint: { x: 0, y: 0 }, objects }];
    const words = await wordsIn(chart(objects, { floors }), 'T1-2');
    expect(words).toMatchObject({ floor: 'Dress circle', section: 'Left', table: 'T1', seat: '2', entrance: 'Tor 4' });
    expect(words.name).toBe('T1, chair 2');
  });

  it.each<[string, ChartObject, string, object]>([
    ['an area', gaArea({ id: 'pit', label: 'Standing' }), '__sl_ga__pit__1', { area: 'Standing', name: 'Standing' }],
    ['a booth', booth({ label: 'Booth 7' }), 'Booth 7', { name: 'Booth 7' }],
    ['a whole table', table({ label: 'Table 1', bookAsWhole: true }), 'Table 1', { table: 'Table 1', name: 'Table 1' }],
    [
      'a seat with a text of its own',
      row({ overrides: [{ index: 0, displayLabel: '1a' }] }),
      'A-1',
      { row: 'A', seat: '1a', name: 'Row A, seat 1a' },
    ],
    ['its neighbour', row({ overrides: [{ index: 0, displayLabel: '1a' }] }), 'A-2', { row: 'A', seat: '2' }],
    [
      'a seat with a label of its own',
      row({ overrides: [{ index: 0, label: 'Royal' }] }),
      'Royal',
      { row: 'A', seat: 'Royal', name: 'Royal' },
    ],
  ])('of %s', async (_, object, label, words) => {
    expect(await wordsIn(chart([object]), label)).toMatchObject(words);
  });

  it.each([
    ['en-GB', 'Row A, seat 1'],
    ['de-CH', 'Reihe A, Platz 1'],
    ['fr', 'Rang A, place 1'],
    ['es-MX', 'Fila A, asiento 1'],
    ['ar', 'الصف A، المقعد 1'],
    ['ja', 'Row A, seat 1'],
    [null, 'Row A, seat 1'],
  ])('speak %s', async (locale, name) => {
    expect((await wordsIn(chart([row()]), 'A-1', locale)).name).toBe(name);
  });
});

describe('the name of a row', () => {
  it.each<[string, object, Partial<Section>, string]>([
    ['leaves out the label of its section', { label: '103-A' }, { label: '103' }, 'A'],
    ['leaves out the name of its section', { label: 'Floor A / 3' }, { label: 'fl', displayLabel: 'Floor A' }, '3'],
    ['is the display label as it is', { label: '103-A', displayLabel: '103-A' }, { label: '103' }, '103-A'],
    ['keeps letters that only look like the section', { label: 'AA' }, { label: 'A' }, 'AA'],
    ['is never empty', { label: 'A-' }, { label: 'A' }, 'A-'],
    [
      'of several pieces is the name of the pieces without the section',
      { label: 'x', segmentedRow: { kind: 'segmented-row-v1', displayLabel: 'Stalls-B' } },
      { label: 'Stalls' },
      'B',
    ],
  ])('%s', async (_, own, outline, name) => {
    const one = row({ seatCount: 1, ...own });
    expect((await wordsIn(chart([around(outline), one]), `${one.label}-1`)).row).toBe(name);
  });
});
