/** Moves, turns, stretches and mirrors. */
import fc from 'fast-check';
import { expect, test } from 'vitest';
import type { ChartDocument, ChartObject, Row, Table } from '../../../shared/src/charts/document.ts';
import { isSeller, placesOf } from '../../../shared/src/charts/places.ts';
import { everyObject, idOf } from '../../../web/designer/document/objects.ts';
import { placementOf } from '../../../web/designer/document/placement.ts';
import { selectionOf } from '../../../web/designer/document/selection.ts';
import { mirror, move, rotate, scale } from '../../../web/designer/edits/transform.ts';
import { booth, chart, gaArea, point, row, section, table } from '../../support/charts.ts';
import { drawnVenue } from './drawn.ts';

const everything = (document: ChartDocument) => selectionOf(Array.from(everyObject(document), idOf));
const about = point(30, -20);

/** The places of every object, rounded. */
function positions(document: ChartDocument): unknown[] {
  return Array.from(everyObject(document), (object) => {
    if (!isSeller(object)) return placementOf(object).centre;
    return object.type === 'gaArea' ? object.points : placesOf(object).map(({ label, x, y }) => ({ label, x, y }));
  });
}

function expectClose(one: unknown, other: unknown): void {
  const rounded = (value: unknown) =>
    JSON.parse(
      JSON.stringify(value, (_, each) => (typeof each === 'number' ? Math.round(each * 100) / 100 + 0 : each)),
    );
  expect(rounded(one)).toEqual(rounded(other));
}

test('a move takes each place along, and back', () => {
  fc.assert(
    fc.property(drawnVenue(), (document) => {
      const all = everything(document);
      const there = move(all, 12.5, -7)(document);
      const back = move(all, -12.5, 7)(there);
      expectClose(positions(back), positions(document));
      expectClose(
        placementOf([...everyObject(there)][0]!).centre,
        point(placementOf(document.objects[0]!).centre.x + 12.5, placementOf(document.objects[0]!).centre.y - 7),
      );
    }),
  );
});

test('turns and stretches go back to where they began', () => {
  fc.assert(
    fc.property(drawnVenue(), fc.integer({ min: -360, max: 360 }), (document, degrees) => {
      const all = everything(document);
      const turned = rotate(all, degrees, about)(document);
      expectClose(positions(rotate(all, -degrees, about)(turned)), positions(document));
      const stretched = scale(all, 2, 2, about)(document);
      expectClose(positions(scale(all, 0.5, 0.5, about)(stretched)), positions(document));
    }),
  );
});

test('a turn turns every seat about the point', () => {
  const hall = chart([
    row({ curve: 40, rotation: 10, overrides: [{ index: 3, dx: 5, dy: 1 }] }),
    table({ rotation: 20 }),
    booth(),
  ]);
  const turned = rotate(everything(hall), 90, about)(hall);
  for (const [at, object] of hall.objects.entries()) {
    const before = placesOf(object as Row);
    const after = placesOf(turned.objects[at] as Row);
    for (const [seat, { x, y }] of before.entries()) {
      expect(after[seat]!.x).toBeCloseTo(about.x - (y - about.y), 4);
      expect(after[seat]!.y).toBeCloseTo(about.y + (x - about.x), 4);
    }
  }
});

const arcs = [{}, { curve: 60 }, { curve: -60 }, { curve: 30, rotation: 50 }, { rotation: -120 }];
const path = { start: point(0, 0), control1: point(30, 50), control2: point(60, 50), end: point(120, 0) };
const rows = [...arcs, { path }].map((each) =>
  row({
    ...each,
    overrides: [
      { index: 1, dx: 3, dy: 2 },
      { index: 2, skip: true },
    ],
  }),
);

test.each(['across', 'down'] as const)('a mirror %s puts each seat on the other side', (axis) => {
  const flipped = ({ x, y }: { x: number; y: number }) =>
    axis === 'across' ? point(2 * about.x - x, y) : point(x, 2 * about.y - y);
  for (const each of rows) {
    const hall = chart([each]);
    for (const labels of ['keep', 'flip'] as const) {
      const after = mirror(everything(hall), axis, { labels, about })(hall);
      const seats = placesOf(after.objects[0] as Row);
      const wanted = placesOf(each).map((seat) => ({ label: seat.label, ...flipped(seat) }));
      const sorted = (places: { x: number; y: number }[]) =>
        places.map(({ x, y }) => point(x, y)).sort((a, b) => a.x - b.x || a.y - b.y);
      expectClose(sorted(seats), sorted(wanted));
      if (labels === 'flip')
        expectClose(
          seats.map(({ label, x, y }) => ({ label, x, y })),
          wanted,
        );
      expectClose(positions(mirror(everything(hall), axis, { labels, about })(after)), positions(hall));
    }
  }
});

test('numbers that are kept still run to the right', () => {
  const hall = chart([row({ overrides: [{ index: 0, categoryKey: 'vip', label: 'first' }] })]);
  const [mirrored] = mirror(everything(hall), 'across')(hall).objects as Row[];
  const seats = placesOf(mirrored!).sort((a, b) => a.x - b.x);
  expect(seats.map(({ label }) => label)).toEqual(['first', ...Array.from({ length: 9 }, (_, i) => `A-${i + 2}`)]);
  expect(seats.at(-1)!.categoryKey).toBe('vip');
});

test.each(['across', 'down'] as const)('a mirror %s puts chairs with their differences on the other side', (axis) => {
  const flipped = ({ x, y }: { x: number; y: number }) =>
    axis === 'across' ? point(2 * about.x - x, y) : point(x, 2 * about.y - y);
  const overrides = [{ index: 1, categoryKey: 'vip' }];
  const tables: Table[] = [
    table({ seatCount: 7, rotation: 15, overrides }),
    table({ seatCount: 5, seatArc: 200, rotation: 70, overrides }),
    table({ shape: 'rect', seatCount: 7, rotation: 25, sides: ['top', 'left', 'right'], overrides }),
    table({ shape: 'rect', seatCount: 6, seatCountsBySide: { left: 3, top: 2, bottom: 1 }, overrides }),
  ];
  for (const each of tables) {
    const hall = chart([each]);
    const after = placesOf(mirror(everything(hall), axis, { about })(hall).objects[0] as Table);
    const shown = ({ x, y, categoryKey }: { x: number; y: number; categoryKey: string }) => ({
      x: Math.round(x) + 0,
      y: Math.round(y) + 0,
      categoryKey,
    });
    const wanted = placesOf(each).map((seat) => shown({ ...seat, ...flipped(seat) }));
    expect(after.map(shown)).toEqual(expect.arrayContaining(wanted));
  }
});

test('a stretch widens rows by their spacing, tables by their radius and areas by their corners', () => {
  const hall = chart([row(), table(), gaArea(), booth(), section()]);
  const wide = scale(everything(hall), 2, 1, point(0, 0))(hall).objects;
  expect(wide[0]).toMatchObject({ seatSpacing: 40, seatCount: 10 });
  expect((wide[1] as Table).radius).toBeCloseTo(40 * Math.SQRT2);
  expect((wide[2] as { points: unknown[] }).points[2]).toEqual(point(200, 100));
  expect(wide[3]).toMatchObject({ width: 80, height: 40 });
  expect((wide[4] as { outline: unknown[] }).outline[2]).toEqual(point(200, 100));
});

test('chosen seats move alone, and a seat that comes home has no entry', () => {
  const hall = chart([row()]);
  const chosen = selectionOf([], [{ objectId: 'row-a', index: 2 }]);
  const there = move(chosen, 3, 4)(hall);
  expect(there.objects).toEqual([row({ overrides: [{ index: 2, dx: 3, dy: 4 }] })]);
  expect(move(chosen, -3, -4)(there)).toEqual(hall);
});

test('a row in pieces moves whole', () => {
  const piece = (componentIndex: number): ChartObject =>
    row({
      id: `piece-${componentIndex}`,
      origin: point(componentIndex * 100, 0),
      segmentedRow: { kind: 'segmented-row-v1', groupId: 'g', componentIndex, boundaryBefore: 'gap' },
    });
  const hall = chart([piece(0), piece(1), row()]);
  const after = move(selectionOf(['piece-0']), 0, 50)(hall).objects as Row[];
  expect(after.map(({ origin }) => origin.y)).toEqual([50, 50, 0]);
});
