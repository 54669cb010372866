/** Copies, arranging, snapping, floors and zones. */
import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import type { ChartDocument, ChartObject, Row } from '../../../shared/src/charts/document.ts';
import { publishIssues } from '../../../shared/src/charts/publish-issues.ts';
import { everyObject, idOf, objectsOn } from '../../../web/designer/document/objects.ts';
import { placementOf } from '../../../web/designer/document/placement.ts';
import {
  everythingOn,
  inBox,
  inverted,
  ofCategory,
  ofKind,
  seatsInBox,
  withContents,
} from '../../../web/designer/document/selecting.ts';
import { selectionOf } from '../../../web/designer/document/selection.ts';
import { align, distribute, reorder } from '../../../web/designer/edits/arrange.ts';
import { clipOf, copyOf, duplicate, paste, remove } from '../../../web/designer/edits/copies.ts';
import { addFloor, moveFloor, removeFloor } from '../../../web/designer/edits/floors.ts';
import { nextLabel } from '../../../web/designer/edits/fresh-labels.ts';
import { Snapper } from '../../../web/designer/edits/snapping.ts';
import { addZone, changeZone, removeZone, setZone } from '../../../web/designer/edits/zones.ts';
import { booth, chart, gaArea, point, row, seatCategory, section, table } from '../../support/charts.ts';
import { drawnVenue } from './drawn.ts';

const ids = (document: ChartDocument) => Array.from(everyObject(document), idOf);
const labels = (document: ChartDocument) => document.objects.map(({ label }) => label);

describe('copies', () => {
  test('of any chart have no id and no label twice', () => {
    fc.assert(
      fc.property(drawnVenue(), (document) => {
        const { edit, selection } = duplicate(document, everythingOn(document, 0));
        const doubled = edit(document);
        expect(new Set(ids(doubled)).size).toBe(ids(document).length + objectsOn(document, 0).length);
        expect([...selection.objects]).toHaveLength(objectsOn(document, 0).length);
        const twice = (each: ChartDocument) =>
          publishIssues(each).filter(({ message }) => /Duplicate|Another/.test(message));
        expect(twice(doubled)).toEqual(twice(document));
      }),
    );
  });

  test.each([
    ['row', 'A', 'B'],
    ['row', 'Z', 'AA'],
    ['row', 'az', 'ba'],
    ['row', '101-C', '101-D'],
    ['row', '09', '10'],
    ['row', 'Balcony', 'Balcony 2'],
    ['table', 'T9', 'T10'],
    ['gaArea', 'Lawn', 'Lawn 2'],
  ] as const)('of a %s %s may be %s', (type, label, next) => {
    expect(nextLabel(type, label)).toBe(next);
  });

  test('have the next free labels, and stand as far away as asked', () => {
    const hall = chart([row(), row({ id: 'b', label: 'B', origin: point(0, 30) }), row({ id: 'd', label: 'D' })]);
    const after = duplicate(hall, selectionOf(['row-a', 'b']), point(300, 10)).edit(hall);
    expect(labels(after)).toEqual(['A', 'B', 'D', 'C', 'E']);
    expect((after.objects as Row[]).slice(3).map(({ origin }) => origin)).toEqual([point(300, 10), point(300, 40)]);
  });

  test('keep the pieces of a row together under one new name', () => {
    const piece = (at: number) =>
      row({
        id: `p${at}`,
        seatLabelStart: 1 + at * 10,
        segmentedRow: { kind: 'segmented-row-v1', groupId: 'g', componentIndex: at },
      });
    const hall = chart([piece(0), piece(1)]);
    const after = duplicate(hall, selectionOf(['p0'])).edit(hall).objects as Row[];
    expect(after.map(({ label }) => label)).toEqual(['A', 'A', 'B', 'B']);
    expect(after[2]!.segmentedRow!.groupId).toBe(after[3]!.segmentedRow!.groupId);
    expect(after[2]!.segmentedRow!.groupId).not.toBe('g');
  });

  test('bring their category and zone into another chart, and stand where they are put', () => {
    const vip = { ...seatCategory, key: 'vip' };
    const hall = chart([row({ categoryKey: 'vip' }), section({ zone: 'z' })], {
      categories: [seatCategory, vip],
      zones: [{ id: 'z', label: 'Z' }],
    });
    const clip = clipOf(JSON.stringify(copyOf(hall, everythingOn(hall, 0))))!;
    const other = chart([], {
      floors: [0, 1].map((at) => ({ id: `f${at}`, name: '', objects: [], focalPoint: point(0, 0) })),
    });
    const { edit } = paste(other, 1, clip, point(500, 500));
    const after = edit(other);
    expect(after.categories).toEqual([seatCategory, vip]);
    expect(after.zones).toEqual(hall.zones);
    expect(objectsOn(after, 0)).toEqual([]);
    expect(objectsOn(after, 1)).toHaveLength(2);
    expect(publishIssues(after)).toEqual([]);
    expect(clipOf('{"a":1}')).toBeNull();
    expect(clipOf('A-1')).toBeNull();
  });

  test('of an area have places of their own', () => {
    const hall = chart([
      gaArea({ capacity: 2, inventorySegments: [{ sourceAreaId: 'lawn', startIndex: 5, count: 2 }] }),
    ]);
    const after = duplicate(hall, selectionOf(['lawn'])).edit(hall);
    expect(publishIssues(after)).toEqual([]);
  });
});

test('removed seats are skipped, and a row without seats goes', () => {
  const hall = chart([row({ seatCount: 2 }), booth()]);
  const one = remove(selectionOf([], [{ objectId: 'row-a', index: 0 }]))(hall);
  expect(one.objects[0]).toEqual(row({ seatCount: 2, overrides: [{ index: 0, skip: true }] }));
  expect(remove(selectionOf([], [{ objectId: 'row-a', index: 1 }]))(one)).toEqual(chart([booth()]));
  expect(remove(selectionOf(['row-a', 'booth-1']))(hall)).toEqual(chart([]));
});

describe('arranging', () => {
  const booths = [0, 10, 100].map((x, at) =>
    booth({ id: `b${at}`, label: `B${at}`, center: point(x, at), width: 20 + at * 10 }),
  );
  const hall = chart(booths);
  const all = new Set(ids(hall));
  const edges = (document: ChartDocument, side: 'left' | 'right' | 'top') =>
    document.objects.map((each) => placementOf(each).bounds[side]);

  test('aligns edges and middles', () => {
    expect(edges(align(all, 'left')(hall), 'left')).toEqual([-10, -10, -10]);
    expect(edges(align(all, 'right')(hall), 'right')).toEqual([120, 120, 120]);
    expect(new Set(edges(align(all, 'middle')(hall), 'top')).size).toBe(1);
    expect(align(new Set(['b0']), 'left')(hall)).toBe(hall);
  });

  test('distributes with equal gaps', () => {
    const after = distribute(all, 'across')(hall);
    const left = edges(after, 'left');
    const right = edges(after, 'right');
    expect(left[1]! - right[0]!).toBeCloseTo(left[2]! - right[1]!);
    expect([left[0], right[2]]).toEqual([-10, 120]);
    expect(distribute(all, 'across')(after)).toEqual(after);
  });

  test('changes what lies over what', () => {
    const order = (way: 'front' | 'back' | 'forward' | 'backward', ...chosen: string[]) =>
      ids(reorder(new Set(chosen), way)(hall));
    expect(order('front', 'b0')).toEqual(['b1', 'b2', 'b0']);
    expect(order('back', 'b2')).toEqual(['b2', 'b0', 'b1']);
    expect(order('forward', 'b0')).toEqual(['b1', 'b0', 'b2']);
    expect(order('backward', 'b1', 'b2')).toEqual(['b1', 'b2', 'b0']);
    expect(reorder(new Set(['b2']), 'forward')(hall)).toBe(hall);
  });
});

describe('snapping', () => {
  const hall = chart([booth({ center: point(100, 0) }), booth({ id: 'b', center: point(100, 60) })]);
  const at = (x: number, y: number) => ({ left: x - 20, right: x + 20, top: y - 20, bottom: y + 20 });

  test('to edges and middles of neighbours, with a guide along both', () => {
    const snapper = new Snapper(hall, 0, new Set());
    const { dx, dy, guides } = snapper.snap(at(103, 300), { reach: 5, grid: 0 });
    expect([dx, dy]).toEqual([-3, 0]);
    expect(guides[0]!.from.x).toBe(guides[0]!.to.x);
    expect(guides[0]!.to.y).toBe(320);
    expect(snapper.snap(at(103, 300), { reach: 2, grid: 0 })).toEqual({ dx: 0, dy: 0, guides: [] });
  });

  test('to the distance of neighbours, and else to the grid', () => {
    expect(new Snapper(hall, 0, new Set()).snap(at(100, 118), { reach: 5, grid: 0 }).dy).toBe(2);
    expect(new Snapper(hall, 0, new Set(['b'])).snap(at(404, 397), { reach: 5, grid: 10 })).toEqual({
      dx: -4,
      dy: 3,
      guides: [],
    });
  });

  test('never to what moves', () => {
    const snapper = new Snapper(hall, 0, new Set(['b', 'booth-1']));
    expect(snapper.snap(at(103, 3), { reach: 5, grid: 0 }).guides).toEqual([]);
  });
});

describe('selecting', () => {
  const vip = row({ id: 'v', origin: point(0, 50), overrides: [{ index: 2, categoryKey: 'vip' }] });
  const hall = chart([row(), vip, table({ center: point(500, 500) }), section()]);

  test('by box, kind, category, and the rest', () => {
    const box = { left: -10, top: -10, right: 300, bottom: 10 };
    expect([...inBox(hall, 0, box, 'whole').objects]).toEqual(['row-a']);
    expect([...inBox(hall, 0, box, 'touching').objects]).toEqual(['row-a', 'west']);
    expect(seatsInBox(hall, 0, { ...box, right: 25 }).seats).toEqual(new Map([['row-a', new Set([0, 1])]]));
    expect([...ofKind(hall, 0, new Set(['table'])).objects]).toEqual(['table-1']);
    expect(ofCategory(hall, 0, 'vip')).toEqual(selectionOf([], [{ objectId: 'v', index: 2 }]));
    expect([...ofCategory(hall, 0, 'seat').objects]).toEqual(['row-a', 'table-1']);
    expect(inverted(hall, 0, ofCategory(hall, 0, 'vip')).seats.get('v')!.size).toBe(9);
    expect([...inverted(hall, 0, selectionOf(['v'])).objects]).toEqual(['row-a', 'table-1', 'west']);
  });

  test('a section with its contents', () => {
    expect([...withContents(hall, selectionOf(['west'])).objects]).toEqual(['west', 'row-a', 'v']);
  });
});

describe('floors', () => {
  const hall = chart([row(), booth()]);
  const floored = addFloor('Balcony', 'Stalls')(hall);

  test('the first to be added takes the objects, and they mirror it', () => {
    expect(floored.floors!.map(({ name, objects }) => [name, objects.length])).toEqual([
      ['Stalls', 2],
      ['Balcony', 0],
    ]);
    const turned = moveFloor(0, 1)(floored);
    expect(turned.objects).toEqual([]);
    expect(turned.floors![1]!.objects).toEqual(hall.objects);
  });

  test('that go leave their objects where they are told to', () => {
    expect(removeFloor(0, 1)(floored).objects).toEqual(hall.objects);
    expect(removeFloor(0, null)(floored).objects).toEqual([]);
    expect(removeFloor(0, null)(removeFloor(1, null)(floored))).toEqual(hall);
  });
});

test('zones keep their sections, and sections follow a zone that is renamed', () => {
  const hall = addZone({ id: 'z', label: 'Z' })(chart([section(), row()]));
  const zoned = setZone(new Set(['west', 'row-a']), 'z')(hall);
  expect((zoned.objects as ChartObject[]).map(({ zone }) => zone)).toEqual(['z', undefined]);
  expect(changeZone('z', (zone) => ({ ...zone, id: 'y' }))(zoned)).toEqual({
    ...zoned,
    zones: [{ id: 'y', label: 'Z' }],
    objects: [section({ zone: 'y' }), row()],
  });
  expect(removeZone('z', null)(zoned)).toEqual(chart([section(), row()]));
});
