/** The texts of the map's drawing, on a pen that notes them: numbers, names of rows and tables, cards of sections. */
import { describe, expect, test } from 'vitest';
import { demoTheatre } from '../../scripts/generate-charts.mjs';
import type { ChartDocument } from '../../shared/src/charts/document.ts';
import { pointInOutline } from '../../shared/src/charts/membership.ts';
import { templates, usualSizes } from '../../shared/src/charts/templates/templates.ts';
import { drawCaptions, layCaptions } from '../../web/src/draw/captions.ts';
import type { Plot } from '../../web/src/draw/plot.ts';
import { stuckNames } from '../../web/src/draw/row-names.ts';
import { makeScene } from '../../web/src/draw/scene.ts';
import { drawSeats } from '../../web/src/draw/seats.ts';
import type { Theme } from '../../web/src/draw/theme.ts';
import { wordsOf } from '../../web/src/messages/words.ts';
import { createOwnPaint, createPainter } from '../../web/src/painter.ts';
import { mapFilterOf, noFilter, toggled } from '../../web/src/panel/filter.ts';
import { overlaps } from '../../web/src/rules/bounds.ts';
import { centred, fitted, toScreen } from '../../web/src/rules/camera.ts';
import { type Hall, hallOf } from '../../web/src/rules/hall.ts';
import { bareOffers } from '../../web/src/rules/prices.ts';
import { turned } from '../../web/src/rules/rooms.ts';
import * as choose from '../../web/src/rules/selection.ts';
import { noStatuses, takeDelta, takeSnapshot } from '../../web/src/rules/statuses.ts';
import type { House } from '../../web/src/sale/house.ts';
import type { SaleState } from '../../web/src/sale/sale-state.ts';
import { describeSpot, type Judged } from '../../web/src/telling.ts';

const theatre = demoTheatre() as unknown as ChartDocument;
/** Beside the demo's table, which is sold as a whole, one whose chairs are sold one by one. */
const chairs = {
  type: 'table',
  id: 'table-2',
  label: 'Table 2',
  shape: 'round',
  seatCount: 4,
  center: { x: 250, y: -100 },
};
const objects = [
  ...theatre.objects.filter(({ type }) => type !== 'booth'),
  { ...chairs, rotation: 0, categoryKey: 'premium' } as unknown as ChartDocument['objects'][number],
];
const hall = hallOf({ ...theatre, objects });
const spot = (label: string) => hall.spotOf.get(label)!;
const words = wordsOf('en');

const theme: Theme = {
  ground: '#f5f6f9',
  floor: '#f0f0f2',
  surface: '#fffffe',
  text: '#14171f',
  accent: '#0b57d0',
  edge: '#c0c0c4',
  empty: '#dfe2e8',
  faint: '#757b87',
  stage: '#404450',
  font: 'sans-serif',
  contrastMin: 3,
};

const nothingYet: SaleState = {
  selection: choose.nothing,
  held: choose.nothing,
  hold: null,
  bought: null,
  busy: null,
  notice: null,
  quote: null,
  lost: null,
};
const item = (label: string, unitPrice: number, tierId = 'adult') => ({
  label,
  unitPrice,
  tierId,
  objectId: label,
  objectType: 'seat' as const,
  currency: 'EUR',
});
const chosen = (...labels: string[]) =>
  labels.map((label) => choose.chosenSpot(hall, spot(label))).reduce(choose.withChosen, choose.nothing);
const holdOf = (...items: ReturnType<typeof item>[]) => ({
  holdId: 'hld_1',
  expiresAt: 0,
  extends: 0,
  items,
  labels: items.map(({ label }) => label),
});

function houseWith(seats: Record<string, string> = {}): House {
  const statuses = noStatuses(hall);
  const frame = { type: 'snapshot' as const, snapshotVersion: 1, default: 'free', seats, hidden: [], closed: [] };
  takeSnapshot(statuses, hall, { ...frame, ga: { standing: { free: 20 } } });
  const event = { currency: 'EUR' } as House['event'];
  return {
    event,
    hall,
    statuses,
    offers: [bareOffers],
    waiting: null,
    salesEndAt: null,
    companionsUntil: null,
    performances: [],
    lackingOf: () => [],
  };
}

function sceneOf(house: House, sale: SaleState = nothingYet, marked: ReadonlySet<string> = new Set()) {
  const painting = {
    words: () => words,
    house: () => house,
    sale,
    marked: () => marked,
    hasOwnColours: true,
    baseUrl: 'https://seats.example',
  };
  return makeScene(hall, createPainter(painting), theme, () => {});
}

/** The whole chart at this many CSS pixels a unit. */
function plotAt(scale: number, isNear = true): Plot {
  const { left, top, right, bottom } = hall.bounds;
  const rect = { left: left - 100, top: top - 100, right: right + 100, bottom: bottom + 100 };
  return { floor: 0, rect, units: scale, left: 0, top: 0, ratio: 1, pixel: 1 / scale, isNear };
}

type Written = { text: string; colour: string; alpha: number };

type Arc = { x: number; y: number; from: number; to: number };

/** Notes the arcs of each path that is filled. */
function fillingPen() {
  const fills: Arc[][] = [];
  let path: Arc[] = [];
  const state: Record<string, unknown> = {
    beginPath: () => {
      path = [];
    },
    arc: (x: number, y: number, _: number, from: number, to: number) => path.push({ x, y, from, to }),
    fill: () => fills.push(path),
  };
  const pen = new Proxy(state, { get: (its, name: string) => (name in its ? its[name] : () => {}) });
  return { pen: pen as unknown as CanvasRenderingContext2D, fills };
}

/** Notes its texts. Everything else that it is asked to draw leaves no trace. */
function notingPen() {
  const written: Written[] = [];
  const state: Record<string, unknown> = { globalAlpha: 1 };
  const pen = new Proxy(state, {
    get(its, name: string) {
      if (name === 'fillText')
        return (text: string) => written.push({ text, colour: String(its.fillStyle), alpha: Number(its.globalAlpha) });
      return name in its ? its[name] : () => {};
    },
  });
  return { pen: pen as unknown as CanvasRenderingContext2D, written };
}

const measure = (text: string) => text.length * 0.55;

test('chosen, held and bought seats keep their number, in ink that stands out', () => {
  const held = chosen('D-6');
  const sale = {
    ...nothingYet,
    selection: new Map([...chosen('D-5'), ...held]),
    held,
    hold: holdOf(item('D-6', 40)),
    bought: { items: [item('D-7', 40)], leftOut: [] },
  };
  const { pen, written } = notingPen();
  drawSeats(pen, sceneOf(houseWith({ 'D-6': 'held', 'D-7': 'booked', 'D-8': 'booked' }), sale), plotAt(1.5));
  const onOwn = written.filter(({ colour }) => colour === theme.surface).map(({ text }) => text);
  expect(onOwn.sort()).toEqual(['5', '6', '7']);
  expect(written.filter(({ text }) => text === '8')).toHaveLength(7);
});

test('every row has its name at both ends', () => {
  const { pen, written } = notingPen();
  drawCaptions(pen, sceneOf(houseWith()), plotAt(1.5), []);
  const names = written.map(({ text }) => text).sort();
  expect(names).toEqual([...'ABCDEFGH'].flatMap((name) => [name, name]));
});

test('the name of a row sticks to the edge of the map where the row runs out of it', () => {
  const scene = sceneOf(houseWith());
  const size = { width: 300, height: 200 };
  const at = (label: string, scale: number) =>
    centred({ x: hall.x[spot(label)]!, y: hall.y[spot(label)]! }, scale, size);
  const near = stuckNames(scene, 0, at('D-6', 1), size);
  expect(near.map(({ text, x }) => [text, Math.round(x)])).toEqual(
    expect.arrayContaining([
      ['D', 15],
      ['D', 285],
      ['C', 15],
      ['E', 285],
    ]),
  );
  const y = (label: string) => toScreen(at('D-6', 1), { x: hall.x[spot(label)]!, y: hall.y[spot(label)]! }).y;
  const stuck = near.find(({ text, x }) => text === 'D' && x < 20)!;
  expect(Math.abs(stuck.y - y('D-3'))).toBeLessThan(15);
  // The end of row D is on the map, with its own name, and far away seats are too small for names.
  expect(stuckNames(scene, 0, at('D-12', 1), size).filter(({ text, x }) => text === 'D' && x > 150)).toEqual([]);
  expect(stuckNames(scene, 0, at('D-6', 0.2), size)).toEqual([]);
});

test('a free place with a restricted view has a mark, and keeps its number', () => {
  const { pen, fills } = fillingPen();
  const scene = sceneOf(houseWith({ 'A-2': 'booked' }));
  scene.hall = { ...hall, restricted: new Set([spot('A-1'), spot('A-2')]) };
  drawSeats(pen, scene, plotAt(1));
  const marks = fills.filter((arcs) => arcs.some(({ from, to }) => from > 0 && to < Math.PI));
  const { x, y } = { x: hall.x[spot('A-1')]!, y: hall.y[spot('A-1')]! };
  expect(marks.flat().map((arc) => [arc.x, arc.y])).toEqual([[x, y]]);
});

test('a table has its name, sold as a whole or by chairs', () => {
  const { pen, written } = notingPen();
  drawSeats(pen, sceneOf(houseWith()), plotAt(1.5));
  const names = written.map(({ text }) => text).filter((text) => text.startsWith('Table'));
  expect(names.sort()).toEqual(['Table 1', 'Table 2']);
});

test('a price that is tapped dims the seats and tables of all other prices', () => {
  const scene = sceneOf(houseWith());
  scene.filter = mapFilterOf(toggled(noFilter, 1), hall, [bareOffers]);
  const { pen, written } = notingPen();
  drawSeats(pen, scene, plotAt(1.5));
  const bright = written.filter(({ alpha }) => alpha === 1);
  // Rows D to H, without the numbers of the wheelchair and the companion place.
  expect(bright.filter(({ text }) => /^\d+$/.test(text))).toHaveLength(5 * 12 - 2);
  expect(written.find(({ text }) => text === 'Table 1')!.alpha).toBeLessThan(0.5);
});

test('a section tells its free places and lowest price from afar, and the buyer’s places first', () => {
  const linesOf = (house: House, sale?: SaleState) => sceneOf(house, sale).painter.cardOf(stalls).lines;
  const stalls = hall.blocks.findIndex(({ label }) => label === 'Stalls');
  expect(linesOf(houseWith({ 'A-1': 'booked' }))).toEqual(['95 free', 'from €40']);
  const ours = { ...nothingYet, selection: chosen('A-1') };
  expect(linesOf(houseWith(), ours)).toEqual(['✓ 1 yours', '96 free', 'from €40']);
  const scene = sceneOf(houseWith());
  const texts = layCaptions(scene, 0.4, 0, false, measure).flatMap(({ lines }) => lines.map(({ text }) => text));
  expect(texts).toEqual(expect.arrayContaining(['Stalls', '96 free', 'from €40', 'Standing', '20 free']));
});

test('a section tells another lowest price when seats change places, with as many free as before', () => {
  const category = hall.categories[hall.categoryOf[spot('A-1')]!]!;
  const priceOverrides = (category.tiers ?? []).map(({ id }) => ({ categoryKey: category.key, tierId: id, price: 5 }));
  const channels = [{ channelId: 'chn_1', priceOverrides }];
  const channelOf = new Map([['A-1', 'chn_1']]);
  const house = { ...houseWith({ 'A-2': 'booked' }), offers: [{ ...bareOffers, channels, channelOf }] };
  const { painter } = sceneOf(house);
  const stalls = hall.blockOf[spot('A-1')]!;
  const before = painter.cardOf(stalls);
  expect(before.lines).toEqual(['95 free', 'from €5']);
  expect(painter.cardOf(stalls)).toBe(before);
  const changes = Object.entries({ 'A-1': 'booked', 'A-2': 'free' }).map(([label, status]) => ({ label, status }));
  takeDelta(house.statuses, hall, { type: 'delta', snapshotVersion: 2, changes });
  expect(painter.cardOf(stalls).lines).toEqual(['95 free', 'from €40']);
});

test.each([0.12, 0.2, 0.3, 0.39])('texts never meet on a small screen, at %d pixels a unit', (scale) => {
  const signs = ['Bar and cloakroom', 'Entrance from the street', 'Stairs to the balcony'].map((label, index) => {
    return { type: 'text', id: `sign-${index}`, label, text: label, center: { x: 200 + 120 * index, y: 700 } };
  });
  const crowded = hallOf({ ...theatre, objects: [...objects, ...(signs as unknown as typeof objects)] });
  const scene = makeScene(crowded, sceneOf(houseWith()).painter, theme, () => {});
  for (const isNear of [false, true]) {
    const boxes = layCaptions(scene, scale, 0, isNear, measure).map(({ box }) => box);
    expect(boxes.length).toBeGreaterThan(0);
    const meeting = boxes.filter((box, index) => boxes.slice(index + 1).some((other) => overlaps(box, other)));
    expect(meeting).toEqual([]);
  }
});

test('a seat at fault has the sign on its own look, and is painted anew with and without it', () => {
  const house = houseWith();
  const marked = new Set(['C-5', 'C-6']);
  const sale = { ...nothingYet, selection: chosen('C-5') };
  const { painter } = sceneOf(house, sale, marked);
  const lookOf = (label: string) => painter.lookOf(spot(label));
  expect([lookOf('C-5'), lookOf('C-6'), lookOf('C-7')]).toMatchObject([
    { glyph: 'chosen', isMarked: true },
    { glyph: 'free', isMarked: true },
    { glyph: 'free', isMarked: false },
  ]);
  const repainted: string[][] = [];
  const view = {
    repaint: (spots: Iterable<number>) => void repainted.push([...spots].map((each) => hall.labels[each]!)),
  };
  const paint = createOwnPaint();
  paint(house, { ...sale, marked }, view);
  paint(house, { ...sale, marked }, view);
  paint(house, { ...sale, marked: new Set() }, view);
  expect(repainted.map((labels) => labels.includes('C-6'))).toEqual([true, true]);
});

test('the card and the list tell the price of the buyer’s own row, and else the price at which a choice begins', () => {
  const judged = { marked: new Set<string>(), isForAll: () => false };
  const told = (sale: SaleState, label: string, house = houseWith(), by: Judged = judged) =>
    describeSpot(words, house, sale, by, spot(label)).slice(-2);
  expect(told(nothingYet, 'C-5')).toEqual(['€60', 'available']);
  const selection = choose.withTier(chosen('C-5', 'Table 1'), 'C-5', 'child');
  expect(told({ ...nothingYet, selection }, 'C-5')).toEqual(['€30', 'chosen']);
  // A seat at fault, a seat that the choice would leave alone, and a companion's place that is for all.
  const faults = { marked: new Set(['C-5', 'C-6']), isForAll: () => true };
  const ofFaults = (label: string) => told({ ...nothingYet, selection }, label, houseWith(), faults)[1];
  expect(ofFaults('C-5')).toBe('chosen, breaks a rule of this sale');
  expect(ofFaults('C-6')).toBe('available to everybody, would be left alone');
  expect(told(nothingYet, 'Table 1')).toEqual(['€60 a guest, up to 6 guests', 'available']);
  expect(told({ ...nothingYet, selection }, 'Table 1')).toEqual(['€360, for 6 guests', 'chosen']);
  // A hold keeps its price after the chart's price has changed.
  const held = chosen('C-6');
  const kept = { ...nothingYet, selection: held, held, hold: holdOf(item('C-6', 45)) };
  expect(told(kept, 'C-6', houseWith({ 'C-6': 'held' }))).toEqual(['€45', 'held for you']);
  expect(told({ ...kept, selection: choose.nothing }, 'C-6', houseWith({ 'C-6': 'held' }))).toEqual([
    '€45',
    'held for you',
  ]);
});

describe('names of sections', () => {
  const measure = (text: string) => text.length * 0.56;
  const screens = [
    { width: 390, height: 400 },
    { width: 1080, height: 800 },
  ];
  const painter = (hall: Hall) => ({
    lookOf: () => ({ glyph: 'free' as const, category: 0 }),
    cardOf: () => ({ share: 0.9, lines: ['81 free', 'from €45'], isOurs: false }),
    areaCardOf: () => ({ share: 0.9, lines: ['81 free'], isOurs: false }),
    coloursOn: () => hall.categories.map(() => '#0072b2'),
    addressOf: String,
  });

  function captionsOf(hall: Hall, scale: number) {
    return layCaptions(
      makeScene(hall, painter(hall), theme, () => {}),
      scale,
      0,
      false,
      measure,
    );
  }

  /** The corners of a text, in chart units. */
  function cornersOf({ x, y, turn, height, lines }: ReturnType<typeof captionsOf>[number], scale: number) {
    const wide = Math.max(...lines.map(({ text, pixels }) => measure(text) * pixels)) / 2;
    const corners = [-1, 1].flatMap((right) => [-1, 1].map((down) => ({ x: right * wide, y: (down * height) / 2 })));
    return corners.map((corner) => {
      const at = turned(corner, turn);
      return { x: (x + at.x) / scale, y: (y + at.y) / scale };
    });
  }

  test('stand within each section of arena and stadium, on a phone too, and each section has one', () => {
    for (const template of templates.filter(({ id }) => ['arena', 'stadium', 'theatre'].includes(id))) {
      const hall = hallOf(template.draw(usualSizes(template)));
      for (const size of screens) {
        const { scale } = fitted(hall.bounds, size);
        const captions = captionsOf(hall, scale).filter(({ of }) => of.block !== undefined);
        const named = captions.map(({ of }) => of.block);
        expect(named.toSorted()).toEqual(
          [...hall.blocks.keys()]
            .filter((index) => hall.blocks[index]!.outline && hall.blocks[index]!.floor === 0)
            .toSorted(),
        );
        for (const caption of captions) {
          const { outline } = hall.blocks[caption.of.block!]!;
          expect(cornersOf(caption, scale).every((corner) => pointInOutline(corner, outline!))).toBe(true);
        }
      }
    }
  });

  const slanted = (label: string, x: number, width: number, fields: object = {}) => ({
    type: 'section',
    id: label,
    label,
    outline: [
      { x, y: 0 },
      { x: x + width, y: 0 },
      { x: x + width + 200, y: 200 },
      { x: x + 200, y: 200 },
    ],
    ...fields,
  });

  test('run along a slanted section, keep the angle of the chart, and else stand over the edges on a halo', () => {
    const sections = [
      slanted('Goal Stand 3', 0, 45),
      slanted('North', 300, 60, { labelRotation: 225 }),
      slanted('Grandstand', 600, 18),
      slanted('No room', 900, 1),
    ];
    const captions = captionsOf(hallOf({ ...theatre, objects: sections as never[] }), 1);
    expect(captions.map(({ lines, turn, of }) => [lines[0]!.text, Math.round(turn), of.halo !== null])).toEqual([
      ['North', 45, false],
      ['Goal Stand 3', 43, false],
      ['Grandstand', 45, false],
    ]);
    const [tiny] = captionsOf(hallOf({ ...theatre, objects: [slanted('207', 0, 18)] as never[] }), 0.3);
    expect(tiny).toMatchObject({ of: { halo: expect.stringMatching(/^#/) } });
  });
});
