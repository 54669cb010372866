/** Rows that the chart gives in pieces (segmentedRow): neighbours across a continuous boundary. */
import { compilePlan } from '@parterre/shared/charts/compile';
import type { ChartObject } from '@parterre/shared/charts/document';
import { followsNeighbour } from '@parterre/shared/charts/plan';
import type { Command, SeatQuery } from '@parterre/shared/protocol/commands';
import { expect, test } from 'vitest';
import { chart, row, section } from '../../../support/charts.ts';
import { callId, house } from '../../../support/inventory/house.ts';

const piece = (componentIndex: number, seatCount: number, x: number, more: object = {}) =>
  row({
    id: `piece-${componentIndex}`,
    label: `P${componentIndex}`,
    seatCount,
    origin: { x, y: 0 },
    segmentedRow: {
      kind: 'segmented-row-v1',
      groupId: 'row-1',
      componentIndex,
      componentCount: 2,
      boundaryBefore: componentIndex === 0 ? 'start' : 'continuous',
      displayLabel: 'P',
      ...more,
    },
  });

const hall = (...objects: ChartObject[]) => compilePlan(chart(objects, { focalPoint: { x: 0, y: -50 } }), 'pieces');
const best = (query: SeatQuery): Command & { type: 'hold-best' } => ({ type: 'hold-best', holdId: callId(), query });
const book = (...labels: string[]): Command => ({
  type: 'book-direct',
  callId: callId(),
  bookingRef: `seats of ${callId()}`,
  selections: labels.map((label) => ({ label })),
});

test('a party sits across a continuous boundary', () => {
  const event = house('platform', hall(piece(0, 3, -50), piece(1, 3, 10)));
  expect(event.ok(best({ qty: 5 })).labels).toEqual(['P0-1', 'P0-2', 'P0-3', 'P1-1', 'P1-2']);
});

test('a run that would strand the last seat of the piece before is taken last', () => {
  const pieces = hall(piece(0, 3, -50), piece(1, 3, 10));
  const event = house('platform', pieces);
  event.ok(book('P0-1', 'P0-2'));
  // P1-1 and P1-2 would leave P0-3 alone and P1-3 too.
  expect(event.ok(best({ qty: 2 })).labels).toEqual(['P0-3', 'P1-1']);
  const apart = house('platform', hall(piece(0, 3, -50), piece(1, 3, 10, { boundaryBefore: 'gap' })));
  apart.ok(book('P0-1', 'P0-2'));
  expect(apart.ok(best({ qty: 3 })).labels).toEqual(['P1-1', 'P1-2', 'P1-3']);
});

test('a change in the second piece is seen by the next search', () => {
  const event = house('platform', hall(piece(0, 3, -50), piece(1, 3, 10)));
  event.ok(best({ qty: 6 }));
  const other = house('platform', hall(piece(0, 3, -50), piece(1, 3, 10)));
  expect(other.ok(best({ qty: 1 })).labels).toHaveLength(1);
  other.ok(book('P1-2'));
  expect(other.refused(best({ qty: 6 }))).toMatchObject({ code: 'conflict' });
});

test.each([
  ['a gap', [piece(0, 3, -50), piece(1, 3, 10, { boundaryBefore: 'gap' })]],
  ['another group', [piece(0, 3, -50), piece(1, 3, 10, { groupId: 'row-2' })]],
  ['a missing piece', [piece(0, 3, -50), piece(2, 3, 10)]],
  ['another kind', [piece(0, 3, -50), piece(1, 3, 10, { kind: 'segmented-row-v2' })]],
  ['a row between', [piece(0, 3, -50), row({ id: 'other', label: 'O', origin: { x: 0, y: 50 } }), piece(1, 3, 10)]],
])('%s parts the pieces', (_, objects) => {
  const plan = hall(...objects);
  const parted = plan.objects.map(({ firstUnit }) => followsNeighbour(plan, firstUnit));
  expect(parted).toEqual(objects.map(() => false));
});

test('a row ends where its section ends', () => {
  const left = section({ id: 'left' });
  const outline = [
    { x: -90, y: -9 },
    { x: 0, y: -9 },
    { x: 0, y: 9 },
    { x: -90, y: 9 },
  ];
  const plan = hall({ ...left, outline }, piece(0, 3, -50), piece(1, 3, 10));
  expect(plan.objects.map(({ continues }) => continues)).toEqual([false, false]);
});
