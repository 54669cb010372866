/** Imports of seats.io charts. The two sample charts come from seats.io (test/support/imports/seatsio, MIT). */

import { readFileSync } from 'node:fs';
import type { GaArea, Row, Table } from '@parterre/shared/charts/document';
import { expect, test } from 'vitest';
import { codesOf, greatestDistance, imported } from '../../support/imports/imported.ts';
import { seatsioHall, stadium } from '../../support/imports/seatsio-charts.ts';

type Sample = { subChart: { rows: { label: string; seats: { label: string; x: number; y: number }[] }[] } };

const sample = (name: string) =>
  readFileSync(new URL(`../../support/imports/seatsio/${name}.json`, import.meta.url), 'utf8');

test('the first sample chart keeps its seats, areas and stage', () => {
  const text = sample('sample-chart');
  const { document, report, places } = imported(text);
  expect(report).toMatchObject({ format: 'seatsio', version: '19', scale: 1, publishIssues: [] });
  const { rows } = (JSON.parse(text) as Sample).subChart;
  const wanted = rows.flatMap(({ label, seats }) =>
    seats.map((seat): [string, typeof seat] => [`${label}-${seat.label}`, seat]),
  );
  expect(report.understood).toMatchObject({
    rows: rows.length,
    seats: wanted.length,
    areas: 2,
    places: 200,
    shapes: 1,
  });
  expect(greatestDistance(places, wanted)).toBeLessThan(0.01);
  expect(document.focalPoint).toEqual({ x: 225, y: 33.23 });
  expect(document.categories.map(({ key, price }) => [key, price])).toEqual([
    ['9', undefined],
    ['10', undefined],
    ['string11', undefined],
  ]);
  expect(places.get('A-7')!.accessibility).toBe(1);
  expect(
    document.objects.filter((object): object is Row => object.type === 'row').every((row) => !row.seatNumbering),
  ).toBe(true);
});

test('the second sample chart keeps a table by chair and a table as a whole', () => {
  const { document, report, places } = imported(sample('sample-chart-with-tables'));
  expect(report).toMatchObject({ version: '17', publishIssues: [] });
  expect(report.understood).toMatchObject({ tables: 2, chairs: 12, seats: 0 });
  expect(places.size).toBe(7);
  const table = document.objects.find((object): object is Table => object.type === 'table' && object.label === 'T2')!;
  expect(table).toMatchObject({ bookAsWhole: true, seatCount: 6, categoryKey: '9' });
  const wanted: [string, { x: number; y: number }][] = [
    ['T1-1', { x: 35.74, y: 70.75 }],
    ['T1-3', { x: 9, y: 24.44 }],
    ['T1-6', { x: 62.47, y: 55.31 }],
  ];
  expect(greatestDistance(places, wanted)).toBeLessThan(0.5);
});

test.each(['17', '18', '20', '21'])('a chart of version %s keeps every kind of object', (version) => {
  const { text, wanted } = seatsioHall(Number(version));
  const { document, report, places } = imported(text);
  expect(report.publishIssues).toEqual([]);
  expect(greatestDistance(places, wanted)).toBeLessThan(0.5);
  expect(report.understood).toMatchObject({
    sections: 1,
    rows: 3,
    tables: 3,
    booths: 1,
    areas: 3,
    texts: 1,
    images: 1,
    zones: 1,
  });
  const byLabel = new Map(document.objects.map((object) => [(object as { label?: string }).label, object]));
  expect(byLabel.get('Bar')).toMatchObject({ variableOccupancy: true, minOccupancy: 2, maxOccupancy: 4 });
  expect(byLabel.get('Lawn') as GaArea).toMatchObject({ capacity: 40 });
  expect((byLabel.get('Lawn') as GaArea).points).toHaveLength(4);
  expect(byLabel.get('Stalls')).toMatchObject({ entrance: 'North', zone: 'near', type: 'section' });
  expect(places.get('Stalls-C-1')!.categoryKey).toBe('2');
  expect(places.get('B-2')!.accessibility).toBe(1 | 4);
  expect(codesOf(report)).toContain('unknown_list');
});

test('a stadium with floors keeps its floors, and the sections of each', () => {
  const { text, seats } = stadium();
  const { document, report } = imported(text);
  expect(report.publishIssues).toEqual([]);
  expect(document.floors!.map(({ name, focalPoint }) => [name, focalPoint.y])).toEqual([
    ['Ground floor', -50],
    ['Balcony', -20],
  ]);
  expect(report.understood).toMatchObject({ floors: 2, sections: 4, seats });
  expect(document.objects).toEqual(document.floors![0]!.objects);
  expect(codesOf(report)).not.toContain('outside_its_section');
});

test('an aisle parts a row in two pieces, and a missing number is a skipped seat', () => {
  const seat = (label: string, x: number) => ({ label, x, y: 0, categoryKey: 1 });
  const row = {
    label: 'A',
    seats: [seat('1', 0), seat('2', 20), seat('4', 60), seat('5', 80), seat('6', 170), seat('7', 190), seat('8', 210)],
  };
  const chart = { name: 'Aisle', version: 20, categories: { list: [{ key: 1, label: 'One', color: '#112233' }] } };
  const { document, places } = imported(JSON.stringify({ ...chart, subChart: { rows: [row] } }));
  const rows = document.objects as Row[];
  expect(
    rows.map(({ seatCount, overrides, segmentedRow }) => [seatCount, overrides, segmentedRow?.boundaryBefore]),
  ).toEqual([
    [5, [{ index: 2, skip: true }], 'start'],
    [3, undefined, 'gap'],
  ]);
  expect([...places.keys()]).toEqual(['A-1', 'A-2', 'A-4', 'A-5', 'A-6', 'A-7', 'A-8']);
});

test('bookings, holds and prices of a file are not read', () => {
  const seat = { label: '1', x: 0, y: 0, categoryKey: 1, status: 'booked', holdToken: 'x', price: 9 };
  const categories = { list: [{ key: 1, label: 'One', color: '#112233', price: 50 }] };
  const { document } = imported(
    JSON.stringify({ name: 'Sold', categories, subChart: { rows: [{ label: 'A', seats: [seat] }] } }),
  );
  expect(JSON.stringify(document)).not.toMatch(/price|booked|hold/i);
});

test('what the file leaves open is told with its object', () => {
  const rows = [
    {
      uuid: 'u1',
      label: 'A',
      seats: [
        { label: '1', x: 0, y: 0 },
        { x: 20, y: 0 },
        { label: '3', x: Number.NaN, y: 0 },
      ],
    },
    { uuid: 'u2', label: 'B', seats: [] },
    { uuid: 'u3', seats: [{ label: '1', x: 0, y: 30, categoryKey: 'gone' }] },
  ];
  const text = JSON.stringify({ name: 'Open', subChart: { rows } }).replace('"x":null', '"x":1e400');
  const { document, report } = imported(text);
  const told = report.notes.map(({ code, source, objectId }) => [code, source, objectId]);
  expect(told).toEqual(
    expect.arrayContaining([
      ['no_category', 'u1', 'row-1'],
      ['seat_without_number', 'u1', 'row-1'],
      ['seat_without_position', 'u1', 'row-1'],
      ['empty_row', 'u2', undefined],
      ['no_label', 'u3', 'row-2'],
      ['unknown_category', 'u3', 'row-2'],
      ['no_focal_point', undefined, undefined],
    ]),
  );
  expect(document.categories.map(({ label }) => label)).toEqual(['No category']);
});

test('focal points of zones say where the stage is, unless a section has no zone', () => {
  const square = [0, 40].flatMap((x) => [0, 40].map((y) => ({ x, y: x === 0 ? y : 40 - y })));
  const section = (label: string, x: number, zone: string | null) => ({
    label,
    topLeft: { x, y: 0 },
    points: square.map((point) => ({ x: point.x + x, y: point.y })),
    ...(zone && { zone }),
    labelRotationAngle: zone ? 0 : 90,
    subChart: { rows: [{ label: 'A', seats: [10, 30].map((at, i) => ({ label: String(i + 1), x: at, y: 20 })) }] },
  });
  const chart = (sections: object[]) => ({
    name: 'Stands',
    version: 20,
    venueType: 'ROWS_WITH_SECTIONS',
    categories: { list: [{ key: 1, label: 'All', color: '#112233' }] },
    zones: [
      { key: 'west', label: 'West', focalPoint: { x: 100, y: 0 } },
      { key: 'east', label: 'East', focalPoint: { x: 300, y: 0 } },
    ],
    subChart: { width: 500, height: 100, sections },
  });
  const focal = (sections: object[]) => {
    const { document, report } = imported(JSON.stringify(chart(sections)));
    const angles = document.objects.filter(({ type }) => type === 'section').map((each) => each.labelRotation ?? 0);
    expect(angles).toEqual([0, 0, 90].slice(0, sections.length));
    return [document.focalPoint, codesOf(report).includes('no_focal_point')];
  };
  const zoned = [section('1', 0, 'west'), section('2', 100, 'east')];
  expect(focal(zoned)).toEqual([{ x: 200, y: 0 }, false]);
  expect(focal([...zoned, section('3', 200, null)])).toEqual([{ x: 200, y: 0 }, true]);
});
