/** The picker's decisions about its drawing: colours, texts, names, pictures, and the fingers that scroll the page. */
import { describe, expect, test } from 'vitest';
import { demoTheatre } from '../../scripts/generate-charts.mjs';
import type { ChartDocument, ChartObject } from '../../shared/src/charts/document.ts';
import { topAt } from '../../web/src/rules/bounds.ts';
import { touchActionOf } from '../../web/src/rules/camera.ts';
import { formsOf, placeCaptions } from '../../web/src/rules/captions.ts';
import { hallOf, rowsOf, viewFromSeat } from '../../web/src/rules/hall.ts';
import { categoryColours, contrastOf, inkOn, mixed } from '../../web/src/rules/palette.ts';

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
    return { of, x, y: 50, room: { width, height: 100 }, forms: formsOf(of, ['12 free', 'from €45']) };
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

test('one finger scrolls the page while the whole hall is seen, and else only where the map ends', () => {
  const size = { width: 400, height: 300 };
  const bounds = { left: 0, top: 0, right: 1000, bottom: 600 };
  expect(touchActionOf({ scale: 0.3, x: 50, y: 60 }, bounds, size)).toBe('pan-x pan-y');
  expect(touchActionOf({ scale: 1, x: -200, y: -100 }, bounds, size)).toBe('none');
  expect(touchActionOf({ scale: 1, x: -200, y: 0 }, bounds, size)).toBe('pan-up');
});
