/**
 * The selection rules of an event: single seats, limits of categories and tiers, and the total that a page has shown.
 */

import { compilePlan } from '@parterre/shared/charts/compile';
import type { ChartDocument } from '@parterre/shared/charts/document';
import type { SelectionRules } from '@parterre/shared/charts/selection-rules';
import type { Caller, Command } from '@parterre/shared/protocol/commands';
import type { Refusal } from '@parterre/shared/protocol/errors';
import type { SeatQuery } from '@parterre/shared/protocol/seat-query';
import { describe, expect, test } from 'vitest';
import { capture, fromSnapshot, toSnapshot } from '../../../../services/inventory-shard/src/rules/turn/snapshot.ts';
import { chart, row } from '../../../support/charts.ts';
import { buyer, callId, hold, house, server, smallChart, smallPlan } from '../../../support/inventory/house.ts';

type House = ReturnType<typeof house>;

const set = (selectionRules: SelectionRules | null): Command => ({
  type: 'configure',
  callId: callId(),
  selectionRules,
});
const block = (labels: string[]): Command => ({
  type: 'block',
  callId: callId(),
  labels,
  releaseAt: null,
  reason: null,
});
const seats = (row: string, ...numbers: number[]) => numbers.map((number) => `${row}-${number}`);
const inPlaceOf = (replaceHoldId: string, ...labels: string[]): Command => ({
  ...hold(callId(), ...labels),
  replaceHoldId,
});

function tidy(taken: readonly string[] = [], on = smallPlan): House {
  const event = house('platform', on);
  event.ok(set({ preventOrphans: true }));
  if (taken.length > 0) event.ok(block([...taken]), server);
  return event;
}

/** The labels that would be left single. */
function orphansOf(event: House, command: Command, caller: Caller = buyer): string[] {
  if (event.tries(command, caller)) return [];
  const refused = event.refused(command, caller);
  expect(refused).toMatchObject({ code: 'selection_rules_broken', reason: 'orphan_seat' });
  const { problems } = refused.details as { problems: { rule: string; labels: string[] }[] };
  return problems.find(({ rule }) => rule === 'orphan_seat')!.labels;
}

describe('a choice that leaves a single free seat', () => {
  // Rows A and B have eight seats of one category, row C has eight of another.
  test.each<[string, string[], string[], string[]]>([
    ['in the middle of a row', [], ['A-4'], []],
    ['at the edge of a row', [], ['A-1', 'A-2'], []],
    ['one seat away from the edge', [], ['A-2', 'A-3'], ['A-1']],
    ['one seat away from both edges', [], seats('A', 2, 3, 4, 5, 6, 7), ['A-1', 'A-8']],
    ['with a gap of one seat', [], ['A-3', 'A-5'], ['A-4']],
    ['with a gap of two seats', [], ['A-3', 'A-6'], []],
    ['all but the last seat of a row, with no longer row in the house', [], seats('A', 1, 2, 3, 4, 5, 6, 7), []],
    ['beside a seat that is taken', ['A-1'], ['A-3'], ['A-2']],
    ['beside a seat that was single before', ['A-2', 'A-4'], ['A-5', 'A-6'], []],
    ['of the two seats that follow each other alone', ['A-3'], ['A-1'], ['A-2']],
    ['in two rows', [], ['A-2', 'B-7'], ['A-1', 'B-8']],
    ['the last single seat itself', ['A-2'], ['A-1'], []],
    ['beside places of an area', [], ['Standing'], []],
  ])('%s', (_, taken, chosen, orphans) => {
    expect(orphansOf(tidy(taken), hold('h', ...chosen))).toEqual(orphans);
  });

  test.each<[string, string[], string[]]>([
    ['beside a companion place, which is no company', ['A-4', 'A-5', 'A-6'], ['A-3']],
    ['two seats from a companion place', ['A-5', 'A-6'], []],
    ['the companion place itself', ['A-1', 'A-3'], []],
  ])('%s', (_, chosen, orphans) => {
    const overrides = (['wheelchair', 'companion'] as const).map((kind, index) => ({ index, accessibility: [kind] }));
    const spare = row({ id: 'row-b', label: 'B', origin: { x: 0, y: 50 } });
    const event = tidy([], compilePlan(chart([row({ overrides }), spare]), 'bay'));
    expect(orphansOf(event, hold('h', ...chosen))).toEqual(orphans);
  });

  test('is allowed where nowhere in the category as many neighbours are left without one', () => {
    // Three free seats are left in row A, and three in row B.
    const few = [...seats('A', 4, 5, 6, 7, 8), ...seats('B', 1, 2, 3, 4, 5)];
    expect(orphansOf(tidy(few), hold('h', 'A-1', 'A-2'))).toEqual([]);
    // Two neighbours more would be better.
    expect(orphansOf(tidy(few.slice(1)), hold('h', 'B-6', 'B-7'))).toEqual(['B-8']);
    // One or three of them leave no single seat, the one in the middle leaves two.
    expect(orphansOf(tidy(few), hold('h', 'A-2'))).toEqual(['A-1', 'A-3']);
    expect(orphansOf(tidy(few), hold('h', 'A-1'))).toEqual([]);
  });

  test('is allowed for best-available, servers and operators, and after the rule is gone', () => {
    const event = tidy([...seats('A', 4, 5, 6, 7, 8), ...seats('B', 1, 2, 3, 4, 5), ...seats('C', 1, 2, 3, 4, 5)]);
    event.ok({ type: 'hold-best', holdId: 'best', query: { qty: 2 } }, buyer);
    const other = tidy();
    other.ok(hold('h1', 'A-2'), server);
    other.ok(hold('h2', 'A-7'), { ...server, source: 'operator' });
    expect(other.refused(hold('h3', 'B-2'), buyer).code).toBe('selection_rules_broken');
    other.ok(set(null));
    other.ok(hold('h3', 'B-2'), buyer);
  });

  test('counts seats in reach alone', () => {
    const event = tidy();
    const channel = { id: 'chn_1', name: 'Club', color: null, marker: null, externalRef: null };
    const draft = { ...channel, accessIntent: 'none' as const, priceOverrides: [] };
    event.ok({ type: 'create-channel', callId: callId(), channel: draft, reason: null });
    const assigned = { channelId: 'chn_1', labels: ['A-3'], assignmentVersion: event.state.channels.version };
    event.ok({ type: 'assign-channel', callId: callId(), ...assigned, reason: null });
    expect(orphansOf(event, hold('h', 'A-1'))).toEqual(['A-2']);
    const reach = { channelIds: ['chn_1'], includePublic: true };
    expect(orphansOf(event, hold('h', 'A-1'), { ...buyer, reach })).toEqual([]);
  });

  test('is told of the seats that a replaced hold gives back', () => {
    const event = tidy();
    event.ok(hold('h1', ...seats('A', 1, 2, 3)), buyer);
    expect(orphansOf(event, inPlaceOf('h1', 'A-1', 'A-3'))).toEqual(['A-2']);
    expect(event.state.holds.get('h1')!.status).toBe('active');
    expect(orphansOf(event, inPlaceOf('h1', 'A-1', 'A-2'))).toEqual([]);
  });

  test('is allowed again in place of a hold that leaves the same single seat', () => {
    const event = tidy();
    event.ok(hold('h1', 'A-2', 'A-3'), server);
    expect(orphansOf(event, inPlaceOf('h1', 'A-2', 'A-3', 'B-4'))).toEqual([]);
  });

  test('counts chairs of a table like seats of a row, and no seat that is not for sale', () => {
    const [rowA, rowB] = smallChart.objects as object[];
    const table = { ...(smallChart.objects.find(({ type }) => type === 'table') as object), bookAsWhole: false };
    const house = { ...rowB, overrides: [{ index: 0, categoryKey: 'house' }] };
    const objects = [rowA, house, { ...table, seatCount: 6 }] as ChartDocument['objects'];
    const plan = compilePlan({ ...smallChart, objects } as ChartDocument, 'small-plan');
    expect(orphansOf(tidy(['T1-1'], plan), hold('h', 'T1-3'))).toEqual(['T1-2']);
    // The first chair stands beside the last.
    expect(orphansOf(tidy(['T1-2'], plan), hold('h', 'T1-6'))).toEqual(['T1-1']);
    expect(orphansOf(tidy([], plan), hold('h', 'B-2'))).toEqual([]);
    expect(orphansOf(tidy([], plan), hold('h', 'B-3'))).toEqual(['B-2']);
  });
});

test('a seat beside an aisle has no neighbour across it', () => {
  const [rowA, ...others] = smallChart.objects as object[];
  const overrides = [4, 5, 6, 7].map((index) => ({ index, dx: 30 }));
  const objects = [{ ...rowA, overrides }, ...others] as ChartDocument['objects'];
  const plan = compilePlan({ ...smallChart, objects } as ChartDocument, 'small-plan');
  expect(orphansOf(tidy([], plan), hold('h', 'A-3'))).toEqual(['A-4']);
  expect(orphansOf(tidy([], plan), hold('h', 'A-5'))).toEqual([]);
});

describe('limits', () => {
  const limited = (rules: SelectionRules): House => {
    const event = house();
    event.ok(set(rules));
    return event;
  };

  test('of categories and tiers count guests, and all broken rules are told at once', () => {
    const rules = { preventOrphans: true as const, categoryLimits: { stalls: 3, floor: 9 }, tierLimits: { child: 1 } };
    const event = limited(rules);
    const selections = [
      { label: 'T1' },
      { label: 'A-2' },
      { label: 'C-1', tierId: 'child' },
      { label: 'C-2', tierId: 'child' },
      { label: 'C-3' },
    ];
    const refused: Refusal = event.refused({ type: 'hold', holdId: 'h', selections }, buyer);
    expect(refused).toEqual({
      code: 'selection_rules_broken',
      message:
        'Nothing was held. The choice leaves single free seats: Row A, seat 1. Choose neighbours of them. ' +
        'A hold may have at most 3 places of the category stalls, not 5. ' +
        'A hold may have at most 1 tickets of the tier child, not 2.',
      reason: 'orphan_seat',
      details: {
        labels: ['A-1', 'T1', 'A-2', 'C-1', 'C-2'],
        problems: [
          { rule: 'orphan_seat', labels: ['A-1'] },
          { rule: 'category_limit', categoryKey: 'stalls', labels: ['T1', 'A-2'], max: 3, asked: 5 },
          { rule: 'tier_limit', tierId: 'child', labels: ['C-1', 'C-2'], max: 1, asked: 2 },
        ],
      },
    });
  });

  test('allow as many as they say, for each hold', () => {
    const event = limited({ categoryLimits: { stalls: 2 } });
    event.ok(hold('h1', 'A-1', 'A-2'), buyer);
    event.ok(hold('h2', 'A-3', 'A-4'), buyer);
    expect(event.refused(inPlaceOf('h2', 'A-3', 'A-4', 'A-5'), buyer).reason).toBe('category_limit');
    event.ok(inPlaceOf('h2', 'A-4', 'A-5'), buyer);
  });

  test('come after conflicts', () => {
    const event = limited({ categoryLimits: { stalls: 1 } });
    event.ok(hold('h1', 'A-1'), buyer);
    expect(event.refused(hold('h2', 'A-1', 'A-2'), buyer).code).toBe('conflict');
  });
});

describe('limits for a party that the event seats', () => {
  const seated = (rules: SelectionRules, query: SeatQuery, caller = buyer): unknown => {
    const event = house();
    event.ok(set(rules));
    const command: Command = { type: 'hold-best', holdId: 'best', query };
    if (event.tries(command, caller)) {
      const lines = [...event.state.holds.get('best')!.lines];
      return [...new Set(lines.map(({ unit }) => smallPlan.categories[smallPlan.categoryOfUnit[unit]!]!.key))];
    }
    const { code, details } = event.refused(command, caller);
    return [code, (details as { problems: object[] }).problems];
  };
  const limit = (categoryKey: string, max: number, asked: number) => [
    'selection_rules_broken',
    [{ rule: 'category_limit', labels: [], categoryKey, max, asked }],
  ];

  test('leave out the categories that may not have the whole party', () => {
    expect(seated({}, { qty: 3 })).toEqual(['stalls']);
    expect(seated({ categoryLimits: { stalls: 3 } }, { qty: 3 })).toEqual(['stalls']);
    const other = seated({ categoryLimits: { stalls: 2 } }, { qty: 3 }) as string[];
    expect(other).toHaveLength(1);
    expect(other).not.toContain('stalls');
    expect(seated({ categoryLimits: { stalls: 2 } }, { qty: 3 }, server)).toEqual(['stalls']);
  });

  test('refuse a party that no category of the search may have, and too many tickets of a tier', () => {
    const rules = { categoryLimits: { stalls: 2 }, tierLimits: { child: 1 } };
    expect(seated(rules, { qty: 3, categoryKey: 'stalls' })).toEqual(limit('stalls', 2, 3));
    expect(seated(rules, { qty: 3, categoryKeys: ['stalls'] })).toEqual(limit('stalls', 2, 3));
    const tickets = [{ tierId: 'child', qty: 2 }];
    expect(seated(rules, { qty: 2, tickets })).toEqual([
      'selection_rules_broken',
      [{ rule: 'tier_limit', labels: [], tierId: 'child', max: 1, asked: 2 }],
    ]);
  });
});

test('a choice of a thousand single seats walks the house once, not a thousand times', () => {
  // Nowhere may a single seat be taken without another: no walk ends early.
  const pairs = Array.from({ length: 20_000 }, (_, n) => row({ id: `row-${n}`, label: `R${n}`, seatCount: 2 }));
  const plan = compilePlan(chart(pairs), 'pairs');
  const msOf = (count: number): number => {
    const labels = pairs.slice(-count).map(({ label }) => `${label}-1`);
    const event = tidy([], plan);
    const started = performance.now();
    expect(orphansOf(event, hold('h', ...labels))).toEqual([]);
    return performance.now() - started;
  };
  const few = msOf(10);
  const many = msOf(1_000);
  expect(many / few).toBeLessThan(30);
});

describe('the settings', () => {
  test('name categories and tiers of the chart, and the refusal lists every fault', () => {
    const event = house();
    const command: Command = {
      type: 'configure',
      callId: callId(),
      sectionStates: { attic: 'closed' },
      selectionRules: { categoryLimits: { attic: 2, stalls: 2 }, tierLimits: { senior: 1 } },
    };
    const { details } = event.refused(command);
    expect((details as { issues: { path: string }[] }).issues.map(({ path }) => path)).toEqual([
      'sectionStates.attic',
      'selectionRules.categoryLimits.attic',
      'selectionRules.tierLimits.senior',
    ]);
  });

  test('outlive a snapshot, other changes and a replay of the records', () => {
    const event = tidy();
    event.ok({ type: 'configure', callId: callId(), currency: 'USD' });
    const copy = fromSnapshot(toSnapshot(capture(event.state)), smallPlan);
    expect(copy.config).toMatchObject({ currency: 'USD', selectionRules: { preventOrphans: true } });
    expect(event.ok({ type: 'count' })).toMatchObject({ selectionRules: { preventOrphans: true } });
    event.ok(set(null));
    expect(event.state.config).not.toHaveProperty('selectionRules');
    expect(event.journal.map(({ type }) => type)).toEqual(['event-configured', 'configured', 'event-configured']);
  });

  test('give a repeated call its first answer', () => {
    const event = house();
    const command = set({ tierLimits: { child: 2 } });
    const first = event.ok(command);
    expect(first).toMatchObject({ selectionRules: { tierLimits: { child: 2 } } });
    event.ok(set(null));
    expect(event.ok(command)).toEqual(first);
  });
});

describe('a hold with the total that its buyer has seen', () => {
  test('is made at this total, and refused with the present items at another', () => {
    const event = house();
    const asked = { ...hold('h1', 'A-1', 'C-1'), expectedTotal: 70 };
    event.ok(asked, buyer);
    expect(event.refused({ ...hold('h2', 'A-2', 'T1'), expectedTotal: 199 }, buyer)).toMatchObject({
      code: 'price_changed',
      details: {
        items: [
          { label: 'A-2', unitPrice: 40 },
          { label: 'T1', unitPrice: 40, quantity: 4 },
        ],
        total: 200,
        expectedTotal: 199,
        currency: 'EUR',
      },
    });
    expect(event.refused({ ...inPlaceOf('h1', 'A-1'), expectedTotal: 0 } as Command, buyer).code).toBe('price_changed');
    expect(event.state.holds.get('h1')!.status).toBe('active');
  });

  test('counts the units that a ticket release has left', () => {
    const event = house();
    const release = {
      id: 'rel_1',
      name: 'Early',
      price: 30,
      previousPrice: null,
      quota: 1,
      startsAt: null,
      endsAt: null,
    };
    const draft = { ...release, categoryKey: null, action: 'buy' as const, actionUrl: null, isNew: true };
    event.ok({ type: 'set-releases', callId: callId(), releases: [draft] });
    expect(event.refused({ ...hold('h', 'A-1', 'A-2'), expectedTotal: 60 }, buyer)).toMatchObject({
      details: { total: 70, items: [{ unitPrice: 30 }, { unitPrice: 40 }] },
    });
    event.ok({ ...hold('h', 'A-1', 'A-2'), expectedTotal: 70 }, buyer);
  });
});

describe('the number of places, neighbours, and rules that are told alone', () => {
  const rulesOf = (details: unknown) => (details as { problems: object[] }).problems;

  test.each<[string, SelectionRules, string[], object | null]>([
    ['too few', { min: 2 }, ['A-1'], { rule: 'min_places', labels: ['A-1'], min: 2, asked: 1 }],
    ['enough', { min: 2 }, ['A-1', 'C-1'], null],
    ['another number', { exact: 2 }, ['A-1', 'A-2', 'A-3'], { rule: 'exact_places', exact: 2, asked: 3 }],
    ['guests of a whole table count', { exact: 4 }, ['T1'], null],
    ['neighbours in any order', { consecutive: true }, ['A-3', 'A-1', 'A-2'], null],
    ['a gap', { consecutive: true }, ['A-1', 'A-3'], { rule: 'not_consecutive', labels: ['A-1', 'A-3'] }],
    ['two rows', { consecutive: true }, ['A-1', 'B-1'], { rule: 'not_consecutive' }],
    ['a seat beside places of an area', { consecutive: true }, ['A-1', 'Standing', 'T1'], null],
  ])('%s', (_, rules, labels, problem) => {
    const event = house();
    event.ok(set(rules));
    expect(event.tries(hold('of-a-server', ...labels), server)).toBe(true);
    event.ok({ type: 'release', holdId: 'of-a-server', callId: callId() });
    if (problem === null) expect(event.ok(hold('h', ...labels), buyer).brokenRules).toBeUndefined();
    else {
      const refused = event.refused(hold('h', ...labels), buyer);
      expect(refused).toMatchObject({ code: 'selection_rules_broken', reason: (problem as { rule: string }).rule });
      expect(rulesOf(refused.details)).toMatchObject([problem]);
    }
    event.ok(set({ ...rules, highlightOnly: true }));
    const told = event.ok(hold('told', ...(problem === null ? ['C-7', 'C-8'] : labels)), buyer);
    if (problem !== null) expect(told.brokenRules).toMatchObject([problem]);
  });

  test('rules that refuse nothing tell orphans and limits too, and a repetition tells the limits again', () => {
    const event = house();
    event.ok(set({ preventOrphans: true, categoryLimits: { stalls: 1 }, highlightOnly: true }));
    const first = event.ok(hold('h', 'A-2', 'A-3'), buyer);
    expect(first.brokenRules).toMatchObject([
      { rule: 'orphan_seat', labels: ['A-1'] },
      { rule: 'category_limit', max: 1, asked: 2 },
    ]);
    const again = event.ok(hold('h', 'A-2', 'A-3'), buyer);
    expect(again).toEqual({ ...first, brokenRules: first.brokenRules!.slice(1) });
  });

  test('best-available keeps the numbers and neighbours, or is refused, or tells', () => {
    const event = house();
    const best = (holdId: string, query: SeatQuery) => ({ type: 'hold-best' as const, holdId, query });
    event.ok(set({ min: 3 }));
    expect(rulesOf(event.refused(best('h', { qty: 2 }), buyer).details)).toEqual([
      { rule: 'min_places', labels: [], min: 3, asked: 2 },
    ]);
    event.ok(set({ consecutive: true }));
    expect(event.ok(best('h1', { qty: 4, categoryKey: 'stalls' }), buyer).brokenRules).toBeUndefined();
    const left = { qty: 8, categoryKey: 'circle' };
    event.ok(block(['C-4']), server);
    const parted = { qty: 7, categoryKey: 'circle', preventOrphans: false };
    expect(rulesOf(event.refused(best('h2', parted), buyer).details)).toEqual([
      { rule: 'not_consecutive', labels: [] },
    ]);
    expect(event.refused(best('h2', left), buyer).code).toBe('conflict');
    event.ok(set({ consecutive: true, min: 9, highlightOnly: true }));
    expect(event.ok(best('h2', parted), buyer).brokenRules).toMatchObject([
      { rule: 'min_places' },
      { rule: 'not_consecutive' },
    ]);
  });
});
