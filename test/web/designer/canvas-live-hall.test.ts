/** The floor as the map draws it, changed object by object: after any edits it equals the floor compiled anew. */
import type { ChartDocument, ChartObject } from '@parterre/shared/charts/document';
import { expect, test } from 'vitest';
import { seatPositions } from '../../../shared/src/charts/geometry.ts';
import { Previews } from '../../../web/designer/canvas/board.ts';
import { LiveHall } from '../../../web/designer/canvas/live-hall.ts';
import { rowThrough } from '../../../web/designer/tools/arcs.ts';
import { hallOf } from '../../../web/src/rules/hall.ts';

const square = (x: number, y: number, side: number) => [
  { x, y },
  { x: x + side, y },
  { x: x + side, y: y + side },
  { x, y: y + side },
];
const row = (id: string, x: number, y: number, seatCount: number, categoryKey = 'a'): ChartObject => ({
  type: 'row',
  id,
  label: id,
  origin: { x, y },
  rotation: 0,
  curve: 0,
  seatCount,
  seatSpacing: 20,
  categoryKey,
});
const table = (id: string, x: number, y: number, seatCount: number): ChartObject => ({
  type: 'table',
  id,
  label: id,
  center: { x, y },
  shape: 'round',
  seatCount,
  categoryKey: 'b',
});
const section = (id: string, x: number, y: number, side: number): ChartObject => ({
  type: 'section',
  id,
  label: id,
  outline: square(x, y, side),
});
const area = (id: string, x: number, y: number): ChartObject => ({
  type: 'gaArea',
  id,
  label: id,
  points: square(x, y, 50),
  capacity: 10,
  categoryKey: 'a',
});
const documentOf = (objects: ChartObject[], keys = ['a', 'b']): ChartDocument => ({
  version: 1,
  name: 'Hall',
  venueType: 'SIMPLE',
  focalPoint: { x: 0, y: 0 },
  objects,
  categories: keys.map((key) => ({ key, label: key, color: '#336699' })),
});

/** All that is drawn, in an order of its own, without the sizes of seats, which follow the order of rows. */
function drawn({ hall }: LiveHall): unknown {
  const seats = hall.blocks.flatMap(({ spots, label }, block) =>
    spots.map((spot) => {
      const { id } = hall.objects[hall.objectOf[spot]!]!;
      expect(hall.blockOf[spot]).toBe(block);
      return [id, label, hall.labels[spot], hall.x[spot], hall.y[spot], hall.categoryOf[spot], hall.indexOf[spot]];
    }),
  );
  const bodies = hall.objects.filter(({ body }) => body).map(({ id }) => id);
  const outlines = hall.blocks.flatMap(({ outline, label }) => (outline ? [[label, outline]] : []));
  const sorted = (list: unknown[]) => list.map((each) => JSON.stringify(each)).sort();
  return {
    seats: sorted(seats),
    bodies: sorted(bodies),
    outlines: sorted(outlines),
    areas: hall.areas,
  };
}

test('equals the floor compiled anew after each of many edits', () => {
  let seed = 7;
  const random = (below: number): number => {
    seed = (seed * 48_271) % 2_147_483_647;
    return seed % below;
  };
  let objects: ChartObject[] = [section('s1', 0, 0, 200), section('s2', 150, 150, 200), row('r1', 10, 10, 5)];
  const live = new LiveHall(documentOf(objects), 0);
  let keys = ['a', 'b'];
  for (let step = 0; step < 300; step++) {
    const x = random(400);
    const y = random(400);
    const at = random(objects.length + 1);
    const made = [
      row(`n${step}`, x, y, random(12), random(2) ? 'a' : 'b'),
      table(`n${step}`, x, y, random(9)),
      section(`n${step}`, x, y, 40 + random(200)),
      area(`n${step}`, x, y),
    ][random(4)]!;
    const way = random(6);
    if (objects.length < 4 || way < 2) objects = [...objects, made];
    else if (way === 2) objects = objects.filter((_, index) => index !== at);
    else if (way === 3) objects = objects.toReversed();
    else
      objects = objects.map((each, index) =>
        index === at || random(9) === 0 ? ({ ...made, id: each.id } as ChartObject) : each,
      );
    if (random(40) === 0) keys = keys.toReversed();
    const document = documentOf(objects, keys);
    live.change(document);
    expect(drawn(live), `step ${step}`).toEqual(drawn(new LiveHall(document, 0)));
  }
});

test('spoils the places that an object leaves and takes, and nothing for the same document', () => {
  const far = row('far', 5_000, 5_000, 4);
  const document = documentOf([row('r', 0, 0, 4), far]);
  const live = new LiveHall(document, 0);
  expect(live.change(document).parts).toEqual([]);
  const { parts } = live.change(documentOf([row('r', 0, 300, 4), far]));
  const covers = (x: number, y: number) =>
    parts!.some(({ left, right, top, bottom }) => x >= left && x <= right && y >= top && y <= bottom);
  expect([covers(30, 0), covers(30, 300), covers(5_030, 5_000)]).toEqual([true, true, false]);
});

test('shows proposed numbers on seats, and then the document’s own again', () => {
  const live = new LiveHall(documentOf([row('r', 0, 0, 3)]), 0);
  const previews = new Previews();
  expect(previews.show(live, new Map([['r', ['7', undefined, '9']]])).length).toBe(1);
  expect(live.hall.numbers).toEqual(['7', '2', '9']);
  previews.show(live, null);
  expect(live.hall.numbers).toEqual(['1', '2', '3']);
});

test.each([
  [
    { x: 0, y: 0 },
    { x: 200, y: 0 },
    { x: 100, y: 60 },
  ],
  [
    { x: 0, y: 0 },
    { x: 200, y: 0 },
    { x: 100, y: -60 },
  ],
  [
    { x: 50, y: 200 },
    { x: 20, y: -40 },
    { x: 200, y: 60 },
  ],
  [
    { x: 0, y: 0 },
    { x: 120, y: 90 },
    { x: 60, y: 45 },
  ],
])('a row through three points begins and ends at them, and passes the third: %j %j %j', (start, end, through) => {
  const bow = rowThrough(start, end, through, 12);
  const seats = seatPositions({ ...row('r', start.x, start.y, 0), ...bow, origin: start } as never);
  const apart = (one: typeof start, other: typeof start) => Math.hypot(one.x - other.x, one.y - other.y);
  expect(apart(seats[0]!, start)).toBeLessThan(1e-6);
  expect(apart(seats.at(-1)!, end)).toBeLessThan(bow.curve === 0 ? 12 : 1e-6);
  expect(Math.min(...seats.map((seat) => apart(seat, through)))).toBeLessThan(9);
});

test('a row with most seats of a chart is placed at once, by the designer and by the picker', () => {
  const document = documentOf([row('A', 0, 0, 200_000)]);
  const own = new LiveHall(document, 0).hall;
  const sold = hallOf(document);
  expect([own.labels.length, own.blocks[0]!.spots.length]).toEqual([200_000, 200_000]);
  expect([sold.labels.length, sold.blocks[0]!.spots.length]).toEqual([200_000, 200_000]);
});
