/** Imports of seats.io charts tell what a chart has no place for, and what they had to guess. */
import type { GaArea, Row, Section, Table } from '@parterre/shared/charts/document';
import { expect, test } from 'vitest';
import { codesOf, type Drawn, faultOf, imported } from '../../support/imports/imported.ts';

type Fields = Record<string, unknown>;

const categories = {
  list: [
    { key: 1, label: 'Near', color: '#0088cc' },
    { key: 2, label: 'Far', color: '#cc8800' },
  ],
};

const seat = (label: string, x: number, y: number, more: Fields = {}) => ({ label, x, y, categoryKey: 1, ...more });
const rowA = { label: 'A', seats: [seat('1', 0, 0), seat('2', 20, 0)] };

function chart(subChart: Fields, more: Fields = {}): Drawn {
  return imported(JSON.stringify({ name: 'Hall', version: 22, categories, subChart, ...more }));
}

const noteOf = ({ report }: Drawn, code: string) => report.notes.find((note) => note.code === code);
const sectionsOf = ({ document }: Drawn) =>
  document.objects.filter((object): object is Section => object.type === 'section');

const box = (x: number) => ({
  topLeft: { x, y: 0 },
  points: [
    { x, y: 0 },
    { x: x + 100, y: 0 },
    { x: x + 100, y: 60 },
    { x, y: 60 },
  ],
  categoryKey: 1,
  subChart: { rows: [{ label: 'A', seats: [seat('1', 20, 20), seat('2', 40, 20)] }] },
});

test('sections without a label get different ones, and are told', () => {
  const drawn = chart({ sections: [box(0), box(200)] });
  expect(sectionsOf(drawn).map(({ label }) => label)).toEqual(['?', '?2']);
  expect([...drawn.places.keys()]).toEqual(['?-A-1', '?-A-2', '?2-A-1', '?2-A-2']);
  expect(drawn.report.notes.filter(({ code }) => code === 'no_label')).toHaveLength(2);
  expect(noteOf(drawn, 'no_label')).toMatchObject({ objectId: 'section-1' });
});

test('a seat with the mark of seats.io for no label is told', () => {
  const drawn = chart({ rows: [{ label: 'A', seats: [seat('1', 0, 0), seat('?', 20, 0), seat('?', 40, 0)] }] });
  expect([...drawn.places.keys()]).toEqual(['A-1', 'A-?2', 'A-?3']);
  expect(noteOf(drawn, 'seat_without_number')).toMatchObject({ objectId: 'row-1' });
});

test('a row that names its own section draws it once', () => {
  const rows = [{ label: 'A', sectionLabel: 'Stalls', seats: [seat('1', 20, 20)] }];
  const drawn = chart({ sections: [{ ...box(0), label: 'Stalls', subChart: { rows } }] });
  expect(sectionsOf(drawn)).toHaveLength(1);
});

test('a section that only rows name gets the label that buyers see', () => {
  const rows = [{ ...rowA, sectionLabel: 'S', sectionDisplayedLabel: 'Stalls' }];
  expect(sectionsOf(chart({ rows }))[0]).toMatchObject({ label: 'S', displayLabel: 'Stalls' });
});

test('a section names its zone by key, id or label; an unknown zone is told', () => {
  const zones = { list: [{ uuid: 'z1', label: 'Near' }] };
  const sections = ['Near', 'z1', 'Gone'].map((zone, i) => ({ ...box(i * 200), label: `S${i}`, zone }));
  const drawn = chart({ sections }, { zones });
  expect(sectionsOf(drawn).map(({ zone }) => zone)).toEqual(['z1', 'z1', undefined]);
  expect(drawn.report.publishIssues).toEqual([]);
  expect(noteOf(drawn, 'unknown_zone')).toMatchObject({
    objectId: 'section-3',
    message: expect.stringContaining('Gone'),
  });
});

test('places take the category of their row or table, and know categories by their labels', () => {
  const bare = (label: string, x: number, more: Fields = {}) => ({ label, x, y: 100, ...more });
  const table = { type: 'round', center: { x: 200, y: 100 }, radius: 20, label: 'T' };
  const drawn = chart({
    rows: [
      { label: 'A', categoryLabel: 'Far', seats: [bare('1', 0), bare('2', 20, { categoryLabel: 'Near' })] },
      { label: 'B', seats: [bare('1', 40, { categoryLabel: 'Gone' })] },
    ],
    tables: [{ ...table, categoryKey: 2, seats: [bare('1', 200), bare('2', 235, { categoryKey: 1 })] }],
  });
  const keys = ['A-1', 'A-2', 'T-1', 'T-2'].map((label) => drawn.places.get(label)!.categoryKey);
  expect(keys).toEqual(['2', '1', '2', '1']);
  expect(noteOf(drawn, 'unknown_category')!.message).toContain('"Gone"');
});

test('views without an address are told; addresses inside of an object are read', () => {
  const address = 'https://pictures.example/a.jpg';
  const row = (label: string, y: number, view: unknown, ofSeat: unknown) => ({
    label,
    viewFromYourSeatImage: view,
    seats: [seat('1', 0, y, { viewFromYourSeatImage: ofSeat })],
  });
  const drawn = chart({ rows: [row('A', 0, 'key-of-a-file', null), row('B', 30, { url: address }, { key: 'k' })] });
  const views = drawn.report.notes.filter(({ code }) => code === 'view');
  expect(views.map(({ objectId }) => objectId)).toEqual(['row-1', 'row-2']);
  expect(drawn.document.objects[1]).toMatchObject({ viewFromSeatUrl: address });
});

test('the occupancy of an area, a table without chairs and seats that are kept apart are told', () => {
  const pit = { label: 'Pit', type: 'rectangle', center: { x: 0, y: 200 }, width: 80, height: 60, capacity: 9 };
  const drawn = chart({
    rows: [{ label: 'A', seats: [seat('1', 0, 0, { disabledBySocialDistancingRules: true }), seat('2', 20, 0)] }],
    tables: [{ label: 'T', center: { x: 90, y: 90 }, radius: 20, bookAsAWhole: true, capacity: 8, categoryKey: 1 }],
    generalAdmissionAreas: [
      { ...pit, categoryKey: 1, variableOccupancy: true, minOccupancy: 2, maxOccupancy: 6 },
      { ...pit, label: 'Lawn', categoryKey: 1, variableOccupancy: true, minOccupancy: 1 },
    ],
  });
  expect(noteOf(drawn, 'social_distancing')).toMatchObject({ objectId: 'row-1', kind: 'changed' });
  expect(noteOf(drawn, 'table_without_chairs')!.message).toContain('capacity of 8');
  expect(noteOf(drawn, 'area_occupancy')!.message).toContain('at least 2 and at most 6');
  expect(codesOf(drawn.report).filter((code) => code === 'area_occupancy')).toHaveLength(1);
  expect(drawn.document.objects.find((object): object is Table => object.type === 'table')).toMatchObject({
    seatCount: 0,
  });
  expect(drawn.document.objects.filter((object): object is GaArea => object.type === 'gaArea')).toHaveLength(2);
});

test('what stands beside the floors is told, and each floor has its own background', () => {
  const image = (name: string) => ({
    backgroundImageUrl: `https://pictures.example/${name}.png`,
    backgroundImageWidth: 100,
    backgroundImageHeight: 50,
    backgroundImageZoom: 400,
    origin: { x: 150, y: 75 },
    opacity: 0.5,
    showOnRenderedCharts: name !== 'second',
  });
  const floor = (floorName: string, label: string) => ({
    floorName,
    rows: [{ label, seats: [seat('1', 0, 0), seat('2', 20, 0)] }],
    backgroundImage: image(floorName),
  });
  const drawn = chart({ rows: [rowA] }, { subChartFloors: [floor('first', 'B'), floor('second', 'C')] });
  expect(noteOf(drawn, 'beside_the_floors')!.message).toMatch(/^1 entry of "rows"/);
  expect(noteOf(drawn, 'background_shown')!.message).toContain('"second"');
  const place = { center: { x: 200, y: 100 }, width: 400, height: 200, opacity: 0.5 };
  expect(drawn.document.floors).toMatchObject([
    { backgroundImage: { ...place, url: 'https://pictures.example/first.png' } },
    { backgroundImage: { ...place, url: 'https://pictures.example/second.png' } },
  ]);
  expect(drawn.document).not.toHaveProperty('backgroundImage');
});

test('labels that an import cleans are told, with their rows', () => {
  const drawn = chart({
    rows: [
      { label: ' A ', seats: [seat('1\u0000', 0, 0), seat('e\u0301', 20, 0), seat('3', 40, 0)] },
      { label: 'B', seats: [seat('1', 0, 30)] },
    ],
  });
  expect([...drawn.places.keys()]).toEqual(['A-1', 'A-\u00e9', 'A-3', 'B-1']);
  const told = drawn.report.notes.filter(({ code }) => code === 'label_cleaned');
  expect(told.map(({ objectId, message }) => [objectId, message.split(' had ')[0]])).toEqual([
    ['row-1', 'The label of row "A"'],
    ['row-1', 'The numbers of 2 seats of "A"'],
  ]);
});

test('each field that an import does not know is told once, with the number of its objects', () => {
  const drawn = chart(
    { rows: [{ ...rowA, tilt: 3, ticketNotes: {}, seats: rowA.seats.map((each) => ({ ...each, armrest: 'left' })) }] },
    { houseNumber: 7, isDraft: false },
  );
  const told = drawn.report.notes.filter(({ code }) => code === 'unknown_field').map(({ message }) => message);
  expect(told.map((message) => message.split(',')[0])).toEqual([
    '1 chart has the field "houseNumber"',
    '1 row has the field "tilt"',
    '2 seats have the field "armrest"',
  ]);
});

test('the real fields of a chart of version 22 are all known', () => {
  const row = {
    label: 'A',
    displayLabel: null,
    sectionLabel: null,
    sectionDisplayedLabel: null,
    curve: 0,
    chairSpacing: 5,
    seatLabeling: { algoName: 'SimpleNumbers' },
    objectLabeling: { algoName: null },
    points: null,
    smooth: false,
    smoothness: 50,
    rotationAngle: 0,
    rowLabelPosition: 'label-position-invisible',
    rowLabelDisabled: false,
    verticalRowLabelDirection: 'BASELINE_LEFT',
    objectType: 'row',
    displayObjectType: 'row',
    published: true,
    seats: [seat('1', 16, 20, { accessible: false, entrance: null, published: true, uuid: 'u1', displayLabel: null })],
  };
  const section = {
    ...box(0),
    label: 'S1',
    labelSize: 12,
    labelShown: true,
    labelHorizontalOffset: -260,
    cutoffAngle: 180,
    labelRotationAngle: 28,
    objectLabeling: { algoName: 'SimpleLettersUppercase' },
    published: true,
    subChart: { width: 79, height: 42, rows: [row], tables: [], icons: [] },
  };
  const floor = { floorName: '1', floorDisplayName: 'Floor 1', width: 99, height: 63, sections: [section] };
  const more = {
    tablesLabelCounter: 1,
    uuidCounter: 13,
    rowSpacing: 14,
    rowChairSpacing: 5,
    colorScheme: 'light',
    venueType: 'WITH_SECTIONS_AND_FLOORS',
    sectionScaleFactor: 100,
    referenceChartVisible: true,
    multiFloorView: 'isometric',
    zones: { list: [] },
  };
  const { subChart: _, ...drawing } = { subChart: null, subChartFloors: [{ ...floor, snapOffset: { x: 2, y: 2 } }] };
  const drawn = imported(JSON.stringify({ name: 'Multi-floor test', version: 22, categories, ...more, ...drawing }));
  expect(codesOf(drawn.report)).toEqual(['floor_name', 'no_focal_point']);
  expect(drawn.document.objects.filter((object): object is Row => object.type === 'row')).toHaveLength(1);
});

test('an area with too many places is refused without making them', () => {
  const area = { label: 'Lawn', points: box(0).points, capacity: 1e9 };
  const sections = [{ ...box(0), label: 'A', subChart: { generalAdmissionAreas: [area] } }];
  const text = JSON.stringify({ name: 'Hall', version: 22, categories, subChart: { sections } });
  expect(faultOf(text)).toMatchObject({ code: 'too_many_seats', message: expect.stringMatching(/1000000000 places/) });
});

test('outlines with 130,000 points and a section with 130,000 texts are read', () => {
  const points = Array.from({ length: 130_000 }, (_, i) => ({ x: 100 * Math.sin(i), y: 100 * Math.cos(i) }));
  const texts = Array.from({ length: 130_000 }, () => ({ text: 'Exit', x: 0, y: 0 }));
  const { topLeft: _, ...large } = { ...box(0), label: 'A', points };
  const subChart = { booths: [{ label: 'B', points }], texts };
  const { report } = chart({ sections: [{ ...large, subChart }] }, { sectionScaleFactor: 50 });
  expect(report.understood).toMatchObject({ sections: 1, booths: 1, texts: 130_000 });
});
