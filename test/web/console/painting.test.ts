/** The map painted by channel. */
import { expect, test } from 'vitest';
import { byChannel, type Painted } from '../../../web/console/channels/painting.ts';
import type { Painter } from '../../../web/src/draw/scene.ts';
import type { Hall } from '../../../web/src/rules/hall.ts';

const hall = {
  labels: ['A-1', 'A-2', 'A-3', 'A-4'],
  numbers: ['1', '2', '3', '4'],
  accessibilityOf: [0, 0, 0, 0],
  blocks: [{ spots: [0, 1, 2, 3] }],
  areas: [{ segments: [{ sourceAreaId: 'floor', startIndex: 0, count: 2 }] }],
} as unknown as Hall;
const usual = {
  cardOf: () => ({ share: 1, lines: ['4 of 4 free'], isOurs: false }),
  areaCardOf: () => ({ share: 1, lines: ['2 places'], isOurs: false }),
} as unknown as Painter;

const channels: Record<string, string> = { 'A-2': 'club', 'A-3': 'club', __sl_ga__floor__2: 'club' };
const painted: Painted = {
  channels: [{ id: 'club', color: '#d55e00' }] as unknown as Painted['channels'],
  numbers: new Map([['club', 1]]),
  letters: new Map([['club', 'C']]),
  open: 'club',
  view: null,
  channelOf: (label) => channels[label] ?? null,
  statusOf: (label) => (label === 'A-3' ? 'booked' : 'free'),
  isChosen: (label) => label === 'A-4',
  cardLine: (letter, count) => `${letter}: ${count}`,
  coloured: () => {},
};

test('a seat has the colour and letters of its channel, the mark of the open one, and the shape of its status', () => {
  const painter = byChannel(() => painted)(usual, hall);
  expect([0, 1, 2, 3].map((spot) => painter.lookOf(spot))).toEqual([
    { glyph: 'free', category: 0, isMarked: false },
    { glyph: 'free', category: 1, isMarked: true },
    { glyph: 'booked', category: 1, isMarked: true },
    { glyph: 'chosen', category: 0, isMarked: false },
  ]);
  expect([0, 1, 2, 3].map((spot) => painter.textOf!(spot))).toEqual(['1', 'C', 'C', '4']);
});

test('sections and areas from afar name the places of each channel', () => {
  const painter = byChannel(() => painted)(usual, hall);
  expect(painter.cardOf(0).lines).toEqual(['C: 2', '4 of 4 free']);
  expect(painter.areaCardOf(0).lines).toEqual(['C: 1', '2 places']);
});

test('the view of a channel’s buyers has their statuses instead', () => {
  const view = { default: 'not_for_sale', seats: { 'A-2': 'free', 'A-3': 'booked' } };
  const painter = byChannel(() => ({ ...painted, view }))(usual, hall);
  expect([0, 1, 2].map((spot) => painter.lookOf(spot).glyph)).toEqual(['closed', 'free', 'booked']);
});
