/** The picker's decisions without a page: the hall, statuses, the selection, the hold, words. */
import { describe, expect, test } from 'vitest';
import { bowl, demoTheatre } from '../../scripts/generate-charts.mjs';
import type { ChartDocument } from '../../shared/src/charts/document.ts';
import { placeTextsIn } from '../../shared/src/charts/place-names.ts';
import { drawTemplate, templates, usualSizes } from '../../shared/src/charts/templates/templates.ts';
import { afterClose } from '../../web/src/feed/reconnect.ts';
import { ar } from '../../web/src/messages/ar.ts';
import { de } from '../../web/src/messages/de.ts';
import { en } from '../../web/src/messages/en.ts';
import { es } from '../../web/src/messages/es.ts';
import { fr } from '../../web/src/messages/fr.ts';
import { kindsText, placeName } from '../../web/src/messages/places.ts';
import { problemText } from '../../web/src/messages/problems.ts';
import { wordsOf } from '../../web/src/messages/words.ts';
import { baseUrlOf, type MapOptions } from '../../web/src/options.ts';
import { between, fitted, toChart, toScreen, zoomed } from '../../web/src/rules/camera.ts';
import { blockAt, neighbourOf, spotAt } from '../../web/src/rules/find.ts';
import { hallOf, rowsOf } from '../../web/src/rules/hall.ts';
import { endOf, isInDoubt, passesWarning } from '../../web/src/rules/hold.ts';
import { pictureAddress } from '../../web/src/rules/names.ts';
import { bareOffers, priceOf, tiersFor } from '../../web/src/rules/prices.ts';
import * as choose from '../../web/src/rules/selection.ts';
import { noStatuses, type SnapshotFrame, takeDelta, takeSnapshot } from '../../web/src/rules/statuses.ts';
import { chart, row } from '../support/charts.ts';

const hall = hallOf(demoTheatre() as ChartDocument);
const spot = (label: string) => hall.spotOf.get(label)!;
const snapshot = (seats: Record<string, string>, snapshotVersion = 5): SnapshotFrame => {
  const rest = { hidden: [], closed: [], ga: { standing: { free: 20 } } };
  return { type: 'snapshot', snapshotVersion, default: 'free', seats, ...rest };
};

describe('a hall', () => {
  test('has a spot for every place that is chosen singly, areas beside them, and a block for each section', () => {
    expect(hall.labels).toHaveLength(98);
    expect(hall.areas.map(({ id, capacity }) => [id, capacity])).toEqual([['standing', 20]]);
    expect(hall.blocks.map(({ label, spots }) => [label, spots.length])).toEqual([
      ['Stalls', 96],
      ['', 2],
    ]);
    const large = hallOf(bowl() as ChartDocument);
    expect([large.labels.length, large.blocks.length]).toEqual([100_000, 200]);
  });

  test('has seats no larger than the distance of their rows', () => {
    const a = spot('A-1');
    const b = spot('B-1');
    const apart = Math.hypot(hall.x[a]! - hall.x[b]!, hall.y[a]! - hall.y[b]!);
    expect(hall.size[a]).toBeLessThan(apart);
  });

  test('is found by point and walked by key: along a row over its aisle, and to the nearest seat of the next row', () => {
    const at = { x: hall.x[spot('C-4')]! + 1, y: hall.y[spot('C-4')]! - 1 };
    expect(hall.labels[spotAt(hall, 0, at, 5)!]).toBe('C-4');
    expect(blockAt(hall, 0, at)?.label).toBe('Stalls');
    const rows = rowsOf(hall, hall.blocks[0]!);
    const walk = (from: string, ...way: ('left' | 'right' | 'up' | 'down' | 'first' | 'last')[]) =>
      hall.labels[way.reduce((here, direction) => neighbourOf(hall, rows, here, direction), spot(from))];
    expect(walk('A-6', 'right')).toBe('A-7');
    expect(walk('A-6', 'down')).toBe('B-6');
    expect(walk('H-3', 'down')).toBe('H-3');
    expect(walk('D-5', 'first')).toBe('D-1');
    expect(walk('D-5', 'last')).toBe('D-12');
  });
});

test('close rows make seats smaller, and rows on the same place leave them as they are', () => {
  const sizes = (y: number) => {
    const second = row({ id: 'row-b', label: 'B', origin: { x: 0, y } });
    return [...new Set(hallOf(chart([row(), second]) as ChartDocument).size)];
  };
  const usual = sizes(40);
  const close = sizes(10);
  expect(close[0]).toBeLessThan(usual[0]!);
  expect(sizes(0)).toEqual(usual);
});

test('a view zooms about the point under the pointer, and a flight ends at its target', () => {
  const size = { width: 800, height: 600 };
  const whole = fitted(hall.bounds, size);
  const at = { x: 250, y: 130 };
  const near = zoomed(whole, 2.5, at, { min: 0, max: 100 });
  const back = toScreen(near, toChart(whole, at));
  expect(back.x).toBeCloseTo(at.x);
  expect(back.y).toBeCloseTo(at.y);
  const end = between(whole, near, 1);
  expect(end.scale).toBeCloseTo(near.scale);
  expect(end.x).toBeCloseTo(near.x);
});

describe('statuses', () => {
  test('follow snapshots and deltas, count free places, and name the changes', () => {
    const statuses = noStatuses(hall);
    takeSnapshot(statuses, hall, snapshot({ 'A-1': 'booked', 'A-2': 'held' }));
    expect([statuses.freeInBlock[0], statuses.freeInArea.get('standing')]).toEqual([94, 20]);
    const changes = [
      { label: 'A-2', status: 'free' },
      { label: 'A-3', status: 'booked' },
    ];
    const change = takeDelta(statuses, hall, {
      type: 'delta',
      snapshotVersion: 6,
      changes,
      ga: { standing: { free: 18 } },
    });
    expect(change).toEqual({ spots: [spot('A-2'), spot('A-3')], areas: ['standing'], unknown: false, turned: false });
    expect([statuses.freeInBlock[0], statuses.freeInArea.get('standing')]).toEqual([94, 18]);
  });

  test('ignore older frames, offer no place with an unknown status, and notice another chart', () => {
    const statuses = noStatuses(hall);
    takeSnapshot(statuses, hall, snapshot({ 'A-1': 'some day a new word' }, 9));
    expect(choose.isFree(statuses, spot('A-1'))).toBe(false);
    const old = { type: 'delta', snapshotVersion: 8, changes: [{ label: 'A-4', status: 'booked' }] } as const;
    expect(takeDelta(statuses, hall, { ...old, changes: [...old.changes] }).spots).toEqual([]);
    expect(choose.isFree(statuses, spot('A-4'))).toBe(true);
    const places = [{ label: '__sl_ga__standing__1', status: 'held' }];
    expect(takeDelta(statuses, hall, { type: 'delta', snapshotVersion: 10, changes: places }).unknown).toBe(false);
    const foreign = [{ label: 'Z-1', status: 'held' }];
    expect(takeDelta(statuses, hall, { type: 'delta', snapshotVersion: 11, changes: foreign }).unknown).toBe(true);
  });
});

describe('a selection', () => {
  const table = choose.chosenSpot(hall, spot('Table 1'));
  const seat = choose.chosenSpot(hall, spot('A-1'));

  test('costs what its tiers and guests cost, and has a quantity only for places with a choice of quantity', () => {
    const standing = choose.chosenArea(hall, 'standing', 3)!;
    let selection = [seat, table, standing].reduce(choose.withChosen, choose.nothing);
    selection = choose.withTier(selection, 'A-1', 'child');
    expect(choose.costOf(hall, [bareOffers], selection, choose.nothing, [])).toBe(30 + 6 * 60 + 3 * 15);
    expect(choose.guestsIn(selection)).toBe(10);
    expect(choose.wantedOf(hall, selection)).toEqual([
      { label: 'A-1', tierId: 'child' },
      { label: 'Table 1', tierId: 'adult' },
      { label: 'Standing', quantity: 3 },
    ]);
    expect(choose.withQuantity(selection, 'Standing', 0).has('Standing')).toBe(false);
  });

  test('loses places that others took, and keeps the places of its own hold', () => {
    const statuses = noStatuses(hall);
    takeSnapshot(statuses, hall, snapshot({ 'A-1': 'held' }));
    const selection = choose.withChosen(choose.nothing, seat);
    expect(choose.lostOf(hall, selection, statuses, new Set())).toEqual(['A-1']);
    expect(choose.lostOf(hall, selection, statuses, new Set(['A-1']))).toEqual([]);
  });

  test('comes back unchanged from the line items of a hold', () => {
    const item = { currency: 'EUR', unitPrice: 1, tierId: 'adult' } as const;
    const selection = choose.selectionOf(hall, [
      { ...item, label: 'A-1', objectId: 'row-a-left:0', objectType: 'seat' },
      { ...item, label: 'Standing', objectId: 'standing', objectType: 'ga', tierId: null, quantity: 2 },
    ]);
    expect([...selection.values()].map(({ label, quantity, tierId }) => [label, quantity, tierId])).toEqual([
      ['A-1', 1, 'adult'],
      ['Standing', 2, null],
    ]);
  });

  test('a channel’s price goes before a ticket release’s, and a ticket release prices only categories without tiers', () => {
    const offers = {
      prices: [],
      releases: [
        {
          offerId: 'rel_1',
          offerName: 'Early',
          categoryKey: 'standing',
          price: 12,
          previousPrice: 15,
          remaining: null,
        },
      ],
      channels: [{ channelId: 'chn_1', priceOverrides: [{ categoryKey: 'premium', tierId: 'adult', price: 44 }] }],
      channelOf: new Map([['A-1', 'chn_1']]),
    };
    const adult = tiersFor(hall, 0, 'A-1', 0)[0]!;
    expect(priceOf(hall, [offers], 0, 'A-1', adult)).toBe(44);
    expect(priceOf(hall, [offers], 0, 'A-2', adult)).toBe(60);
    expect(priceOf(hall, [offers], 2, 'Standing', null)).toBe(12);
    expect(priceOf(hall, [offers, bareOffers, bareOffers], 2, 'Standing', null)).toBe(12 + 2 * 15);
  });
});

test('a hold is in doubt when one of its places is no longer held, and a refusal tells how it ended', () => {
  const hold = { holdId: 'hld_1', expiresAt: 0, labels: ['A-1', 'A-2'], items: [], extends: 0 };
  const doubt = (said: Record<string, string>) => isInDoubt(hold, (label) => said[label]);
  expect([doubt({}), doubt({ 'A-1': 'held' })]).toEqual([false, false]);
  expect([doubt({ 'A-1': 'booked', 'A-2': 'booked' }), doubt({ 'A-2': 'free' })]).toEqual([true, true]);
  expect(endOf({ code: 'hold_not_found' })).toBe('expired');
  expect(endOf({ code: 'hold_not_found', status: 'booked' })).toBe('booked');
  expect(endOf({ code: 'cannot_extend', reason: 'extend_limit' })).toBe(null);
  expect(endOf({ code: 'conflict' })).toBe(null);
  expect([passesWarning(120_100, 119_900), passesWarning(119_900, 119_700), passesWarning(100, -100)]).toEqual([
    true,
    false,
    false,
  ]);
});

test('a closed socket reconnects later and later, with a fresh session after its access expired, and never after its access was revoked', () => {
  expect(afterClose(4401, 0, 0.5)).toEqual({ kind: 'stop', because: 'revoked' });
  expect(afterClose(4404, 0, 0.5)).toEqual({ kind: 'stop', because: 'deleted' });
  expect(afterClose(4419, 0, 1)).toEqual({ kind: 'again', delayMs: 250, freshSession: true });
  expect(afterClose(4408, 3, 1)).toEqual({ kind: 'again', delayMs: 2_000, freshSession: false });
  expect(afterClose(1006, 50, 0)).toEqual({ kind: 'again', delayMs: 7_500, freshSession: false });
});

test('a restricted view is told of a seat, or of all seats of a row but those that say otherwise', () => {
  const overrides = [
    { index: 0, restrictedView: false },
    { index: 1, accessibility: ['wheelchair' as const] },
  ];
  const seats = hallOf(chart([row({ seatCount: 3, restrictedView: true, overrides } as object)]));
  const words = wordsOf('en');
  expect([0, 1, 2].map((index) => kindsText(words, seats, index))).toEqual([
    [],
    ['wheelchair place', 'restricted view'],
    ['restricted view'],
  ]);
});

test.each([
  ['https://venue.example/a.jpg', true],
  ['//venue.example/a.jpg', true],
  ['views/a b.jpg', true],
  ['data:image/png;base64,AA==', true],
  ['https:// venue.example/a.jpg', false],
  ['https:', false],
  ['http:', false],
  ['//venue.example:x/a.jpg', false],
  [' javascript:alert(1)', false],
  ['', false],
  [7, false],
])('the picture %j is shown: %s', (address, isShown) => {
  expect(pictureAddress(address)).toBe(isShown ? address : null);
});

test.each([
  [undefined, 'https://shop.example/'],
  ['https://seats.example', 'https://seats.example/'],
  ['/seats', 'https://shop.example/seats'],
  ['http://', 'http://'],
])('the base URL %j is read as %s', (baseUrl, expected) => {
  const options = { event: 'gala', access: { publicKey: 'pk_test_1' }, ...(baseUrl && { baseUrl }) } as MapOptions;
  expect(baseUrlOf(options, { origin: 'https://shop.example' })).toBe(expected);
});

test.each([
  ['en', en],
  ['de', de],
  ['fr', fr],
  ['es', es],
  ['ar', ar],
])('the picker names a place in %s as the server does', (locale, messages) => {
  const words = wordsOf(locale, messages);
  const texts = placeTextsIn(locale);
  expect(placeName(words, hall, spot('C-4'))).toBe(texts.rowSeat('C', '4'));
  expect(words.text('place.chair', { table: 'T', chair: '2' })).toBe(texts.chair('T', '2'));
});

test('places, times and refusals have plain words', () => {
  const words = wordsOf('en');
  expect(placeName(words, hall, spot('C-4'))).toBe('Row C, seat 4');
  expect(placeName(words, hall, spot('Table 1'))).toBe('Table 1');
  const theatre = templates.find(({ id }) => id === 'theatre')!;
  const { document } = drawTemplate(theatre, usualSizes(theatre)) as { document: ChartDocument };
  const sections = hallOf(document);
  const inStalls = sections.spotOf.get('Stalls-B-3')!;
  expect(placeName(words, sections, inStalls)).toBe('Row B, seat 3');
  expect(sections.objects[sections.objectOf[inStalls]!]!.section).toBe('Stalls');
  expect(kindsText(words, hall, spot('H-1'))).toEqual(['wheelchair place']);
  expect([words.clock(899_001), words.clock(59_000), words.clock(-5), words.clock(3_600_000)]).toEqual([
    '15:00',
    '0:59',
    '0:00',
    '1:00:00',
  ]);
  expect(words.list(['A', 'B', 'C'])).toBe('A, B, and C');
  const conflicts = [
    { label: 'A-1', status: 'held' },
    { label: 'Standing', status: 'not_enough', available: 2 },
  ];
  expect(problemText(words, { code: 'conflict', conflicts })).toBe(
    'A-1 was just taken by somebody else. Only 2 left of Standing. Nothing was held; choose again.',
  );
  expect(problemText(words, { code: 'max_quantity_exceeded', maxQuantity: 4, used: 3 })).toBe(
    'You can have at most 4 (you have 3 already).',
  );
  const limited = (reason: string, limit: number, left: number) =>
    problemText(words, { code: 'public_limit', reason, limit, left });
  expect(limited('max_per_hold', 50, 50)).toBe('You can have at most 50.');
  expect(limited('max_held_per_session', 50, 8)).toBe('You can have at most 50 (you have 42 already).');
  expect(limited('max_held_per_address', 500, 0)).toMatch(/^Too many places are held from your network/);
  expect(limited('hold_time', 3_600_000, 0)).toMatch(/^You have held these places for as long as possible/);
});
