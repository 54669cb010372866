/**
 * A document that goes to the server, through the designer's page and back is the same document: after edits that are
 * taken back step by step, after edits that are made undone by hand, and after a look alone.
 */
import fc from 'fast-check';
import { afterEach, expect, test } from 'vitest';
import type { ChartDocument, ChartObject } from '../../../shared/src/chart/document.ts';
import { templates, usualSizes } from '../../../shared/src/templates/templates.ts';
import { point } from '../../support/charts.ts';
import { drawnVenue } from '../../web/designer/drawn.ts';
import { describeInBrowser, PATIENCE_MS } from '../box-office.ts';
import { type Chart, People, type Person } from './people.ts';

/** One of each kind, with every field of the contract that a kind may have, and some that nobody knows. */
const everyKind: ChartDocument = {
  ...{ version: 1, name: 'Everything', venueType: 'MIXED', focalPoint: { x: 5, y: -40 } },
  categories: [
    {
      ...{ key: 'stalls', label: 'Stalls', color: '#336699', seatGlyph: 'star' },
      tiers: [
        { id: 'full', name: 'Full', price: 40 },
        { id: 'aid', name: 'Companion', price: 0, restriction: 'companion', applicability: { seatLabels: ['A-2'] } },
      ],
    },
    { key: 'house', label: 'House', color: '#884422', notForSale: true },
  ],
  zones: [{ id: 'left', label: 'Left', color: '#123456', focalPoint: { x: 1, y: 2 } }],
  backgroundImage: { url: 'https://pictures.example/plan.png', opacity: 0.5 },
  theme: { ground: '#ffffff', own: [1, null, { deep: true }] },
  objects: [
    {
      ...{ type: 'section', id: 's1', label: 'S', displayLabel: 'Stalls left', zone: 'left', elevation: 2, rake: 3 },
      outline: [point(-20, -20), point(300, -20), point(300, 200), point(-20, 200)],
      holes: [[point(10, 100), point(40, 100), point(40, 140)]],
    },
    {
      ...{ type: 'row', id: 'r1', label: 'A', displayLabel: 'Row A', origin: point(0, 0), rotation: 4, curve: 12.5 },
      ...{ seatCount: 6, seatSpacing: 21.25, categoryKey: 'stalls', seatLabelStart: 3 },
      seatNumbering: { direction: 'center', scheme: 'updown', prefix: 'N' },
      overrides: [
        { index: 1, skip: true },
        { index: 2, dx: 1.5, dy: -2, label: 'Own', displayLabel: 'Mine', accessibility: ['wheelchair'] },
        { index: 4, categoryKey: 'house', accessible: true, commercial: { own: 1 } },
      ],
      viewFromSeatUrl: 'https://pictures.example/view.jpg',
    },
    {
      ...{ type: 'row', id: 'r2', label: 'B', origin: point(0, 60), rotation: 0, curve: 0, seatCount: 4 },
      ...{ seatSpacing: 20, categoryKey: 'stalls' },
      path: { start: point(0, 60), control1: point(20, 80), control2: point(60, 80), end: point(90, 60) },
      segmentedRow: {
        ...{ kind: 'segmented-row-v1', groupId: 'g', componentIndex: 0, componentCount: 1 },
        ...{ boundaryBefore: 'start', displayLabel: 'B' },
      },
    },
    {
      ...{ type: 'table', id: 't1', label: 'T1', center: point(150, 100), shape: 'round', seatCount: 5, rotation: 10 },
      ...{ radius: 30, seatArc: 270, categoryKey: 'stalls', overrides: [{ index: 0, skip: true }] },
    },
    {
      ...{ type: 'table', id: 't2', label: 'T2', center: point(240, 100), shape: 'rect', seatCount: 6, rotation: 0 },
      ...{ width: 90, height: 40, sides: ['top', 'left'], seatCountsBySide: { top: 4, left: 2 } },
      ...{ categoryKey: 'stalls', bookAsWhole: true, variableOccupancy: true, minOccupancy: 2, maxOccupancy: 6 },
    },
    {
      ...{ type: 'booth', id: 'b1', label: 'Booth', center: point(400, 0), width: 50, height: 30, rotation: 15 },
      ...{ categoryKey: 'house', unknown: null },
    },
    {
      ...{ type: 'gaArea', id: 'ga', label: 'Floor', capacity: 7, categoryKey: 'stalls' },
      points: [point(400, 100), point(500, 100), point(500, 180)],
      holes: [[point(480, 110), point(490, 110), point(490, 130)]],
      inventorySegments: [
        { sourceAreaId: 'ga', startIndex: 0, count: 4 },
        { sourceAreaId: 'old', startIndex: 2, count: 3 },
      ],
    },
    { ...{ type: 'shape', id: 'stage', x: 0, y: -90, width: 200, height: 40 }, ...{ label: 'Stage', fill: '#222222' } },
    { type: 'text', label: 'Bar', center: point(0, 220), fontSize: 14 },
    {
      ...{ type: 'decorImage', id: 'logo', url: 'data:image/gif;base64,R0lGODlhAQABAAAAACw=', center: point(10, 260) },
      ...{ width: 30, height: 20, rotation: 0, opacity: 0.8 },
    },
  ] as ChartObject[],
};

const twoFloors = (chart: ChartDocument): ChartDocument => ({
  ...chart,
  floors: [
    { id: 'f1', name: 'Below', focalPoint: point(0, 0), objects: chart.objects },
    {
      ...{ id: 'f2', name: 'Above', focalPoint: point(3, 4) },
      objects: [{ ...chart.objects[5]!, id: 'b2', label: 'Box' } as ChartObject],
    },
  ],
});

describeInBrowser('a document through the designer', { timeout: 300_000 }, (office) => {
  const people = new People(office);
  afterEach(() => people.close());

  const generated = fc.sample(drawnVenue(), { seed: 24, numRuns: 6 }).filter(({ objects }) => objects.length > 0);
  const documents: [string, ChartDocument][] = [
    ['every kind of object', everyKind],
    ['two floors', twoFloors(everyKind)],
    ...templates.slice(0, 1).map((each): [string, ChartDocument] => [each.id, each.draw(usualSizes(each))]),
    ...generated.map((each, index): [string, ChartDocument] => [`venue ${index} of seed 24`, each]),
  ];

  test.each(documents)('comes back as it was: %s', async (_, doc) => {
    const chart = await people.newChart(doc);
    const first = await people.stored(chart);
    const ann = await people.drawing(chart);
    await ann.state('Saved');
    // A look saves nothing.
    await ann.look();
    expect(await ann.document()).toEqual(first.doc);
    expect((await people.stored(chart)).meta.updatedAt).toBe(first.meta.updatedAt);

    // Edits of the page's own commands, saved, and taken back one by one.
    await ann.page.locator('.map').focus();
    const keys = ['ControlOrMeta+a', 'ArrowRight', '.', 'Shift+h', 'ControlOrMeta+d', 'Delete'];
    for (const key of keys) await ann.page.keyboard.press(key);
    await saved(chart, ann);
    const changed = await people.stored(chart);
    expect(changed.doc).not.toEqual(first.doc);
    for (const _ of keys) await ann.page.keyboard.press('ControlOrMeta+z');
    expect(await ann.page.evaluate(`document.querySelector('#designer').editor.canUndo`)).toBe(false);
    await saved(chart, ann);
    const back = await people.stored(chart);
    expect(back.doc).toEqual(first.doc);
    expect(back.meta.updatedAt).toBeGreaterThan(changed.meta.updatedAt);
    expect(ann.faults).toEqual([]);
  });

  test('a change that is typed and typed back leaves the document as it was', async () => {
    const chart = await people.newChart(everyKind);
    const first = await people.stored(chart);
    const ann = await people.drawing(chart);
    await ann.page.evaluate(
      `document.querySelector('#designer').editor.select({ objects: new Set(['b1']), seats: new Map() })`,
    );
    const label = ann.page.getByLabel('Label', { exact: true });
    for (const text of ['Kiosk', 'Booth']) {
      await label.fill(text);
      await label.press('Enter');
      await saved(chart, ann);
      const { doc } = await people.stored(chart);
      expect(doc.objects.find(({ id }: ChartObject) => id === 'b1').label).toBe(text);
    }
    expect((await people.stored(chart)).doc).toEqual(first.doc);
  });

  /** Waits until the server has the page's document. */
  async function saved(chart: Chart, ann: Person): Promise<void> {
    const document = await ann.document();
    const stored = async () => (await people.stored(chart)).doc;
    await expect.poll(stored, { timeout: PATIENCE_MS }).toEqual(document);
    await ann.state('Saved');
  }
});
