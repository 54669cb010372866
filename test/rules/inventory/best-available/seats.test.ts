/** Best-available, case by case: the seats that the event chooses, and the calls that hold, block and book them. */
import { accessibilityKinds } from '@parterre/shared/charts/accessibility';
import { compilePlan } from '@parterre/shared/charts/compile';
import type { ChartDocument } from '@parterre/shared/charts/document';
import type { Command, SeatQuery } from '@parterre/shared/protocol/commands';
import { describe, expect, test } from 'vitest';
import { freeRunsOf } from '../../../../services/inventory-shard/src/rules/seat-search/free-runs.ts';
import type { Search } from '../../../../services/inventory-shard/src/rules/seat-search/search.ts';
import { bestAvailable } from '../../../../services/inventory-shard/src/rules/seat-search/seat-search.ts';
import { summariesKept } from '../../../../services/inventory-shard/src/rules/state/bounds.ts';
import { newState } from '../../../../services/inventory-shard/src/rules/state/state.ts';
import { apply } from '../../../../services/inventory-shard/src/rules/turn/apply.ts';
import { capture, fromSnapshot, toSnapshot } from '../../../../services/inventory-shard/src/rules/turn/snapshot.ts';
import { callId, eventConfig, hold, house, MINUTE, START, smallChart } from '../../../support/inventory/house.ts';

const best = (holdId: string, query: SeatQuery): Command & { type: 'hold-best' } => ({
  type: 'hold-best',
  holdId,
  query,
});
const bookBest = (bookingRef: string, query: SeatQuery): Command => ({
  type: 'book-best',
  callId: callId(),
  bookingRef,
  query,
});
const blockBest = (query: SeatQuery, more: object = {}): Command & { type: 'block-best' } => ({
  type: 'block-best',
  callId: callId(),
  query,
  releaseAt: null,
  reason: null,
  ...more,
});
const bookSeats = (...labels: string[]): Command => ({
  type: 'book-direct',
  callId: callId(),
  bookingRef: `seats of ${callId()}`,
  selections: labels.map((label) => ({ label })),
});

const seats = (row: string, ...numbers: number[]): string[] => numbers.map((number) => `${row}-${number}`);

describe('of three rows of eight before a stage', () => {
  test('one seat is the middle seat of the first row', () => {
    expect(house().ok(best('h', { qty: 1 })).labels).toEqual(['A-4']);
  });

  test('two seats are the middle pair of the first row', () => {
    expect(house().ok(best('h', { qty: 2 })).labels).toEqual(['A-4', 'A-5']);
  });

  test(
    'with the middle pair booked, two seats are the nearest pair that ' +
      'strands no seat: the middle of the second row',
    () => {
      const event = house();
      event.ok(bookSeats('A-4', 'A-5'));
      expect(event.ok(best('h', { qty: 2 })).labels).toEqual(['B-4', 'B-5']);
    },
  );

  test('three seats of a category are the middle three of this category', () => {
    expect(house().ok(best('h', { qty: 3, categoryKey: 'circle' })).labels).toEqual(seats('C', 3, 4, 5));
  });

  test('a run that fills a gap completely strands no seat', () => {
    const event = house();
    event.ok(bookSeats(...seats('A', 1, 2, 3, 6, 7, 8), ...seats('B', 4, 5)));
    expect(event.ok(best('h', { qty: 2 })).labels).toEqual(['A-4', 'A-5']);
  });

  test('if every run strands a single seat, the nearest run is taken', () => {
    const event = house();
    event.ok(bookSeats(...seats('A', 4, 5), ...seats('B', 4, 5)));
    expect(event.ok(best('h', { qty: 2, categoryKey: 'stalls' })).labels).toEqual(['A-2', 'A-3']);
  });

  test('without a run, single seats are taken: the nearest, then the nearest to the seats so far', () => {
    const event = house();
    event.ok(bookSeats(...seats('A', 1, 2, 4, 5, 7, 8), ...seats('B', 1, 2, 4, 5, 7, 8), 'T1'));
    expect(event.ok(best('h', { qty: 3, categoryKey: 'stalls' })).labels).toEqual(['A-3', 'B-3', 'A-6']);
  });
});

describe('the eligible seats', () => {
  test('a category and a zone narrow the search; unknown ones and a category not for sale are refused', () => {
    const event = house();
    expect(event.ok(best('h', { qty: 2, categoryKey: 'circle' })).labels).toEqual(['C-4', 'C-5']);
    expect(event.refused(best('i', { qty: 2, categoryKey: 'boxes' }))).toMatchObject({
      code: 'invalid_request',
      details: { issues: [{ path: 'categoryKey' }] },
    });
    expect(event.refused(best('i', { qty: 2, zoneId: 'east' }))).toMatchObject({
      code: 'invalid_request',
      details: { issues: [{ path: 'zoneId' }] },
    });
    expect(event.refused(best('i', { qty: 1, categoryKey: 'house' })).code).toBe('not_for_sale');
  });

  test('no seat left is refused as sold_out, too few as not_enough_together', () => {
    const event = house();
    event.ok(bookSeats(...seats('C', 1, 2, 3, 4, 5, 6, 7)));
    const circle = { qty: 2, categoryKey: 'circle' };
    expect(event.refused(best('h', circle))).toMatchObject({ code: 'conflict', reason: 'not_enough_together' });
    event.ok(bookSeats('C-8'));
    expect(event.refused(best('h', circle))).toMatchObject({ code: 'conflict', reason: 'sold_out' });
  });

  test('a category of standing places gives the lowest free places, as one line', () => {
    const event = house();
    event.ok(hold('first', '__sl_ga__ga__1', '__sl_ga__ga__3'));
    const { items } = event.ok(best('h', { qty: 3, categoryKey: 'floor' }));
    expect(items).toEqual([expect.objectContaining({ objectId: 'ga', quantity: 3, unitPrice: 10 })]);
    expect(items[0]!.labels).toEqual(['__sl_ga__ga__2', '__sl_ga__ga__4', '__sl_ga__ga__5']);
  });

  test('a request for more than 50 seats counts as 50', () => {
    expect(house().refused(best('h', { qty: 51 })).reason).toBe('not_enough_together');
    const wide = hallOf([{ ...row('W', 0), seatCount: 60 }]);
    const units = bestAvailable(wide, { qty: 1_000 });
    expect(units.ok && units.value.parts.flat().length).toBe(50);
  });

  test('neighbours follow each other by index: a skipped seat parts them', () => {
    const state = hallOf([{ ...row('A', 0), overrides: [{ index: 4, skip: true }] }]);
    expect(labels(state, { qty: 2 })).toEqual(['A-3', 'A-4']);
    expect(labels(state, { qty: 5 })).toHaveLength(5);
  });

  test('a closed section is skipped, and served again when it opens', () => {
    const event = house();
    const states = (sectionStates: Record<string, 'open' | 'closed' | 'hidden'>): Command => ({
      type: 'configure',
      callId: callId(),
      sectionStates,
    });
    event.ok(states({ __ungrouped__: 'closed' }));
    expect(event.refused(best('h', { qty: 2 })).reason).toBe('sold_out');
    event.ok(states({ __ungrouped__: 'open' }));
    expect(event.ok(best('h', { qty: 2 })).labels).toEqual(['A-4', 'A-5']);
  });
});

describe('seats with an accessibility kind', () => {
  const state = () =>
    hallOf([
      row('A', 0),
      {
        ...row('B', 20),
        overrides: [
          { index: 0, accessibility: ['wheelchair'] },
          { index: 1, accessibility: ['companion'] },
          { index: 4, accessibility: ['hearing'] },
        ],
      },
    ]);

  test('are chosen only for callers who name their kind', () => {
    const house = state();
    for (const label of seats('A', 1, 2, 3, 4, 5, 6, 7, 8)) take(house, label);
    // A companion's place is no company for B-3.
    expect(labels(house, { qty: 1 })).toEqual(['B-3']);
    expect(labels(house, { qty: 3 })).toEqual(['B-6', 'B-7', 'B-8']);
    expect(labels(house, { qty: 3, accessible: ['hearing'] })).toEqual(['B-3', 'B-4', 'B-5']);
  });

  test('are given to callers who name their kind, although others are nearer', () => {
    expect(labels(state(), { qty: 1, accessible: ['wheelchair'] })).toEqual(['B-1']);
  });

  test('are among the seats of every caller who names their kind', () => {
    const house = state();
    expect(refusalOf(house, { qty: 2, accessible: ['sign-language'] })).toBe('sold_out');
    // The place beside the wheelchair place is a companion's.
    expect(labels(house, { qty: 2, accessible: ['wheelchair'] })).toEqual(['B-1', 'B-2']);
    expect(labels(house, { qty: 2, accessible: ['wheelchair', 'hearing'] })).toEqual(['B-5', 'B-6']);
    take(house, 'B-1');
    expect(refusalOf(house, { qty: 1, accessible: ['wheelchair'] })).toBe('sold_out');
  });

  test('include a companion place only with the wheelchair place beside it', () => {
    const house = state();
    expect(labels(house, { qty: 2, accessible: ['wheelchair', 'companion'] })).toEqual(['B-1', 'B-2']);
    take(house, 'B-1');
    expect(refusalOf(house, { qty: 1, accessible: ['wheelchair', 'companion'] })).toBe('sold_out');
  });
});

describe('the calls', () => {
  test('a hold has the price of its time; a repetition under its name gets the same seats', () => {
    const event = house();
    const command = { ...best('h', { qty: 2 }), ttlMs: MINUTE, fingerprint: 'f' };
    const first = event.ok(command);
    expect(first).toMatchObject({ holdId: 'h', expiresAt: START + MINUTE, currency: 'EUR' });
    expect(first.items.map(({ unitPrice }) => unitPrice)).toEqual([40, 40]);
    expect(event.ok(command)).toEqual(first);
    expect(event.counts().held).toBe(2);
    expect(event.refused({ ...command, fingerprint: 'g' })).toMatchObject({ reason: 'idempotency_key_reused' });
  });

  test('a tiered seat is held at its first tier', () => {
    const { items } = house().ok(best('h', { qty: 1, categoryKey: 'circle' }));
    expect(items).toMatchObject([{ tierId: 'adult', unitPrice: 30 }]);
  });

  test('seats of an ended hold are the best again', () => {
    const event = house();
    event.ok(best('h', { qty: 2 }));
    expect(event.ok(best('i', { qty: 2 })).labels).toEqual(['B-4', 'B-5']);
    event.ok({ type: 'release', callId: callId(), holdId: 'h' });
    expect(event.ok(best('j', { qty: 2 })).labels).toEqual(['A-4', 'A-5']);
  });

  test('a block is recognised by its name, and refuses another body; after its end the seats are sold', () => {
    const event = house();
    const command = blockBest({ qty: 2 }, { releaseAt: START + MINUTE, fingerprint: 'f' });
    expect(event.ok(command)).toEqual({ blocked: ['A-4', 'A-5'], parts: [['A-4', 'A-5']] });
    expect(event.ok(command)).toEqual({ blocked: ['A-4', 'A-5'], parts: [['A-4', 'A-5']] });
    expect(event.counts().blocked).toBe(2);
    expect(event.refused({ ...command, fingerprint: 'g' })).toMatchObject({ reason: 'idempotency_key_reused' });
    event.pass(MINUTE);
    expect(event.ok(best('h', { qty: 2 })).labels).toEqual(['A-4', 'A-5']);
    expect(event.refused(blockBest({ qty: 1 }, { releaseAt: START })).code).toBe('invalid_request');
  });

  test('a closed event holds and books nothing, while its organiser may still block', () => {
    const event = house();
    event.ok(bookBest('before', { qty: 1 }));
    event.ok({ type: 'move', callId: callId(), move: 'close' });
    expect(event.refused(best('h', { qty: 2 })).code).toBe('event_closed');
    expect(event.refused(bookBest('order', { qty: 2 })).code).toBe('event_closed');
    expect(event.ok(bookBest('before', { qty: 1 }))).toMatchObject({ labels: ['A-4'] });
    expect(event.ok(blockBest({ qty: 1 }))).toEqual({ blocked: ['A-5'], parts: [['A-5']] });
  });

  test('on another chart, the event chooses from the seats of the new chart', () => {
    const event = house();
    event.ok(best('h', { qty: 8, categoryKey: 'circle' }));
    event.ok({
      type: 'update-chart',
      acknowledgeMoved: true,
      reason: 'A new chart',
      callId: callId(),
      planHash: 'moved-plan',
      chartVersion: 2,
    });
    expect(event.ok(best('i', { qty: 2, categoryKey: 'circle' })).labels).toEqual(['A-4', 'A-5']);
  });
});

const row = (label: string, y: number) => ({
  ...smallChart.objects[0]!,
  id: `row-${label}`,
  label,
  origin: { x: 0, y },
});

function hallOf(objects: object[]) {
  const plan = compilePlan({ ...smallChart, objects } as unknown as ChartDocument, 'hall');
  return newState(eventConfig({ planHash: 'hall' }), plan);
}

function labels(state: ReturnType<typeof hallOf>, query: Search): string[] {
  const units = bestAvailable(state, query);
  if (!units.ok) throw new Error(JSON.stringify(units.refusal));
  return units.value.parts.flat().map((unit) => state.plan.labels.at(unit));
}

function refusalOf(state: ReturnType<typeof hallOf>, query: Search): string | undefined {
  const units = bestAvailable(state, query);
  return units.ok ? undefined : units.refusal.reason;
}

function take(state: ReturnType<typeof hallOf>, label: string): void {
  const by = { source: 'server', actor: null } as const;
  const units = [state.plan.labels.unitOf(label)!];
  apply(state, { type: 'blocked', units, releaseAt: null, reason: null, by }, START);
}

test('more sets of kinds than kept summaries are each answered as by a fresh event', () => {
  const rows = seats('R', 1, 2, 3, 4).map((label, i) => ({
    ...row(label, 20 * i),
    overrides: accessibilityKinds.map((kind, index) => ({ index: (3 * index + i) % 8, accessibility: [kind] })),
  }));
  const state = hallOf(rows);
  const sets = Array.from({ length: 2 ** accessibilityKinds.length - 1 }, (_, i) => i + 1);
  for (const [i, bits] of sets.entries()) {
    const accessible = accessibilityKinds.filter((_, bit) => (bits & (1 << bit)) !== 0);
    if (i % 5 === 0) take(state, state.plan.labels.at((7 * i) % state.plan.unitCount));
    const query = { qty: 1 + (i % 3), accessible };
    const anew = fromSnapshot(structuredClone(toSnapshot(capture(state))), state.plan);
    expect(bestAvailable(state, query)).toEqual(bestAvailable(anew, query));
    expect(bestAvailable(state, { qty: 2 })).toEqual(bestAvailable(anew, { qty: 2 }));
  }
  expect(freeRunsOf(state).others.size).toBe(summariesKept);
});
