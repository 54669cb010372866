/** A chart of all kinds of objects, alone and with a second floor. */
import type { ChartDocument, ChartObject } from '../../../../shared/src/chart/document.ts';
import { point } from '../../../support/charts.ts';

/** One of each kind, with every field of the contract that a kind may have, and some that nobody knows. */
export const everyKind: ChartDocument = {
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

/** A row stands above. */
export const onTwoFloors = (chart: ChartDocument): ChartDocument => ({
  ...chart,
  floors: [
    { id: 'f1', name: 'Below', focalPoint: point(0, 0), objects: chart.objects },
    {
      ...{ id: 'f2', name: 'Above', focalPoint: point(3, 4) },
      objects: [
        {
          ...{ type: 'row', id: 'above', label: 'Above', origin: point(20, 30), rotation: 0, curve: 0, seatCount: 5 },
          ...{ seatSpacing: 20, categoryKey: chart.categories[0]!.key, overrides: [{ index: 3, dy: 2, label: 'Box' }] },
        },
      ],
    },
  ],
});
