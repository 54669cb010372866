/** The picker's sale of a performance group, against a server that loses answers, decides late and books meanwhile. */
import { describe, expect, test } from 'vitest';
import { demoTheatre } from '../../scripts/generate-charts.mjs';
import type { ChartDocument } from '../../shared/src/charts/document.ts';
import { groupCounter } from '../../web/src/group/group-counter.ts';
import { problemText } from '../../web/src/messages/problems.ts';
import { wordsOf } from '../../web/src/messages/words.ts';
import { bestChoices, bestPlaces } from '../../web/src/rules/best.ts';
import { hallOf } from '../../web/src/rules/hall.ts';
import { frameOf, hasUnknownArea, mergedItems, performanceNames } from '../../web/src/rules/performances.ts';
import type { HeldItem } from '../../web/src/rules/selection.ts';
import { noStatuses, takeSnapshot } from '../../web/src/rules/statuses.ts';
import { waitingNow } from '../../web/src/rules/waiting.ts';
import { keptHold } from '../../web/src/sale/kept-hold.ts';
import { Sale } from '../../web/src/sale/sale.ts';
import { keptIn } from './kept-in.ts';

const hall = hallOf(demoTheatre() as ChartDocument);
const evenings = new Map([
  ['ev_1', 'Monday'],
  ['ev_2', 'Tuesday'],
]);

const lost = { ok: false as const, status: 0, problem: { code: 'no_answer' } };
const told = (state: string, operationId: string, label = 'A-1') => {
  const item: HeldItem = { label, objectId: 'row', objectType: 'seat', tierId: null, unitPrice: 60, currency: 'EUR' };
  const allocations = [...evenings.keys()].map((eventKey) => ({ eventKey, items: [item] }));
  const hold = { id: 'hld_1', expiresAt: Date.now() + 60_000, allocations };
  return { operation: { operationId, state, hold } };
};
const done = (value: object) => ({ ok: true as const, value });

type GroupCall = { action: string; body?: { operationId?: string; expectedTotal?: number } };

/** `answers` gives the answer of each call in turn; the last one stays. */
function openSale(...answers: ((asked: GroupCall) => object)[]) {
  const calls: GroupCall[] = [];
  const page = { total: null as number | null };
  const stored = new Map<string, string>();
  const call = async (_: string, action: string, { body }: { body?: GroupCall['body'] } = {}) => {
    const asked = { action, ...(body ? { body } : {}) };
    calls.push(asked);
    return (answers.length > 1 ? answers.shift()! : answers[0]!)(asked);
  };
  const statuses = noStatuses(hall);
  const map = { revision: 1, salesClosed: false, seats: Object.fromEntries(hall.labels.map((each) => [each, 'free'])) };
  takeSnapshot(statuses, hall, frameOf({ ...map, partial: {} }, hall.areas, [...evenings.keys()]));
  const nothing = (): void => {};
  const said = { bought: [] as string[][], ended: [] as string[] };
  const counter = groupCounter({
    api: { call } as never,
    names: () => evenings,
    look: async () => {},
    pauseMs: 1,
  });
  const sale = new Sale({
    words: () => wordsOf('en'),
    counter,
    hall: () => hall,
    statuses: () => statuses,
    maxSelection: 10,
    rules: () => ({}),
    isClosed: () => false,
    now: Date.now,
    total: () => page.total,
    lackingOf: (label) => (label === 'A-1' ? ['Tuesday'] : []),
    kept: keptHold(keptIn(stored), 'pg_1', { publicKey: 'pk_test_1' }),
    events: {
      changed: nothing,
      selectionChanged: nothing,
      held: nothing,
      problem: nothing,
      outdated: nothing,
      say: nothing,
      bought: (labels) => void said.bought.push(labels),
      holdEnded: (why) => void said.ended.push(why),
    },
  });
  const choose = (label: string) => sale.choice.toggle(hall.spotOf.get(label)!);
  return { sale, statuses, calls, page, choose, stored, said, chosen: () => [...sale.state.selection.keys()] };
}

const nameIn = (calls: GroupCall[]) => calls[0]!.body!.operationId!;

describe('the best places of a group', () => {
  const premium = hall.categories[hall.categoryOf[hall.spotOf.get('A-1')!]!]!.key;
  const search = (
    seats: Record<string, string>,
    usual: string,
    wanted: Parameters<typeof bestPlaces>[2],
    free = 0,
    areCompanionsReleased = false,
  ) => {
    const statuses = noStatuses(hall);
    const frame = { type: 'snapshot' as const, snapshotVersion: 1, default: usual, seats, hidden: [], closed: [] };
    takeSnapshot(statuses, hall, { ...frame, ga: { standing: { free } } });
    return bestPlaces(hall, { ...statuses, areCompanionsReleased }, wanted);
  };
  const freeSeats = (...labels: string[]) => Object.fromEntries(labels.map((label) => [label, 'free']));
  const found = (...labels: string[]) => labels.map((label) => ({ label }));

  test('are beside each other, free in every performance, near the stage, and leave nobody alone', () => {
    const near = search({}, 'free', { qty: 2, categoryKey: premium })!;
    expect(near.map(({ label }) => label.split('-')[0])).toEqual(['A', 'A']);
    const seats = { ...freeSeats('B-1', 'B-2', 'B-3', 'D-1', 'D-2'), 'A-1': 'partly', 'A-2': 'partly' };
    expect(search(seats, 'booked', { qty: 2 })).toEqual(found('D-1', 'D-2'));
    expect(search(seats, 'booked', { qty: 3 })).toEqual(found('B-1', 'B-2', 'B-3'));
    expect(search(seats, 'booked', { qty: 5 })).toEqual(found('B-1', 'B-2', 'B-3', 'D-1', 'D-2'));
    expect(search(seats, 'booked', { qty: 6 })).toBe(null);
  });

  test('are a table or an area where no seats are beside each other, and wheelchair places for who asks for them', () => {
    expect(search(freeSeats('Table 1'), 'booked', { qty: 6 }, 20)?.[0]?.label).toBe('Table 1');
    expect(search({}, 'booked', { qty: 3 }, 20)).toEqual([{ label: 'Standing', quantity: 3 }]);
    const accessible = ['wheelchair'];
    const wheels = freeSeats('H-1', 'H-2', 'B-1', 'B-2');
    expect(search(wheels, 'booked', { qty: 2, accessible })).toEqual(found('H-1', 'H-2'));
    expect(search(freeSeats('H-1', 'H-2'), 'booked', { qty: 2 })).toBe(null);
    // A companion's place of a sold wheelchair place is for all, behind the others, from a time on.
    expect(search(freeSeats('H-2'), 'booked', { qty: 1 })).toBe(null);
    expect(search(freeSeats('H-2'), 'booked', { qty: 1 }, 0, true)).toEqual(found('H-2'));
    expect(search(freeSeats('H-1', 'H-2'), 'booked', { qty: 1 }, 0, true)).toBe(null);
    expect(search(freeSeats('H-2', 'G-9'), 'booked', { qty: 1 }, 0, true)).toEqual(found('G-9'));
  });

  test('are told as choices that have no place in common, the best first', () => {
    const statuses = noStatuses(hall);
    const seats = freeSeats('A-1', 'A-2', 'D-1', 'D-2', 'D-4');
    const frame = { type: 'snapshot' as const, snapshotVersion: 1, default: 'booked', seats, hidden: [], closed: [] };
    takeSnapshot(statuses, hall, { ...frame, ga: { standing: { free: 5 } } });
    const choices = bestChoices(hall, statuses, { qty: 2 }, 5);
    expect(choices.map((each) => [...each].map(([label, { quantity }]) => `${label} ${quantity}`))).toEqual([
      ['A-1 1', 'A-2 1'],
      ['D-1 1', 'D-2 1'],
      ['Standing 2'],
      ['Standing 2'],
    ]);
    expect(statuses.freeInArea.get('standing')).toBe(5);
  });

  test('are held by name over all performances, and a search in vain is told', async () => {
    const { sale, calls, statuses } = openSale((asked) => done(told('committed', asked.body!.operationId!)));
    expect(await sale.holdBest({ qty: 2 })).toBe(true);
    expect(calls[0]).toMatchObject({
      action: 'hold',
      body: { labels: [/^A-/, /^A-/].map((label) => expect.stringMatching(label)) },
    });
    expect([...sale.state.held.keys()]).toEqual(['A-1']);
    const full = openSale(() => lost);
    full.statuses.of.fill(2);
    expect(statuses.version).toBe(1);
    expect([await full.sale.holdBest({ qty: 2 }), full.calls]).toEqual([false, []]);
    expect(full.sale.state.notice?.text).toMatch(/^No places like these are free together/);
  });
});

describe('a hold of a group', () => {
  test('that is decided late is polled until it stands', async () => {
    const { sale, calls, choose } = openSale(
      ({ body }) => done(told('preparing', body!.operationId!)),
      () => lost,
      () => done(told('commit_pending', nameIn(calls))),
      () => done(told('committed', nameIn(calls))),
    );
    choose('A-1');
    expect(await sale.hold()).toBe(true);
    expect(sale.state.hold).toMatchObject({ operationId: nameIn(calls), labels: ['A-1'] });
    expect(sale.state.hold?.items).toMatchObject([{ unitPrice: 120 }]);
    expect(calls.slice(1).map(({ action }) => action)).toEqual(Array(3).fill(`operations/${nameIn(calls)}`));
  });

  test('that a 504 tells of is polled too', async () => {
    const { sale, calls, choose } = openSale(
      ({ body }) => ({
        ok: false,
        status: 504,
        problem: { code: 'internal_error', ...told('preparing', body!.operationId!) },
      }),
      () => done(told('committed', nameIn(calls))),
    );
    choose('A-1');
    expect(await sale.hold()).toBe(true);
  });

  test('is repeated under its name after a lost answer, and found under this name after a reload', async () => {
    const { sale, calls, choose, stored } = openSale(
      () => lost,
      () => done(told('committed', nameIn(calls))),
    );
    choose('A-1');
    expect(await sale.hold()).toBe(false);
    expect([...stored.values()]).toEqual([`${nameIn(calls)} 0`]);
    expect(await sale.hold()).toBe(true);
    expect(calls[1]).toEqual(calls[0]);
  });

  test('without an answer is held as it was asked for, whatever is chosen since', async () => {
    const { sale, calls, choose, chosen } = openSale(
      () => lost,
      () => done(told('committed', nameIn(calls))),
    );
    choose('A-1');
    await sale.hold();
    choose('A-2');
    expect(await sale.hold()).toBe(true);
    expect(calls[1]).toEqual(calls[0]);
    expect(chosen()).toEqual(['A-1']);
    expect(sale.state.notice?.text).toMatch(/^Your first choice is held/);
  });

  test('drops places that were chosen during its call, and says how to add them', async () => {
    const { sale, choose, chosen } = openSale(({ body }) => {
      choose('A-2');
      return done(told('committed', body!.operationId!));
    });
    choose('A-1');
    expect(await sale.hold()).toBe(true);
    expect(chosen()).toEqual(['A-1']);
    expect(sale.state.notice?.text).toMatch(/^Your first choice is held/);
  });

  test('that is aborted holds nothing, and its name is forgotten', async () => {
    const { sale, calls, choose, stored } = openSale(
      ({ body }) => done(told('preparing', body!.operationId!)),
      () => done(told('aborted', nameIn(calls))),
    );
    choose('A-1');
    expect(await sale.hold()).toBe(false);
    expect(sale.state).toMatchObject({ hold: null, notice: { code: 'conflict' } });
    expect(stored.size).toBe(0);
  });

  test('that conflicts names the performances, and drops the lost places only', async () => {
    const conflicts = [
      { eventKey: 'ev_2', label: 'A-1', status: 'held' },
      { eventKey: 'ev_1', label: 'A-1', status: 'booked' },
    ];
    const { sale, choose, chosen } = openSale(() => ({
      ok: false,
      status: 409,
      problem: { code: 'conflict', conflicts },
    }));
    choose('A-1');
    choose('A-2');
    expect(await sale.hold()).toBe(false);
    expect(sale.state.notice?.text).toMatch(/^Row A, seat 1 was just taken by somebody else for Tuesday and Monday\./);
    expect(chosen()).toEqual(['A-2']);
  });

  test('at a price that has changed is shown with the sum of all performances, and not held silently', async () => {
    const item = { label: 'A-1', objectId: 'row', objectType: 'seat', tierId: null, currency: 'EUR' };
    const allocations = [60, 75].map((unitPrice) => ({ items: [{ ...item, unitPrice }] }));
    const { sale, calls, page, choose } = openSale(
      () => ({ ok: false, status: 409, problem: { code: 'price_changed', allocations, total: 135 } }),
      ({ body }) => done(told('committed', body!.operationId!)),
    );
    choose('A-1');
    page.total = 120;
    expect(await sale.hold()).toBe(false);
    expect(sale.state).toMatchObject({ hold: null, quote: [{ label: 'A-1', unitPrice: 135 }] });
    page.total = 135;
    expect(await sale.hold()).toBe(true);
    expect(calls.map(({ body }) => body?.expectedTotal)).toEqual([120, 135]);
    expect(nameIn(calls)).not.toBe(calls[1]!.body!.operationId);
  });

  test('has tickets and quantities the same in every performance', async () => {
    const { sale, calls, choose } = openSale(({ body }) => done(told('committed', body!.operationId!)));
    choose('A-1');
    sale.choice.setTier('A-1', 'child');
    await sale.hold();
    const selections = [{ label: 'A-1', tierId: 'child' }];
    expect(calls[0]!.body).toMatchObject({
      selectionMode: 'per_performance',
      allocations: [...evenings.keys()].map((eventKey) => ({ eventKey, selections })),
    });
  });

  test('is fixed, and bought only if the operation says so', async () => {
    const { sale, calls, choose, chosen, said } = openSale(
      ({ body }) => done(told('committed', body!.operationId!)),
      () => done(told('committed', nameIn(calls))),
      () => done(told('booked', nameIn(calls))),
    );
    choose('A-1');
    await sale.hold();
    choose('A-2');
    expect(chosen()).toEqual(['A-1']);
    // Between two looks at the map the hold may have ended, and another buyer may have bought the place.
    sale.heard(() => 'booked');
    await expect.poll(() => calls.length).toBe(2);
    await expect.poll(() => sale.state.busy).toBe(null);
    expect([sale.state.hold !== null, said.bought]).toEqual([true, []]);
    sale.heard(() => 'booked');
    await expect.poll(() => said.bought).toEqual([['A-1']]);
    expect(sale.state.hold).toBe(null);
  });

  test.each(['extend', 'release'] as const)('that is booked during its %s is bought, and not ended', async (action) => {
    const { sale, calls, choose, said } = openSale(
      ({ body }) => done(told('committed', body!.operationId!)),
      () => ({ ok: false, status: 409, problem: { code: 'conflict', reason: 'operation_booked' } }),
      () => done(told('booked', nameIn(calls))),
    );
    choose('A-1');
    await sale.hold();
    await sale[action]();
    expect([said.bought, said.ended]).toEqual([[['A-1']], []]);
  });

  test('loses a chosen place that one performance has lost, and names this performance', () => {
    const { sale, statuses, choose, chosen } = openSale(() => lost);
    choose('A-1');
    const seats = Object.fromEntries(hall.labels.map((each) => [each, each === 'A-1' ? 'held' : 'free']));
    const map = { revision: 2, salesClosed: false, seats, partial: { 'A-1': ['ev_2'] } };
    takeSnapshot(statuses, hall, frameOf(map, hall.areas, [...evenings.keys()]));
    sale.heard(() => undefined);
    expect(chosen()).toEqual([]);
    expect(sale.state.notice?.text).toBe('Row A, seat 1 was just taken by somebody else for Tuesday.');
  });

  test('is given up for a change, and its places stay chosen', async () => {
    const { sale, calls, choose, chosen, stored } = openSale(
      ({ body }) => done(told('committed', body!.operationId!)),
      () => done(told('expire_pending', nameIn(calls))),
      () => done(told('expired', nameIn(calls))),
    );
    choose('A-1');
    await sale.hold();
    expect(await sale.change()).toBe(true);
    expect([sale.state.hold, chosen(), stored.size]).toEqual([null, ['A-1'], 0]);
    choose('A-2');
    expect(chosen()).toEqual(['A-1', 'A-2']);
  });
});

describe('one map of several performances', () => {
  const eventKeys = [...evenings.keys()];
  const place = (number: number) => `__sl_ga__standing__${number}`;

  test('has a status of its own for seats that some have free', () => {
    const statuses = noStatuses(hall);
    const seats = { 'A-1': 'held', 'A-2': 'booked', 'A-3': 'free' };
    const map = { revision: 7, salesClosed: false, seats, partial: { 'A-1': ['ev_2'] } };
    takeSnapshot(statuses, hall, frameOf(map, hall.areas, eventKeys));
    const of = (label: string) => statuses.of[hall.spotOf.get(label)!];
    expect(['A-1', 'A-2', 'A-3', 'A-4'].map(of)).toEqual([4, 2, 0, 3]);
    expect(statuses.version).toBe(7);
  });

  test('sells nothing while one of them shows its last known state', () => {
    const statuses = noStatuses(hall);
    const map = { revision: 7, salesClosed: false, seats: { 'A-1': 'free' }, partial: {} };
    takeSnapshot(statuses, hall, frameOf({ ...map, stale: true }, hall.areas, eventKeys));
    expect(waitingNow(null, statuses)?.reason).toBe('stale');
    takeSnapshot(statuses, hall, frameOf(map, hall.areas, eventKeys));
    expect(waitingNow(null, statuses)).toBe(null);
  });

  test('counts the places of an area that a hold could take, whatever their numbers', () => {
    const seats = { [place(1)]: 'free', [place(2)]: 'booked', [place(3)]: 'held', [place(4)]: 'held' };
    const partial = { [place(2)]: ['ev_1'], [place(3)]: ['ev_2'], [place(4)]: ['ev_2'] };
    const { ga } = frameOf({ revision: 1, salesClosed: false, seats, partial }, hall.areas, eventKeys);
    // Monday has 1, 3 and 4; Tuesday has 1 and 2.
    expect(ga).toEqual({ standing: { free: 2 } });
    expect(seats[place(3)]).toBe('held');
  });

  test('has the places of joined areas under the labels of the areas that they came from', () => {
    const [area] = hall.areas;
    const joined = { ...area!, id: 'joined', segments: [{ sourceAreaId: 'old area', startIndex: 2, count: 2 }] };
    const seats = Object.fromEntries([2, 3, 4, 5].map((number) => [`__sl_ga__old%20area__${number}`, 'free']));
    const map = { revision: 1, salesClosed: false, seats, partial: {} };
    expect(frameOf(map, [joined], eventKeys).ga).toEqual({ joined: { free: 2 } });
    // An area that was hidden is on sale now, and the chart of the page does not show it.
    expect([hasUnknownArea(map, [joined]), hasUnknownArea(map, [])]).toEqual([false, true]);
  });

  test('adds the prices of a place, and counts places of an area once', () => {
    const seat: HeldItem = {
      label: 'A-1',
      objectId: 'row',
      objectType: 'seat',
      tierId: 'adult',
      unitPrice: 60,
      currency: 'EUR',
    };
    const standing = (number: number, unitPrice: number, quantity = 1): HeldItem => {
      const base = { objectId: 'standing', objectType: 'ga', tierId: null, currency: 'EUR' } as const;
      return { ...base, label: place(number), unitPrice, quantity };
    };
    const merged = mergedItems([
      { items: [seat, standing(1, 15), standing(2, 15)] },
      { items: [{ ...seat, unitPrice: 50 }, standing(7, 10, 2)] },
    ]);
    expect(merged).toMatchObject([
      { label: 'A-1', unitPrice: 110 },
      { objectId: 'standing', unitPrice: 25, quantity: 2 },
    ]);
  });

  test('tells performances of one name apart by their time', () => {
    const at = (eventKey: string, name: string, startsAt: number) => ({ eventKey, name, startsAt, timezone: 'UTC' });
    const day = 86_400_000;
    const names = performanceNames(wordsOf('en'), [at('a', 'Hamlet', 0), at('b', 'Hamlet', day), at('c', 'Gala', day)]);
    expect([...names.values()]).toEqual([
      expect.stringMatching(/^Hamlet, Jan 1, 1970/),
      expect.stringMatching(/^Hamlet, Jan 2, 1970/),
      'Gala',
    ]);
    expect(
      problemText(wordsOf('en'), {
        code: 'conflict',
        conflicts: [{ label: 'Standing', status: 'booked', available: 1, performance: 'Gala' }],
      }),
    ).toMatch(/^Only 1 left of Standing for Gala\./);
  });
});
