/** The sale summary: states, prices and windows, as tables of cases. */
import { describe, expect, it } from 'vitest';
import {
  type SaleFacts,
  saleSummary,
  stageOf,
} from '../../../../services/frontdoor/src/summaries/rules/sale-summary.ts';
import { supplyOf } from '../../../../services/frontdoor/src/summaries/supply.ts';
import type { Category } from '../../../../shared/src/charts/document.ts';
import type { Plan } from '../../../../shared/src/charts/plan.ts';
import type { ReleaseView } from '../../../../shared/src/protocol/answers.ts';
import { inMinorUnits } from '../../../../shared/src/protocol/money.ts';

const stalls = { key: 'stalls', label: 'Stalls', color: '#336699', price: 20 } as Category;
const balcony = {
  key: 'balcony',
  label: 'Balcony',
  color: '#993366',
  tiers: [
    { id: 'adult', name: 'Adult', price: 30 },
    { id: 'child', name: 'Child', price: 15 },
  ],
} as Category;

function release(more: Partial<ReleaseView> = {}): ReleaseView {
  return {
    id: 'rel_1',
    name: 'Early bird',
    price: 12,
    previousPrice: null,
    quota: null,
    startsAt: null,
    endsAt: null,
    categoryKey: null,
    action: 'buy',
    actionUrl: null,
    position: 0,
    consumed: 0,
    remaining: null,
    soldOutAt: null,
    status: 'active',
    ...more,
  };
}

const of = (category: Category, free: number, total = 20, channelId: string | null = null) => ({
  category,
  channelId,
  free,
  total,
  plain: free,
  tiers: category.tiers ?? [],
});
const accessible = (supply: ReturnType<typeof of>) => ({ ...supply, plain: 0 });
const summed = (more: Partial<SaleFacts> = {}) =>
  saleSummary({
    currency: 'EUR',
    priceUnit: 'major',
    salesStartAt: null,
    salesEndAt: null,
    companionsUntil: null,
    stage: 'begun',
    stopped: null,
    supply: [of(stalls, 20)],
    releases: [],
    channels: null,
    ...more,
  });
/** Before the start, and after the end. */
const awaited = { stage: 'not_started', salesStartAt: 7_000 } as const;
const over = { stage: 'ended', salesEndAt: 7_000 } as const;

const upcoming = release({ status: 'upcoming', startsAt: 5_000 });

it('names the active releases that have a page of their own, as far as they are in reach', () => {
  const groups = release({ id: 'rel_2', name: 'Groups', action: 'apply', actionUrl: 'https://theatre.example/groups' });
  const later = { ...groups, id: 'rel_3', status: 'upcoming' as const };
  const elsewhere = { ...groups, id: 'rel_4', action: 'invoice' as const, categoryKey: 'balcony' };
  const releases = [release(), groups, later, elsewhere];
  expect(summed({ releases }).linkedOffers).toEqual([
    {
      offerId: 'rel_2',
      offerName: 'Groups',
      action: 'apply',
      actionUrl: 'https://theatre.example/groups',
      categoryKey: null,
      price: 12,
      previousPrice: null,
      startsAt: null,
      endsAt: null,
    },
  ]);
  expect(summed({ releases, stopped: 'event_closed' }).linkedOffers).toEqual([]);
});

describe('the state', () => {
  it.each<[string, string, Partial<SaleFacts>]>([
    ['all is free', 'on-sale', {}],
    ['a tenth is free', 'on-sale', { supply: [of(stalls, 2)] }],
    ['less than a tenth is free', 'low', { supply: [of(stalls, 1)] }],
    ['less than a tenth is free over all categories', 'low', { supply: [of(stalls, 3), of(balcony, 0, 30)] }],
    ['one category is gone and the other not', 'on-sale', { supply: [of(stalls, 0), of(balcony, 10)] }],
    ['nothing is free', 'sold-out', { supply: [of(stalls, 0)] }],
    ['nothing is for sale yet', 'presale', { supply: [] }],
    ['nothing is for sale before a known time', 'presale', { supply: [], opensAt: 5_000 }],
    ['one part is sold and another opens later', 'sold-out', { supply: [of(stalls, 0)], opensAt: 5_000 }],
    ['sales are closed', 'closed', { stopped: 'event_closed' }],
    ['sales are closed and nothing is free', 'closed', { stopped: 'event_closed', supply: [of(stalls, 0)] }],
    ['the first release is still to come', 'presale', { releases: [upcoming] }],
    ['nothing is free before the first release', 'sold-out', { supply: [of(stalls, 0)], releases: [upcoming] }],
    ['little is left before the first release', 'presale', { supply: [of(stalls, 1)], releases: [upcoming] }],
    ['a release has ended and another is to come', 'on-sale', { releases: [release({ status: 'ended' }), upcoming] }],
    ['a release is active and another is to come', 'on-sale', { releases: [release(), upcoming] }],
    ['the release to come is for other seats', 'on-sale', { releases: [{ ...upcoming, categoryKey: 'house' }] }],
    [
      'categories with tiers have no releases',
      'on-sale',
      { supply: [of(stalls, 20), of(balcony, 20)], releases: [upcoming] },
    ],
    ['the sale has not begun', 'presale', awaited],
    ['the sale has not begun and nothing is free', 'presale', { ...awaited, supply: [of(stalls, 0)] }],
    ['the sale has ended', 'closed', over],
    ['what is to come is no sale here', 'on-sale', { releases: [{ ...upcoming, action: 'apply' }] }],
  ])('where %s is %s', (_, state, facts) => {
    expect(summed(facts).state).toBe(state);
  });
});

it.each<[string, string | null, number | null, Partial<SaleFacts>]>([
  ['there is something to buy', null, null, {}],
  ['little is left', null, null, { supply: [of(stalls, 1)] }],
  ['the event is closed, and sold out too', 'event_closed', null, { stopped: 'event_closed', supply: [of(stalls, 0)] }],
  ['sales are paused', 'sales_paused', null, { stopped: 'sales_paused' }],
  ['the channels of the session are paused', 'channel_paused', null, { stopped: 'channel_paused' }],
  ['nothing is free', 'sold_out', null, { supply: [of(stalls, 0)] }],
  ['one part is sold and another opens later', 'sold_out', 5_000, { supply: [of(stalls, 0)], opensAt: 5_000 }],
  ['nothing is for sale to the buyer', 'nothing_for_sale', null, { supply: [] }],
  ['the house opens later', 'nothing_for_sale', 6_000, { supply: [], opensAt: 6_000, releases: [upcoming] }],
  ['a hidden house has a first release to come', 'nothing_for_sale', 5_000, { supply: [], releases: [upcoming] }],
  ['the first release is still to come', 'presale', 5_000, { releases: [upcoming] }],
  ['the sale has not begun', 'not_started', 7_000, { ...awaited, releases: [upcoming] }],
  ['all is hidden before the start', 'not_started', 7_000, { ...awaited, supply: [] }],
  ['all is revealed before the start', 'not_started', 7_000, { ...awaited, supply: [], opensAt: 6_000 }],
  ['all is revealed after the start', 'not_started', 8_000, { ...awaited, supply: [], opensAt: 8_000 }],
  ['a part is revealed after the start', 'not_started', 7_000, { ...awaited, opensAt: 8_000 }],
  ['the event is closed before the start', 'event_closed', null, { ...awaited, stopped: 'event_closed' }],
  ['the sale has ended', 'sales_ended', null, over],
])('where %s, a buyer waits for %s', (_, reason, opensAt, facts) => {
  const told = summed(facts);
  expect(told.waiting).toEqual(reason === null ? null : { reason, opensAt });
  expect(told.opensAt).toBe(opensAt);
});

it.each([
  [null, null, 5, 'begun', Infinity],
  [6, null, 5, 'not_started', 6],
  [6, 9, 6, 'begun', 9],
  [6, 9, 9, 'ended', Infinity],
])('a sale from %s to %s is at %i %s until %d', (salesStartAt, salesEndAt, now, name, until) => {
  expect(stageOf({ salesStartAt, salesEndAt }, now)).toEqual({ name, until });
});

describe('the prices', () => {
  it('cover every category with seats, and tiered categories at the tier of a plain seat', () => {
    expect(summed({ supply: [of(stalls, 0), of(balcony, 5)] })).toMatchObject({
      fromPrice: 3_000,
      previousPrice: null,
      prices: [
        { categoryKey: 'stalls', price: 20, previousPrice: null, free: 0, lowestPrice: null, highestPrice: null },
        { categoryKey: 'balcony', price: 30, previousPrice: null, free: 5, lowestPrice: 15, highestPrice: 30 },
      ],
    });
  });

  it('count places with an accessibility kind only while no other place is free', () => {
    const wheelchairs = { key: 'wheelchairs', label: 'Wheelchairs', color: '#000000', price: 6 } as Category;
    const both = summed({ supply: [accessible(of(wheelchairs, 4)), of(stalls, 3)] });
    expect(both.fromPrice).toBe(2_000);
    expect(both.prices[0]).toMatchObject({ free: 4, lowestPrice: 6, highestPrice: 6 });
    expect(summed({ supply: [accessible(of(wheelchairs, 4)), of(stalls, 0)] }).fromPrice).toBe(600);
    const mixed = [accessible(of(balcony, 1, 1, 'chn_1')), of(balcony, 1)];
    const overrides = [{ categoryKey: 'balcony', tierId: 'child', price: 1 }];
    const pricing = [{ channelId: 'chn_1', pricingVersion: 2, priceOverrides: overrides }];
    const channels = { assignmentVersion: 4, pricing, objects: [] };
    expect(summed({ supply: mixed, channels }).prices[0]).toMatchObject({ lowestPrice: 15, highestPrice: 30 });
  });

  it('follow the releases that have fewer units left than the category', () => {
    const releases = [
      release({ id: 'rel_1', price: 12, remaining: 3, quota: 9 }),
      release({ id: 'rel_2', position: 1, price: 14, remaining: 4, quota: 9, previousPrice: 20 }),
      release({ id: 'rel_3', position: 2, price: 90, categoryKey: 'house' }),
    ];
    const rangeAt = (free: number) => summed({ releases, supply: [of(stalls, free)] }).prices[0];
    expect(rangeAt(3)).toMatchObject({ lowestPrice: 12, highestPrice: 12 });
    expect(rangeAt(7)).toMatchObject({ lowestPrice: 12, highestPrice: 14 });
    expect(rangeAt(8)).toMatchObject({ lowestPrice: 12, highestPrice: 20 });
    expect(summed({ releases }).offers).toEqual([
      expect.objectContaining({ offerId: 'rel_1', price: 12, previousPrice: null, remaining: 3, categoryKey: null }),
      expect.objectContaining({ offerId: 'rel_2', price: 14, previousPrice: 20, remaining: 4 }),
      expect.objectContaining({ offerId: 'rel_3', categoryKey: 'house', remaining: null }),
    ]);
  });

  it('are the prices of the first active ticket release that fits and has places left', () => {
    const releases = [
      release({ id: 'rel_0', quota: 5, consumed: 5, remaining: 0 }),
      release({ id: 'rel_1', position: 1, categoryKey: 'house' }),
      release({ id: 'rel_2', position: 2, action: 'apply' }),
      release({ id: 'rel_3', position: 3, previousPrice: 20, quota: 9, consumed: 2, remaining: 7, endsAt: 9_000 }),
      release({ id: 'rel_4', position: 4, price: 1 }),
    ];
    const { prices, fromPrice, previousPrice } = summed({ releases, supply: [of(stalls, 9), of(balcony, 9)] });
    expect(prices).toEqual([
      {
        categoryKey: 'stalls',
        price: 12,
        previousPrice: 20,
        offerId: 'rel_3',
        offerName: 'Early bird',
        remaining: 7,
        endsAt: 9_000,
        free: 9,
        lowestPrice: 12,
        highestPrice: 12,
        ...{ fees: [], allIn: false, total: 12 },
      },
      {
        ...{ categoryKey: 'balcony', price: 30, previousPrice: null, free: 9, lowestPrice: 15, highestPrice: 30 },
        ...{ fees: [], allIn: false, total: 30 },
      },
    ]);
    expect([fromPrice, previousPrice]).toEqual([1_200, 2_000]);
  });

  it('begin with the cheapest free unit, and are absent if nothing is sold', () => {
    expect(summed({ supply: [of(stalls, 0), of(balcony, 1)] }).fromPrice).toBe(3_000);
    expect(summed({ supply: [of(stalls, 0)] }).fromPrice).toBeNull();
    expect(summed({ stopped: 'event_closed' }).fromPrice).toBeNull();
    expect(summed({ supply: [of({ ...stalls, price: 0 }, 1)] }).fromPrice).toBe(0);
  });

  it("of a channel go before the prices of ticket releases, for the channel's seats", () => {
    const pricing = [
      {
        channelId: 'chn_1',
        pricingVersion: 2,
        priceOverrides: [
          { categoryKey: 'stalls', tierId: null, price: 9 },
          { categoryKey: 'balcony', tierId: 'child', price: 1 },
        ],
      },
    ];
    const objects = [{ label: 'A-1', channelId: 'chn_1' }];
    const channels = { assignmentVersion: 4, pricing, objects };
    const facts = { channels, releases: [release({ previousPrice: 20 })] };
    const private_ = [of(stalls, 1, 1, 'chn_1'), of(balcony, 1, 1, 'chn_1'), of(stalls, 5)];
    expect(summed({ ...facts, supply: private_ })).toMatchObject({ fromPrice: 900, previousPrice: null });
    expect(summed({ ...facts, supply: [of(stalls, 0, 1, 'chn_1'), of(stalls, 5)] })).toMatchObject({
      fromPrice: 1_200,
      previousPrice: 2_000,
      channelPricing: { assignmentVersion: 4, channels: pricing, objects },
    });
    expect(summed({ ...facts, supply: [of(balcony, 1, 1, 'chn_1')] }).fromPrice).toBe(3_000);
  });

  it.each([
    [1_200, 'EUR HUF IDR TWD AFN ALL IRR LBP MGA'],
    [12, 'JPY CLP ISK KRW'],
    [12_000, 'KWD TND IQD'],
    [120_000, 'CLF'],
  ])('are %i of 12 by ISO 4217 in %s', (minor, currencies) => {
    expect(currencies.split(' ').map((currency) => inMinorUnits(12, currency, 'major'))).toEqual(
      currencies.split(' ').map(() => minor),
    );
  });
});

it('names the current ticket release and the next one', () => {
  const releases = [
    release({ id: 'rel_0', status: 'ended' }),
    release({ id: 'rel_1', position: 1, quota: 5, remaining: 3 }),
    release({ id: 'rel_2', position: 2, status: 'upcoming', startsAt: 9_000 }),
    release({ id: 'rel_3', position: 3, status: 'upcoming', startsAt: 5_000, categoryKey: 'stalls' }),
  ];
  const told = { name: 'Early bird', endsAt: null };
  expect(summed({ releases })).toMatchObject({
    release: { ...told, index: 2, count: 4, remaining: 3, id: 'rel_1', categoryKey: null, startsAt: null },
    upcoming: { ...told, index: 4, count: 4, remaining: null, id: 'rel_3', categoryKey: 'stalls', startsAt: 5_000 },
  });
  expect(summed()).toMatchObject({ release: null, upcoming: null, channelPricing: null });
});

it('counts the units that buyers see by category and channel, and no unit that is not for sale to them', () => {
  const plan = {
    categories: [stalls, balcony],
    categoryOfUnit: new Uint8Array([0, 0, 0, 0, 1, 1]),
    accessibilityOfUnit: new Uint8Array(6),
  } as unknown as Plan;
  const free = 0;
  const held = 1;
  const booked = 2;
  const blocked = 3;
  const hidden = 4;
  const shown = new Uint8Array([free, held, booked, blocked, hidden, free] as number[]);
  expect(supplyOf(plan, shown, { of: null, ids: [] })).toEqual([of(stalls, 1, 3), of(balcony, 1, 1)]);
  expect(supplyOf(plan, shown, { of: new Uint16Array([0, 0, 2, 1, 1, 2]), ids: ['chn_1', 'chn_2'] })).toEqual([
    of(stalls, 1, 2),
    of(stalls, 0, 1, 'chn_2'),
    of(balcony, 1, 1, 'chn_2'),
  ]);
});

it('tells the tiers at which plain free units are sold, without the tiers for others', () => {
  const tiers = [
    { id: 'adult', name: 'Adult', price: 90 },
    { id: 'wheelchair', name: 'Wheelchair', price: 60, applicability: { accessibility: ['wheelchair'] } },
    { id: 'companion', name: 'Companion', price: 0, restriction: 'companion' },
    { id: 'pillar', name: 'Behind the pillar', price: 40, applicability: { seatLabels: ['A-1', 'A-2'] } },
  ];
  const category = { ...balcony, tiers } as Category;
  const supplied = (shown: number[], accessibility: number[]) => {
    const plan = {
      categories: [category],
      categoryOfUnit: new Uint8Array(3),
      accessibilityOfUnit: new Uint8Array(accessibility),
      labels: { unitOf: (label: string) => ['A-1', 'A-2', 'A-3'].indexOf(label) },
    } as unknown as Plan;
    const [supply] = supplyOf(plan, new Uint8Array(shown), { of: null, ids: [] });
    return [supply!.free, supply!.plain, ...supply!.tiers.map(({ id }) => id)];
  };
  const free = 0;
  const held = 1;
  expect(supplied([free, held, free], [0, 0, 1])).toEqual([2, 1, 'adult', 'pillar']);
  expect(supplied([held, free, free], [0, 1, 0])).toEqual([2, 1, 'adult']);
  expect(supplied([held, free, held], [0, 1, 0])).toEqual([1, 0, 'adult', 'wheelchair', 'pillar']);
});
