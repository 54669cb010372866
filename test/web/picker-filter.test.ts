/** The parts of a hall that a buyer wants to see, the reason why nothing is sold, and the rules of a choice. */
import { describe, expect, test } from 'vitest';
import { demoTheatre } from '../../scripts/generate-charts.mjs';
import type { ChartDocument } from '../../shared/src/charts/document.ts';
import { kindsText } from '../../web/src/messages/places.ts';
import { wordsOf } from '../../web/src/messages/words.ts';
import {
  categoriesFor,
  freeCategories,
  kindsIn,
  type MapFilter,
  mapFilterOf,
  noFilter,
  priceSteps,
  toggled,
} from '../../web/src/panel/filter.ts';
import { isReleased, wheelchairsOf } from '../../web/src/rules/companions.ts';
import { hallOf, WHEELCHAIR } from '../../web/src/rules/hall.ts';
import { bareOffers, fromPriceOf } from '../../web/src/rules/prices.ts';
import * as choose from '../../web/src/rules/selection.ts';
import { brokenRules, type SelectionRules, seatsAtFault } from '../../web/src/rules/selection-rules.ts';
import { noStatuses, type Statuses, statusWords, takeSnapshot } from '../../web/src/rules/statuses.ts';
import { standingOfArea, standingOfBlock } from '../../web/src/rules/supply.ts';
import {
  areCompanionsReleased,
  awaitedOf,
  closedIf,
  countdownTo,
  hasBegun,
  hasEnded,
  isShut,
  pauseOf,
  pauseOfEvent,
  waitingNow,
} from '../../web/src/rules/waiting.ts';
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
  const wheels = mapFilterOf({ ...noFilter, kinds: WHEELCHAIR }, hall, offers)!;
  expect([wheels.spot(spot('H-1')), wheels.spot(spot('H-2')), wheels.area(0)]).toEqual([true, false, false]);
});

test('a filter keeps places of any pressed kind, and places that no steps lead to, by the word nearest to them', () => {
  const overrides = [
    { index: 0, accessibility: ['wheelchair' as const], stepFree: true },
    { index: 1, accessibility: ['hearing' as const], lift: true },
    { index: 2, accessibility: ['cart' as const] },
  ];
  const kinds = hallOf(chart([row({ seatCount: 4, overrides })]));
  expect(kindsIn(kinds).map(({ kind }) => kind)).toEqual(['wheelchair', 'hearing', 'cart']);
  const shown = (filter: object) => {
    const kept = mapFilterOf({ ...noFilter, ...filter }, kinds, offers)!;
    return kinds.labels.filter((_, each) => kept.spot(each));
  };
  const [, hearing, cart] = kindsIn(kinds).map(({ bit }) => bit);
  expect(shown({ kinds: hearing! | cart! })).toEqual(['A-2', 'A-3']);
  expect(shown({ stepFree: true })).toEqual(['A-1', 'A-2']);
  const words = wordsOf('en');
  expect(kindsText(words, kinds, 0)).toEqual(['wheelchair place', 'reached without steps']);
  expect(kindsText(words, kinds, 1)).toEqual(['hearing loop', 'reached by lift']);
});

test('the prices to filter by are those that seats show, and each step keeps the seats of its own price', () => {
  const steps = priceSteps({ hall, offers, statuses: statusesWith({}) });
  expect(steps).toEqual([15, 40]);
  for (const [step, place] of [
    [15, (kept: MapFilter) => kept.area(0)],
    [40, (kept: MapFilter) => kept.spot(spot('H-5'))],
  ] as const) {
    expect(place(mapFilterOf({ ...noFilter, priceMax: step }, hall, offers)!)).toBe(true);
    expect(place(mapFilterOf({ ...noFilter, priceMax: step - 1 }, hall, offers)!)).toBe(false);
  }
});

test('a section costs from the lowest price that a choice of its free places begins with, and nothing once it has none', () => {
  const stalls = hall.blocks.findIndex(({ label }) => label === 'Stalls');
  expect(fromPriceOf(hall, offers, statusesWith({}), stalls)?.price).toBe(40);
  const premium = statusesWith({ 'A-1': 'free' }, 'booked');
  expect(fromPriceOf(hall, offers, premium, stalls)?.price).toBe(60);
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

test('an awaited sale is shut until its time, and begins by the clock once places are free', () => {
  const open = statusesWith({});
  const awaited = pauseOf({ state: 'presale', opensAt: 5_000, waiting: null })!;
  expect([awaited, isShut(awaited), waitingNow(awaited, open)]).toEqual([
    { reason: 'not_started', opensAt: 5_000 },
    true,
    awaited,
  ]);
  expect([4_999, 5_000].map((now) => hasBegun(awaited, open, now))).toEqual([false, true]);
  expect(hasBegun(awaited, statusesWith({}, 'not_for_sale', 0), 5_000)).toBe(false);
  const unknown = pauseOf({ state: 'presale', opensAt: null, waiting: { reason: 'nothing_for_sale', opensAt: null } });
  expect([unknown?.reason, hasBegun(unknown, open, 5_000)]).toEqual(['nothing_for_sale', false]);
  const some = pauseOf({ state: 'presale', opensAt: null, waiting: null });
  expect(some).toEqual({ reason: 'not_started', opensAt: null });
  expect(awaitedOf([awaited, null, { reason: 'not_started', opensAt: 9_000 }])?.opensAt).toBe(9_000);
  expect([awaitedOf([awaited, some])?.opensAt, awaitedOf([null])]).toEqual([null, null]);
});

test.each<[object, string | undefined]>([
  // Ticket releases that come later: places have their usual price until then.
  [{ state: 'presale', waiting: { reason: 'presale', opensAt: 5_000 } }, 'presale'],
  [{ state: 'presale', opensAt: 5_000, waiting: { reason: 'presale', opensAt: 5_000 } }, 'presale'],
  [{ state: 'presale', opensAt: 5_000, waiting: { reason: 'nothing_for_sale', opensAt: 5_000 } }, 'not_started'],
  [{ state: 'presale', opensAt: 5_000, waiting: { reason: 'not_started', opensAt: 5_000 } }, 'not_started'],
  [{ state: 'closed', opensAt: null, waiting: { reason: 'sales_ended', opensAt: null } }, 'sales_ended'],
  [{ state: 'closed', waiting: { reason: 'a reason of tomorrow', opensAt: null } }, 'event_closed'],
  [{ state: 'on-sale', waiting: { reason: 'a reason of tomorrow', opensAt: null } }, undefined],
  [{ state: 'sold-out', waiting: { reason: 'sold_out', opensAt: null } }, 'sold_out'],
])('the availability %j is shown as %s', (told, reason) => {
  expect(pauseOf(told)?.reason).toBe(reason);
});

test('a page opens shut before the start, although places are free, and open where ticket releases come later', () => {
  const open = statusesWith({});
  const opened = (salesStartAt: number | null) =>
    pauseOfEvent({ state: 'presale', opensAt: 5_000, salesClosed: false, salesStartAt }, open);
  expect([opened(5_000), opened(4_000), opened(null)]).toEqual([{ reason: 'not_started', opensAt: 5_000 }, null, null]);
});

test('a sale ends by the clock, once, and the first performance that ends closes the group', () => {
  const ended = { reason: 'sales_ended' as const, opensAt: null };
  expect([hasEnded(null, 5, 4), hasEnded(null, 5, 5), hasEnded(ended, 5, 6), hasEnded(null, null, 6)]).toEqual([
    false,
    true,
    false,
    false,
  ]);
  expect(isShut(ended)).toBe(true);
  expect(awaitedOf([{ reason: 'not_started', opensAt: 9 }, ended])).toEqual(ended);
});

test.each([
  [{ reason: 'not_started' as const, opensAt: 5_000 }, 4_000, 1_000],
  [{ reason: 'not_started' as const, opensAt: 5_000 }, 5_000, null],
  [{ reason: 'not_started' as const, opensAt: 25 * 3_600_000 }, 0, null],
  [{ reason: 'not_started' as const, opensAt: null }, 0, null],
  [{ reason: 'sold_out' as const, opensAt: 5_000 }, 4_000, null],
])('for %j at %i the page counts %s ms', (waiting, now, left) => {
  expect(countdownTo(waiting, now)).toBe(left);
});

describe('a buyer of a channel', () => {
  const all = hall.categories.map(({ key }) => ({ categoryKey: key }));
  const standing = hall.areas[0]!;
  const key = hall.categories[standing.category]!.key;
  const told = (prices: typeof all, channelOf = new Map<string, string>()) => [
    { ...bareOffers, isTold: true as const, prices, channelOf },
  ];
  const full = statusesWith({}, 'free', 0);

  test('is told that an area is sold out only where the area is for this buyer', () => {
    expect(standingOfArea(hall, told(all), full, standing)).toBe('sold_out');
    expect(standingOfArea(hall, told(all.filter(({ categoryKey }) => categoryKey !== key)), full, standing)).toBe(
      'not_for_sale',
    );
    // The category has places for the buyer, and the area has none of the channel's.
    const members = statusesWith({ 'A-1': 'free' }, 'not_for_sale', 0);
    const channel = new Map([['A-1', 'chn_1']]);
    expect(standingOfArea(hall, told(all, channel), members, standing)).toBe('not_for_sale');
    expect(standingOfArea(hall, told(all, channel.set('__sl_ga__standing__1', 'chn_1')), members, standing)).toBe(
      'sold_out',
    );
  });

  test('sees sections, prices and best seats of what can be had', () => {
    const stalls = hall.blocks.findIndex(({ label }) => label === 'Stalls');
    const standingOf = (seats: Record<string, string>, usual: string) =>
      standingOfBlock(statusesWith(seats, usual), hall, stalls);
    expect([standingOf({}, 'not_for_sale'), standingOf({ 'A-1': 'held' }, 'not_for_sale')]).toEqual([
      'not_for_sale',
      'sold_out',
    ]);
    const statuses = statusesWith({ 'A-1': 'free' }, 'booked', 0);
    const premium = hall.categoryOf[spot('A-1')]!;
    const some = told(all.filter(({ categoryKey }) => categoryKey !== key));
    const shown = categoriesFor({ hall, offers: some, statuses });
    expect(shown.map(({ category }) => category)).not.toContain(standing.category);
    expect(shown.find(({ category }) => category === premium)?.standing).toBe('free');
    expect(shown.filter(({ standing: its }) => its === 'sold_out').length).toBe(shown.length - 1);
    expect(freeCategories({ hall, offers: some, statuses })).toEqual([premium]);
    expect(priceSteps({ hall, offers: some, statuses })).toEqual([]);
    // Where nothing is for the buyer, every price says so.
    const nothing = categoriesFor({ hall, offers: told([]), statuses });
    expect(new Set(nothing.map(({ standing: its }) => its))).toEqual(new Set(['not_for_sale']));
  });
});

test('a companion place without its wheelchair place in the choice is told at the choice, until it is for all', () => {
  const chosen = (...labels: string[]) =>
    labels.map((label) => choose.chosenSpot(hall, spot(label))).reduce(choose.withChosen, choose.nothing);
  const broken = (statuses: Statuses, ...labels: string[]) =>
    brokenRules(hall, statuses, chosen(...labels), new Set(), {});
  const open = statusesWith({});
  expect(broken(open, 'H-2')).toEqual([{ rule: 'companion', labels: ['H-2'] }]);
  expect(broken(open, 'H-1', 'H-2')).toEqual([]);
  // The server sells the place to everybody when nothing else is left.
  expect(broken(statusesWith({ 'H-1': 'free', 'H-2': 'free' }, 'booked'), 'H-2')).toEqual([]);
  // A sold wheelchair place gives its companions' places to all, from a time on.
  expect([null, 5, 6].map((until) => areCompanionsReleased(until, 5))).toEqual([false, true, false]);
  const sold = statusesWith({ 'H-1': 'booked' });
  expect(broken(sold, 'H-2')).toEqual([{ rule: 'companion', labels: ['H-2'] }]);
  sold.areCompanionsReleased = true;
  expect(broken(sold, 'H-2')).toEqual([]);
  expect([isReleased(hall, sold, spot('H-2')), isReleased(hall, sold, spot('H-3'))]).toEqual([true, false]);
  const early = { ...open, areCompanionsReleased: true };
  expect(broken(early, 'H-2')).toEqual([{ rule: 'companion', labels: ['H-2'] }]);
  // A companion place is no neighbour that everybody may buy.
  const orphans = brokenRules(hall, statusesWith({ 'H-5': 'booked' }), chosen('H-4'), new Set(), {
    preventOrphans: true,
  });
  expect(orphans).toEqual([{ rule: 'orphan_seat', labels: ['H-3'] }]);
});

test('a companion place between two wheelchair places waits for both, and one that names a place belongs to it', () => {
  const wheelchair = { accessibility: ['wheelchair' as const] };
  const companion = { accessibility: ['companion' as const] };
  const overrides = [
    { index: 0, ...wheelchair },
    { index: 1, ...companion },
    { index: 2, ...wheelchair },
  ];
  const named = row({ id: 'b', label: 'B', overrides: [{ index: 3, ...companion, companionOf: 'A-3' }] });
  const bays = hallOf(chart([row({ overrides }), named]));
  const its = (label: string) => wheelchairsOf(bays, bays.spotOf.get(label)!).map((each) => bays.labels[each]);
  expect([its('A-2').sort(), its('B-4'), its('B-1')]).toEqual([['A-1', 'A-3'], ['A-3'], []]);
  const statuses = { ...noStatuses(bays), areCompanionsReleased: true };
  const isForAll = (label: string) => isReleased(bays, statuses, bays.spotOf.get(label)!);
  statuses.of[bays.spotOf.get('A-3')!] = statusWords.indexOf('booked');
  expect([isForAll('A-2'), isForAll('B-4')]).toEqual([false, true]);
  statuses.of[bays.spotOf.get('A-1')!] = statusWords.indexOf('booked');
  expect(isForAll('A-2')).toBe(true);
});

test('the seats that rules name are at fault, and no seat is at fault for too few', () => {
  const chosen = (...labels: string[]) =>
    labels.map((label) => choose.chosenSpot(hall, spot(label))).reduce(choose.withChosen, choose.nothing);
  const faults = (rules: SelectionRules, ...labels: string[]) =>
    seatsAtFault(brokenRules(hall, statusesWith({}), chosen(...labels), new Set(), rules));
  expect(faults({ exact: 2, highlightOnly: true }, 'A-1')).toEqual([]);
  expect(faults({ exact: 1, highlightOnly: true }, 'A-1', 'A-2')).toEqual(['A-1', 'A-2']);
  expect(faults({ min: 3, consecutive: true }, 'A-1', 'A-3')).toEqual(['A-1', 'A-3']);
  expect(faults({ preventOrphans: true }, 'A-2')).toEqual(['A-1']);
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
  const under = (rules: SelectionRules, ...labels: string[]) =>
    brokenRules(hall, statuses, chosen(...labels), new Set(), rules).map(({ rule }) => rule);
  expect(under({ min: 2, consecutive: true })).toEqual([]);
  expect(under({ min: 2 }, 'A-1')).toEqual(['min_places']);
  expect(under({ exact: 2 }, 'A-1', 'A-2', 'A-3')).toEqual(['exact_places']);
  expect(under({ exact: 2, consecutive: true, highlightOnly: true }, 'A-2', 'A-1')).toEqual([]);
  expect(under({ consecutive: true }, 'A-1', 'A-3')).toEqual(['not_consecutive']);
  expect(brokenRules(hall, statuses, chosen('A-1', 'A-2', 'H-5'), new Set(), limits)).toEqual([
    { rule: 'category_limit', labels: ['A-1', 'A-2'], categoryKey: 'premium', max: 1, asked: 2 },
    { rule: 'tier_limit', labels: ['A-1', 'A-2', 'H-5'], tierId: 'adult', max: 2, asked: 3 },
  ]);
});
