/** The parts of a hall that a buyer wants to see, the reason why nothing is sold, and the rules of a choice. */
import { expect, test } from 'vitest';
import { demoTheatre } from '../../scripts/generate-charts.mjs';
import type { ChartDocument } from '../../shared/src/charts/document.ts';
import { type MapFilter, mapFilterOf, noFilter, priceSteps, toggled } from '../../web/src/panel/filter.ts';
import { hallOf } from '../../web/src/rules/hall.ts';
import { bareOffers, fromPriceOf } from '../../web/src/rules/prices.ts';
import * as choose from '../../web/src/rules/selection.ts';
import { brokenRules } from '../../web/src/rules/selection-rules.ts';
import { noStatuses, takeSnapshot } from '../../web/src/rules/statuses.ts';
import { closedIf, isShut, waitingNow } from '../../web/src/rules/waiting.ts';
import { chart, row } from '../support/charts.ts';

const hall = hallOf(demoTheatre() as ChartDocument);
const spot = (label: string) => hall.spotOf.get(label)!;
const offers = [bareOffers];

function statusesWith(seats: Record<string, string>, usual = 'free', standing = 20) {
  const statuses = noStatuses(hall);
  const frame = { type: 'snapshot' as const, snapshotVersion: 1, default: usual, seats, hidden: [], closed: [] };
  takeSnapshot(statuses, hall, { ...frame, ga: { standing: { free: standing } } });
  return statuses;
}

test('a filter keeps the places of its categories, up to its price, and for wheelchairs', () => {
  expect(mapFilterOf(noFilter, hall, offers)).toBe(null);
  const premium = mapFilterOf(toggled(noFilter, 0), hall, offers)!;
  expect([premium.spot(spot('A-1')), premium.spot(spot('H-5')), premium.area(0)]).toEqual([true, false, false]);
  expect(mapFilterOf(toggled(toggled(noFilter, 0), 0), hall, offers)).toBe(null);
  const cheap = mapFilterOf({ ...noFilter, priceMax: 40 }, hall, offers)!;
  expect([cheap.spot(spot('A-1')), cheap.spot(spot('H-5')), cheap.area(0)]).toEqual([false, true, true]);
  const wheels = mapFilterOf({ ...noFilter, forWheelchairs: true }, hall, offers)!;
  expect([wheels.spot(spot('H-1')), wheels.spot(spot('H-2')), wheels.area(0)]).toEqual([true, false, false]);
});

test('the prices to filter by are those that seats show, and each step keeps the seats of its own price', () => {
  const steps = priceSteps(hall, offers);
  expect(steps).toEqual([15, 40]);
  for (const [step, place] of [
    [15, (kept: MapFilter) => kept.area(0)],
    [40, (kept: MapFilter) => kept.spot(spot('H-5'))],
  ] as const) {
    expect(place(mapFilterOf({ ...noFilter, priceMax: step }, hall, offers)!)).toBe(true);
    expect(place(mapFilterOf({ ...noFilter, priceMax: step - 1 }, hall, offers)!)).toBe(false);
  }
});

test('a section costs from the lowest price of its free places, and nothing once it has none', () => {
  const stalls = hall.blocks.findIndex(({ label }) => label === 'Stalls');
  expect(fromPriceOf(hall, offers, statusesWith({}), stalls)).toBe(20);
  const premium = statusesWith({ 'A-1': 'free' }, 'booked');
  expect(fromPriceOf(hall, offers, premium, stalls)).toBe(30);
  expect(fromPriceOf(hall, offers, statusesWith({}, 'booked'), stalls)).toBe(null);
});

test('one reason tells why nothing is sold: a closed sale first, then the free places of this moment', () => {
  const open = statusesWith({});
  const soldOut = statusesWith({}, 'booked', 0);
  const closed = closedIf(true);
  expect([isShut(closed), waitingNow(closed, soldOut)?.reason]).toEqual([true, 'event_closed']);
  expect(waitingNow(null, open)).toBe(null);
  expect(waitingNow(null, soldOut)?.reason).toBe('sold_out');
  const stale = { reason: 'sold_out' as const, opensAt: null };
  expect(waitingNow(stale, open)).toBe(null);
  expect(waitingNow({ reason: 'nothing_for_sale', opensAt: null }, soldOut)?.reason).toBe('nothing_for_sale');
  expect(waitingNow(null, noStatuses(hall))).toBe(null);
});

test('a choice that leaves a seat alone, or takes too many, breaks the event’s rules', () => {
  const statuses = statusesWith({ 'C-6': 'booked', 'D-4': 'booked' });
  const chosen = (...labels: string[]) =>
    labels.map((label) => choose.chosenSpot(hall, spot(label))).reduce(choose.withChosen, choose.nothing);
  const broken = (...labels: string[]) =>
    brokenRules(hall, statuses, chosen(...labels), new Set(), { preventOrphans: true });
  expect(broken('C-4')).toEqual([{ rule: 'orphan_seat', labels: ['C-5'] }]);
  expect(broken('C-4', 'C-5')).toEqual([]);
  expect(broken('C-5')).toEqual([]);
  // D-5 and D-6 stand alone beside the aisle: one of them would be left single.
  expect(broken('D-5')).toEqual([{ rule: 'orphan_seat', labels: ['D-6'] }]);
  // H-2 is a companion's place, and no company for H-3.
  const bay = hallOf(chart([row({ label: 'H', overrides: [{ index: 1, accessibility: ['companion'] }] })]));
  const inBay = choose.withChosen(choose.nothing, choose.chosenSpot(bay, bay.spotOf.get('H-4')!));
  const free = noStatuses(bay);
  takeSnapshot(free, bay, {
    type: 'snapshot',
    snapshotVersion: 1,
    default: 'free',
    seats: {},
    hidden: [],
    closed: [],
    ga: {},
  });
  expect(brokenRules(bay, free, inBay, new Set(), { preventOrphans: true })).toEqual([
    { rule: 'orphan_seat', labels: ['H-3'] },
  ]);
  const limits = { categoryLimits: { premium: 1 }, tierLimits: { adult: 2 } };
  expect(brokenRules(hall, statuses, chosen('A-1', 'A-2', 'H-5'), new Set(), limits)).toEqual([
    { rule: 'category_limit', labels: ['A-1', 'A-2'], categoryKey: 'premium', max: 1, asked: 2 },
    { rule: 'tier_limit', labels: ['A-1', 'A-2', 'H-5'], tierId: 'adult', max: 2, asked: 3 },
  ]);
});
