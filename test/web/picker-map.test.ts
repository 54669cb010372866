/** The picker's decisions about its drawing: colours, texts, names, pictures, and the fingers that scroll the page. */
import { describe, expect, test } from 'vitest';
import { demoTheatre } from '../../scripts/generate-charts.mjs';
import type { ChartDocument, ChartObject } from '../../shared/src/charts/document.ts';
import { listenToGestures } from '../../web/src/draw/gestures.ts';
import { noBounds, topAt } from '../../web/src/rules/bounds.ts';
import {
  between,
  type Camera,
  fitted,
  kept,
  seen,
  touchActionOf,
  zoomed,
  zoomLimits,
} from '../../web/src/rules/camera.ts';
import { formsOf, placeCaptions } from '../../web/src/rules/captions.ts';
import { hasPlaceIn, partAround } from '../../web/src/rules/find.ts';
import { floorOfFilter, type Matches, matchesIn, placesByFloor } from '../../web/src/rules/floors.ts';
import { hallOf, rowsOf, viewFromSeat } from '../../web/src/rules/hall.ts';
import { categoryColours, contrastOf, inkOn, mixed } from '../../web/src/rules/palette.ts';
import { chosenArea, chosenSpot } from '../../web/src/rules/selection.ts';
import { noStatuses, takeSnapshot } from '../../web/src/rules/statuses.ts';

const light = { grounds: ['#ffffff', '#f1f1f2'], contrastMin: 3 };
const dark = { grounds: ['#14171f', '#23262e'], contrastMin: 3 };

describe('colours of categories', () => {
  test('are the chart’s own where they stand out, and else a lighter or darker shade that does', () => {
    expect(categoryColours([{ color: '#A31515' }, { color: '#06c' }], true, light)).toEqual(['#a31515', '#0066cc']);
    for (const backdrop of [light, dark]) {
      const colours = categoryColours([{ color: '#ffe119' }, { color: '#000080' }, { color: 'red' }], true, backdrop);
      for (const colour of colours) {
        for (const ground of backdrop.grounds) expect(contrastOf(colour, ground)).toBeGreaterThanOrEqual(3);
      }
    }
  });

  test('differ for thirty categories, and for categories to which the chart gives one colour', () => {
    for (const own of [true, false]) {
      const many = categoryColours(Array(30).fill({ color: '#808080' }), own, light);
      expect(new Set(many).size).toBe(30);
    }
    const [first, second] = categoryColours([{ color: '#c00' }, { color: '#c00' }], true, light);
    expect(first).toBe('#cc0000');
    expect(second).not.toBe(first);
  });

  test('have legible ink', () => {
    expect([inkOn('#0072b2'), inkOn('#e69f00')]).toEqual(['#ffffff', '#14171f']);
    expect(mixed('#000000', '#ffffff', 0.5)).toBe('#808080');
  });
});

describe('texts of a map', () => {
  const widthOf = (text: string) => text.length * 0.6;
  const wish = (of: string, x: number, width: number) => {
    return { of, rooms: [{ x, y: 50, width, height: 100, turn: 0 }], forms: formsOf(of, ['12 free', 'from €45']) };
  };

  test('shrink to their room, then leave lines out, then stay away', () => {
    const [wide, narrow, tiny, ...others] = placeCaptions(
      [wish('Stalls', 0, 120), wish('Circle', 200, 40), wish('Box', 300, 20), wish('Balcony', 400, 10)],
      widthOf,
    );
    expect(wide!.lines.map(({ text }) => text)).toEqual(['Stalls', '12 free', 'from €45']);
    expect(narrow!.lines.length).toBeLessThan(3);
    expect(tiny!.lines.map(({ text }) => text)).toEqual(['Box']);
    expect(others).toEqual([]);
  });

  test('never meet: a later text makes itself small or stays away', () => {
    const placed = placeCaptions([wish('Stalls', 0, 120), wish('Circle', 30, 120), wish('Box', 5, 120)], widthOf);
    expect(placed.map(({ of }) => of)).toEqual(['Stalls']);
    const beside = placeCaptions([wish('Stalls', 0, 120), wish('Circle', 62, 120)], widthOf);
    expect(beside.map(({ of }) => of)).toEqual(['Stalls', 'Circle']);
    expect(beside[0]!.box.right).toBeLessThan(beside[1]!.box.left);
  });
});

test('the name of a bent section stands on its edge, not above its frame', () => {
  const bent = [
    { x: -10, y: 0 },
    { x: 0, y: 6 },
    { x: 10, y: 0 },
    { x: 10, y: 4 },
    { x: 0, y: 10 },
    { x: -10, y: 4 },
  ];
  expect([topAt(bent, 0), topAt(bent, 5), topAt(bent, 10), topAt(bent, 11)]).toEqual([6, 3, 0, null]);
});

describe('a hall', () => {
  const theatre = demoTheatre() as ChartDocument;
  const withObjects = (...objects: object[]) =>
    hallOf({ ...theatre, objects: [...theatre.objects, ...(objects as ChartObject[])] });
  const row = { type: 'row', id: 'r9', label: 'ROW9', origin: { x: 0, y: 900 }, rotation: 0, curve: 0, seatCount: 3 };
  const named = { ...row, displayLabel: 'Z', seatSpacing: 30, categoryKey: theatre.categories[0]!.key };

  test('shows display labels of rows, seats, tables and areas, and keeps the labels for calls', () => {
    const hall = withObjects({ ...named, overrides: [{ index: 1, displayLabel: '1 bis' }] });
    const spot = hall.spotOf.get('ROW9-2')!;
    expect([hall.objects[hall.objectOf[spot]!]!.name, hall.numbers[spot], hall.numbers[spot + 1]]).toEqual([
      'Z',
      '1 bis',
      '3',
    ]);
    expect(rowsOf(hall, hall.blocks[hall.blockOf[spot]!]!).map(({ label }) => label)).toContain('Z');
    const pieces = withObjects({ ...named, segmentedRow: { kind: 'segmented-row-v1', displayLabel: 'Long' } });
    expect(pieces.objects.at(-1)!.name).toBe('Long');
  });

  test('places a row without `curve`, and gives seats a size and the hall an extent whatever a document has', () => {
    const { curve: _, ...plain } = named;
    const placed = (object: object) => {
      const hall = withObjects(object);
      return ['ROW9-1', 'ROW9-3'].map((label) => [hall.x, hall.y].map((column) => column[hall.spotOf.get(label)!]));
    };
    expect(placed(plain)).toEqual(placed(named));
    for (const odd of [
      { seatSpacing: 0 },
      { seatSpacing: -30 },
      { origin: { x: Infinity, y: 0 } },
      { rotation: NaN },
    ]) {
      const { bounds, size } = withObjects(
        { ...named, ...odd },
        { type: 'text', text: 'Far', center: { x: NaN, y: -Infinity } },
      );
      expect(Object.values(bounds).every(Number.isFinite)).toBe(true);
      expect(size.every((each) => Number.isFinite(each) && each > 0)).toBe(true);
    }
  });

  test('knows the view from a seat, and takes no address but of a picture', () => {
    const hall = withObjects({
      ...named,
      viewFromSeatUrl: 'https://pictures.example/row.jpg',
      overrides: [
        { index: 0, viewFromSeatUrl: '/v1/events/e/assets/a' },
        { index: 1, viewFromSeatUrl: 'javascript:alert(1)' },
      ],
    });
    const views = ['ROW9-1', 'ROW9-2', 'Booth 1'].map((label) => viewFromSeat(hall, hall.spotOf.get(label)!));
    expect(views).toEqual(['/v1/events/e/assets/a', 'https://pictures.example/row.jpg', null]);
  });

  test('has the chart’s pictures, the background below the others, and the chairs of a table sold as a whole', () => {
    const pictures = hallOf({
      ...theatre,
      backgroundImage: { url: 'plan.png', x: 10, y: 20, width: 300, height: 200, opacity: 0.5 },
      objects: [
        ...theatre.objects,
        { type: 'decorImage', src: 'data:image/png;base64,AAAA', center: { x: 5, y: 6 } } as ChartObject,
      ],
    }).pictures;
    expect(pictures.map(({ address, isCentred }) => [address, isCentred])).toEqual([
      ['plan.png', false],
      ['data:image/png;base64,AAAA', true],
    ]);
    expect(pictures[0]!.bounds).toEqual({ left: 10, top: 20, right: 310, bottom: 220 });
    const hall = hallOf(theatre);
    expect(hall.objects.filter(({ mode }) => mode !== 'individual').map(({ chairs }) => chairs.length)).toEqual([6]);
  });
});

describe('a camera', () => {
  const numbers = [NaN, Infinity, -Infinity, 0, 1, -4e5, 1e300];
  const sizes = [0, 1, 390].flatMap((width) => [0, 1, 700].map((height) => ({ width, height })));
  const isSound = ({ scale, x, y }: Camera) => [scale, x, y].every(Number.isFinite) && scale > 0;

  test('has finite numbers for a hall of nothing, of one point, and of coordinates that are no numbers', () => {
    const odd = numbers.flatMap((left) => numbers.map((right) => ({ left, top: right, right, bottom: left })));
    for (const bounds of [noBounds(), { left: 5, top: 5, right: 5, bottom: 5 }, ...odd]) {
      for (const size of sizes) {
        const whole = fitted(bounds, size);
        const near = zoomed(whole, 3, { x: 10, y: 10 }, zoomLimits(bounds, size, 20));
        for (const camera of [whole, near, kept(near, bounds, size), between(whole, near, 0.5)]) {
          if (!isSound(camera)) throw new Error(`${JSON.stringify({ size, camera })} of ${Object.values(bounds)}`);
        }
        expect(touchActionOf(whole, bounds, size)).toMatch(/pan|none/);
      }
    }
  });

  test('shows seats that are revealed in a hall of nothing', () => {
    const size = { width: 390, height: 400 };
    const theatre = demoTheatre() as ChartDocument;
    expect(isSound(fitted(hallOf({ ...theatre, objects: [] }).bounds, size))).toBe(true);
    const hall = hallOf(theatre);
    const part = seen(fitted(hall.bounds, size), size);
    expect(hasPlaceIn(hall, 0, part)).toBe(true);
    expect(hasPlaceIn(hall, 0, { left: 5_000, top: 5_000, right: 6_000, bottom: 6_000 })).toBe(false);
  });
});

describe('floors', () => {
  const theatre = demoTheatre() as ChartDocument;
  const row = (label: string, x: number, y: number) => {
    const place = { origin: { x, y }, rotation: 0, curve: 0, seatCount: 4, seatSpacing: 20 };
    return { type: 'row', id: label, label, categoryKey: 'standard', ...place } as ChartObject;
  };
  const floor = (name: string, ...objects: ChartObject[]) => ({ id: name, name, focalPoint: { x: 0, y: 0 }, objects });
  const standing = theatre.objects.find(({ type }) => type === 'gaArea')!;
  const floors = [floor('Stalls', row('A', 0, 0), row('B', 0, 40)), floor('Gallery', row('C', 900, 500), standing)];
  const hall = hallOf({ ...theatre, floors });
  const statuses = noStatuses(hall);
  const seats = { 'A-1': 'booked', 'C-4': 'held' };
  const frame = { type: 'snapshot' as const, snapshotVersion: 1, default: 'free', seats, hidden: [], closed: [] };
  takeSnapshot(statuses, hall, { ...frame, ga: { standing: { free: 20 } } });

  test('places are shown on the floor that has most of them, areas too', () => {
    expect(partAround(hall, ['A-1', 'C-1', 'C-2'])).toMatchObject({ floor: 1, bounds: { left: expect.any(Number) } });
    expect(partAround(hall, ['A-1', 'C-1'])!.floor).toBe(0);
    expect(partAround(hall, ['Standing'])).toMatchObject({ floor: 1 });
    expect(partAround(hall, ['gone'])).toBe(null);
  });

  test('tell the free places of a filter and the buyer’s own, and a filter shows a floor with a free match', () => {
    const labelled = (...labels: string[]) =>
      matchesIn(hall, { spot: (spot) => labels.includes(hall.labels[spot]!), area: () => false });
    const chosen = new Map([
      ['C-1', chosenSpot(hall, hall.spotOf.get('C-1')!)],
      ['Standing', chosenArea(hall, 'standing', 3)!],
    ]);
    expect(placesByFloor(hall, statuses, null, chosen)).toEqual([
      { matching: null, own: 0 },
      { matching: null, own: 4 },
    ]);
    const all = matchesIn(hall, { spot: () => true, area: () => true });
    expect(placesByFloor(hall, statuses, all, chosen).map(({ matching }) => matching)).toEqual([7, 23]);
    const shown = (matches: Matches) => [0, 1].map((now) => floorOfFilter(hall, statuses, matches, now));
    expect(shown(all)).toEqual([0, 1]);
    expect(shown(labelled('A-1', 'C-1'))).toEqual([1, 1]);
    expect(shown(labelled('C-4'))).toEqual([1, 1]);
    expect(shown(labelled())).toEqual([0, 1]);
  });
});

describe('a tap', () => {
  const tapped = (pointerType: string, ...moves: number[]) => {
    const host = Object.assign(new EventTarget(), {
      getBoundingClientRect: () => ({ left: 0, top: 0 }),
      setPointerCapture() {},
    });
    const told: string[] = [];
    const listener = {
      zoom() {},
      hover() {},
      ignoredWheel() {},
      pan: () => told.push('pan'),
      tap: () => told.push('tap'),
    };
    const end = listenToGestures(host as unknown as HTMLElement, listener);
    const send = (type: string, clientX: number) =>
      host.dispatchEvent(
        Object.assign(new Event(type), { pointerId: 1, pointerType, button: 0, clientX, clientY: 50 }),
      );
    send('pointerdown', 100);
    for (const by of moves) send('pointermove', 100 + by);
    send('pointerup', 100 + moves.at(-1)!);
    end();
    return told;
  };

  test('of a finger moves up to 10 pixels, and of a mouse up to 6', () => {
    expect([tapped('touch', 4, 10), tapped('touch', 4, 11), tapped('touch', 12, 3)]).toEqual([
      ['tap'],
      ['pan'],
      ['pan', 'pan'],
    ]);
    expect([tapped('mouse', 6), tapped('mouse', 7)]).toEqual([['tap'], ['pan']]);
  });
});

test('one finger scrolls the page while the whole hall is seen, and else only where the map ends', () => {
  const size = { width: 400, height: 300 };
  const bounds = { left: 0, top: 0, right: 1000, bottom: 600 };
  expect(touchActionOf({ scale: 0.3, x: 50, y: 60 }, bounds, size)).toBe('pan-x pan-y');
  expect(touchActionOf({ scale: 1, x: -200, y: -100 }, bounds, size)).toBe('none');
  expect(touchActionOf({ scale: 1, x: -200, y: 0 }, bounds, size)).toBe('pan-up');
});
