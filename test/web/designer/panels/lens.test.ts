/** The map marks the places that have what the brush paints, after every edit. */
import type { ChartDocument, ChartObject } from '@parterre/shared/charts/document';
import { describe, expect, test } from 'vitest';
import { CardPrices } from '../../../../web/designer/canvas/card-prices.ts';
import { lensOf } from '../../../../web/designer/canvas/lens.ts';
import { LiveHall } from '../../../../web/designer/canvas/live-hall.ts';
import { setBackground } from '../../../../web/designer/edits/background.ts';
import { type PaintWhat, paint } from '../../../../web/designer/painting/painting.ts';
import { booth, chart, gaArea, row, seatCategory, section } from '../../../support/charts.ts';

const tiers = [{ id: 'some', name: 'Some', price: 5, applicability: { seatLabels: ['A-2', 'Lawn'] } }];
const objects = [row({ seatCount: 3 }), booth({ center: { x: 500, y: 0 } }), gaArea()];
const document = chart(objects, { categories: [{ ...seatCategory, tiers }] });
const seats = (...indexes: number[]) => ({ objects: new Set<string>(), seats: new Map([['row-a', new Set(indexes)]]) });

function marked(live: LiveHall, of: ChartDocument, what: PaintWhat): string[] {
  const lens = lensOf(what, live, of)!;
  const { labels, areas, blockOf } = live.hall;
  return [
    ...labels.filter((_, spot) => blockOf[spot]! >= 0 && lens.spot(spot)),
    ...areas.flatMap(({ label }, index) => (lens.area(index) ? [label] : [])),
  ];
}

describe('a brush', () => {
  const brushes: [name: string, on: PaintWhat, off: PaintWhat, labels: string[]][] = [
    [
      'for restricted views',
      { kind: 'restrictedView', isOn: true },
      { kind: 'restrictedView', isOn: false },
      ['A-1', 'A-3'],
    ],
    ['for views', { kind: 'view', url: 'https://a.example/b.png' }, { kind: 'view', url: null }, ['A-1', 'A-3']],
    [
      'for a kind of accessibility',
      { kind: 'accessibility', accessibility: 'hearing', isOn: true },
      { kind: 'accessibility', accessibility: 'hearing', isOn: false },
      ['A-1', 'A-3'],
    ],
    [
      'for a tier',
      { kind: 'tier', category: 'seat', tier: 'some', isOn: true },
      { kind: 'tier', category: 'seat', tier: 'some', isOn: false },
      ['A-1', 'A-2', 'A-3', 'Lawn'],
    ],
  ];
  test.each(brushes)('%s marks what it has painted, and nothing after it is erased', (_, on, off, labels) => {
    const live = new LiveHall(document, 0);
    const before = marked(live, document, on);
    const painted = paint(seats(0, 2), on)(document);
    live.change(painted);
    expect(marked(live, painted, on).sort()).toEqual(labels);
    const erased = paint(seats(0, 2), off)(painted);
    live.change(erased);
    expect(marked(live, erased, on)).toEqual(before);
  });

  test('marks whole objects and areas', () => {
    const live = new LiveHall(document, 0);
    const whole = { objects: new Set(['booth-1', 'lawn']), seats: new Map() };
    for (const what of [
      { kind: 'restrictedView', isOn: true },
      { kind: 'view', url: '/a.png' },
    ] as const) {
      const painted = paint(whole, what)(document);
      live.change(painted);
      expect(marked(live, painted, what)).toEqual(['B1', 'Lawn']);
    }
  });

  test('for a category, or for a tier that is gone, marks nothing', () => {
    const live = new LiveHall(document, 0);
    expect(lensOf({ kind: 'category', key: 'seat' }, live, document)).toBeNull();
    expect(lensOf({ kind: 'tier', category: 'seat', tier: 'gone', isOn: true }, live, document)).toBeNull();
  });
});

test('the picture of a deleted row does not stay for the row that takes its place', () => {
  const view = { viewFromSeatUrl: 'https://a.example/b.png', overrides: [{ index: 0, viewFromSeatUrl: '/own.png' }] };
  const live = new LiveHall(chart([row(view as object)]), 0);
  // The places of an object that goes are free from the next change on.
  for (const label of ['B', 'C', 'D']) {
    const after = chart([row({ id: `row-${label}`, label })]);
    live.change(after);
    expect(marked(live, after, { kind: 'view', url: null })).toEqual([]);
  }
});

test('a moved plan to trace draws the whole floor again, and loads nothing again', () => {
  const plan = { url: 'https://a.example/plan.png', x: 0, y: 0, width: 300, height: 200 };
  const live = new LiveHall(document, 0);
  const traced = setBackground(null, plan)(document);
  expect(live.change(traced)).toMatchObject({ parts: null, hasNewPictures: true });
  expect(live.change(setBackground(null, { ...plan, x: 50 })(traced))).toMatchObject({
    parts: null,
    hasNewPictures: false,
  });
  expect(live.hall.pictures[0]!.bounds).toMatchObject({ left: 50 });
});

test('a card has the lowest and the highest price of its places, until they change', () => {
  const front: ChartObject = row({ id: 'row-b', label: 'B', origin: { x: 0, y: 40 }, categoryKey: 'vip' });
  const vip = { key: 'vip', label: 'VIP', color: '#aa0000', price: 50 };
  const of = (objects: ChartObject[]) => chart(objects, { categories: [{ ...seatCategory, tiers }, vip] });
  const live = new LiveHall(of([section(), row({ seatCount: 3 }), front]), 0);
  const prices = new CardPrices();
  const block = live.hall.blocks.findIndex(({ outline }) => outline !== null);
  expect(prices.ofBlock(live.hall, block)).toBeNull();
  prices.areShown = true;
  expect(prices.ofBlock(live.hall, block)).toEqual({ from: 5, to: 50 });
  prices.forget(live.change(of([section(), row({ seatCount: 3 })])).blocks);
  expect(prices.ofBlock(live.hall, block)).toEqual({ from: 5, to: 5 });
});
