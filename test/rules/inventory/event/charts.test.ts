/** The rules of one event, case by case: moving to another chart. */
import { compilePlan } from '@parterre/shared/charts/compile';
import type { ChartDocument } from '@parterre/shared/charts/document';
import type { AvailabilityDraft, Command } from '@parterre/shared/protocol/commands';
import { missingLabelsMax } from '@parterre/shared/protocol/limits';
import type { JournalRecord, SectionStates } from '@parterre/shared/protocol/records';
import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { newState } from '../../../../services/inventory-shard/src/rules/state/state.ts';
import { apply } from '../../../../services/inventory-shard/src/rules/turn/apply.ts';
import { decide } from '../../../../services/inventory-shard/src/rules/turn/decide.ts';
import {
  block,
  book,
  callId,
  direct,
  eventConfig,
  hold,
  house,
  MINUTE,
  movedPlan,
  START,
  sectionedPlan,
  server,
  shrunkPlan,
  smallChart,
  smallPlan,
} from '../../../support/inventory/house.ts';

const update = (
  planHash: string,
  more: Partial<Command & { type: 'update-chart' }> = {},
): Command & { type: 'update-chart' } => ({
  type: 'update-chart',
  acknowledgeMoved: true,
  reason: 'A new chart',
  callId: callId(),
  planHash,
  chartVersion: 2,
  ...more,
});
const places = (...numbers: number[]): string[] => numbers.map((number) => `__sl_ga__ga__${number}`);

/** Row A numbered from the other side: A-1 is the chair that A-8 was. */
const turned = compilePlan(
  {
    ...smallChart,
    objects: smallChart.objects.map((object) =>
      object.type === 'row' && object.label === 'A'
        ? { ...object, seatNumbering: { direction: 'rtl' as const } }
        : object,
    ),
  } as ChartDocument,
  'turned-plan',
);

describe('a chart that moves seats', () => {
  const move = (more: Partial<Command & { type: 'update-chart' }> = {}) => update('turned-plan', more);

  test('is taken with an acknowledgement and a reason, where seats are held, booked, blocked or reserved', () => {
    const event = house();
    event.ok(hold('h', 'A-2'));
    event.ok(direct('order', 'A-1', 'B-1'));
    event.ok(block('A-3'));
    for (const more of [{ acknowledgeMoved: false }, { reason: null }]) {
      expect(event.refusedOn(turned, move(more))).toMatchObject({
        code: 'seats_would_move',
        details: { moved: ['A-1', 'A-2', 'A-3'], movedCount: 3 },
      });
    }
    expect(event.okOn(turned, move())).toMatchObject({ updated: true });
    expect(event.journal.at(-1)).toMatchObject({ type: 'chart-updated', reason: 'A new chart' });
  });

  test('is looked at before, and the look changes nothing', () => {
    const event = house();
    event.ok(hold('h', 'A-2'));
    event.ok(direct('order', 'A-8', 'B-1'));
    const before = event.journal.length;
    const look = move({ isPreview: true, reason: null });
    expect(event.okOn(turned, look)).toMatchObject({
      updated: false,
      preview: { vanishing: [], vanishingCount: 0, moved: ['A-2', 'A-8'], movedCount: 2, droppedAssignments: [] },
    });
    const shrunk = event.ok(update('shrunk-plan', { isPreview: true, reason: null }));
    expect(shrunk.preview).toMatchObject({ vanishing: ['A-8'], vanishingCount: 1, moved: [] });
    expect(event.journal).toHaveLength(before);
  });

  test('moves free seats without a word', () => {
    const event = house();
    event.ok(direct('order', 'B-1'));
    expect(event.okOn(turned, move({ acknowledgeMoved: false, reason: null }))).toMatchObject({ updated: true });
  });
});

/** The small chart with an area of four places, or with another area under the same label. */
const areaPlan = (more: object, hash: string) =>
  compilePlan(
    {
      ...smallChart,
      objects: smallChart.objects.map((object) => (object.type === 'gaArea' ? { ...object, ...more } : object)),
    } as ChartDocument,
    hash,
  );
const fourPlaces = areaPlan({ capacity: 4 }, 'four-places');
const otherArea = areaPlan({ id: 'stand', capacity: 10 }, 'other-area');

describe('an area that shrinks to its sold places', () => {
  const charts = { chartId: 'cht_1', fromChart: 'cht_1' };
  const shrink = (more: Partial<Command & { type: 'update-chart' }> = {}) =>
    update('four-places', { ...charts, acknowledgeMoved: false, reason: null, ...more });

  test('gives them free numbers, the lowest first, and takes blocked numbers last', () => {
    const event = house();
    event.ok(direct('order', ...places(3, 9)));
    event.ok(hold('h', ...places(10)));
    event.ok(block(...places(1, 8)));
    expect(event.okOn(fourPlaces, shrink())).toMatchObject({
      updated: true,
      seatTotal: fourPlaces.unitCount,
      renumbered: { count: 2, labels: places(9, 10), to: places(2, 4) },
      counts: { held: 1, booked: 2, blocked: 1 },
    });
    const [chart, told] = event.journal.slice(-2);
    expect(chart).toMatchObject({ type: 'chart-updated', unblocked: [smallPlan.labels.unitOf(places(8)[0]!)] });
    const lines = [{ unit: fourPlaces.labels.unitOf(places(2)[0]!), price: 10 }];
    expect(told).toMatchObject({ type: 'renumbered', bookingRef: 'order', labels: places(9), lines });
    expect(event.ok({ type: 'unbook', callId: callId(), bookingRef: 'order', labels: places(2) })).toMatchObject({
      unbooked: places(2),
    });
    expect(event.refused(hold('other', ...places(1))).code).toBe('conflict');
    event.ok(book('h', 'order-2'));

    const full = house();
    full.ok(direct('order', ...places(2, 3, 8)));
    full.ok(direct('order-2', ...places(9)));
    full.ok(block(...places(1, 4)));
    expect(full.okOn(fourPlaces, shrink())).toMatchObject({
      renumbered: { labels: places(8, 9), to: places(1, 4) },
      counts: { booked: 4, blocked: 0 },
    });
  });

  test('is refused below its sold places, and tells the rest', () => {
    const event = house();
    event.ok(direct('order', ...places(1, 2, 3, 8, 9)));
    expect(event.refusedOn(fourPlaces, shrink())).toMatchObject({
      code: 'seats_would_vanish',
      details: { missingLabels: places(9), missingCount: 1 },
    });
    const { preview } = event.okOn(fourPlaces, shrink({ isPreview: true }));
    expect(preview).toMatchObject({ vanishing: places(9), renumbered: { count: 1, labels: places(8), to: places(4) } });
  });

  test('without a sold place changed, only held ones, still names its chart in the journal', () => {
    const event = house();
    event.ok(hold('h', ...places(10)));
    event.okOn(fourPlaces, shrink());
    expect(event.journal.at(-1)).toMatchObject({ type: 'chart-set', chartId: 'cht_1' });
  });
});

test('a preview tells exactly what the update does under the same state', () => {
  const labels = [...smallPlan.labels.all()];
  const after = [turned, fourPlaces, otherArea, movedPlan, shrunkPlan];
  const step = fc.record({
    kind: fc.constantFrom('hold', 'book', 'block'),
    named: fc.array(fc.nat({ max: labels.length - 1 }), { minLength: 1, maxLength: 6 }),
  });
  fc.assert(
    fc.property(fc.array(step, { maxLength: 8 }), fc.constantFrom(...after), fc.boolean(), (steps, plan, isOther) => {
      const event = house();
      for (const [nth, { kind, named }] of steps.entries()) {
        const seats = [...new Set(named)].map((unit) => labels[unit]!);
        if (kind === 'hold') event.tries(hold(`h${nth}`, ...seats));
        else if (kind === 'book') event.tries(direct(`order-${nth}`, ...seats));
        else event.tries(block(...seats));
      }
      const charts = { chartId: isOther ? 'cht_2' : 'cht_1', fromChart: 'cht_1' };
      const named = (more: object) => ({ ...update(plan.hash, charts), callId: callId(), ...more });
      const { preview } = event.okOn(plan, named({ isPreview: true, acknowledgeMoved: false, reason: null }));
      const { vanishing, moved, movedTo, movedCount, renumbered } = preview!;
      if (vanishing.length > 0) {
        const { code, details } = event.refusedOn(plan, named({}));
        expect([code, details]).toEqual([
          'seats_would_vanish',
          { missingLabels: vanishing, missingCount: preview!.vanishingCount },
        ]);
        return;
      }
      if (moved.length > 0) {
        const { code, details } = event.refusedOn(plan, named({ acknowledgeMoved: false }));
        expect([code, details]).toEqual(['seats_would_move', { moved, movedCount, ...(movedTo && { movedTo }) }]);
      }
      expect(event.okOn(plan, named({})).renumbered).toEqual(renumbered);
    }),
    { numRuns: 60 },
  );
});

describe('another chart', () => {
  const other = (more: Partial<Command & { type: 'update-chart' }> = {}) =>
    update('other-area', { chartVersion: 1, chartId: 'cht_2', fromChart: 'cht_1', from: 'small-plan', ...more });

  test('takes the event whatever its version, with its places by label and area', () => {
    const event = house();
    event.ok(direct('order', 'A-1', ...places(9)));
    event.ok(block(...places(3)));
    expect(event.refusedOn(otherArea, other({ reason: null }))).toMatchObject({
      code: 'seats_would_move',
      details: { moved: places(3, 9), movedTo: ['__sl_ga__stand__3', '__sl_ga__stand__9'], movedCount: 2 },
    });
    expect(event.okOn(otherArea, other())).toMatchObject({ updated: true, counts: { booked: 2, blocked: 1 } });
    expect(event.journal.slice(-2).map(({ type }) => type)).toEqual(['chart-set', 'renumbered']);
    expect(event.ok({ type: 'count' }).chartId).toBe('cht_2');
  });

  test('is left by nobody who knows another one', () => {
    const event = house();
    event.okOn(otherArea, other());
    const late = { chartId: 'cht_1', fromChart: 'cht_1', chartVersion: 9, onlyIfIdle: true } as const;
    for (const more of [late, { chartId: undefined, fromChart: undefined }]) {
      expect(event.refused(update('moved-plan', more as object))).toMatchObject({ reason: 'chart_changed' });
    }
    const lock = { type: 'lock', owner: { kind: 'group', key: 'pg_1' }, actsUntil: START + MINUTE } as const;
    const expects = { chartVersion: 1, currency: 'EUR' };
    const isRefused = event.refused({ ...lock, lockId: 'l', expects: { ...expects, chartId: 'cht_1' } } as Command);
    expect(isRefused.reason).toBe('event_changed');
  });
});

describe('a chart that lacks a scope', () => {
  const states = (sectionStates: SectionStates): Command => ({ type: 'configure', callId: callId(), sectionStates });
  const rules = (drafts: AvailabilityDraft): Command => ({ type: 'set-availability', callId: callId(), rules: drafts });

  test.each<[string, Command, string[]]>([
    ['a section state', states({ front: 'hidden', middle: 'open', __ungrouped__: 'closed' }), ['front']],
    [
      'an availability rule',
      rules({ rear: { mode: 'closed' }, back: { mode: 'threshold', thresholdPct: 5 } }),
      ['back', 'rear'],
    ],
  ])('that %s names is not taken by itself, and a call for it names the dropped scopes', (_name, setting, scopes) => {
    const event = house('platform', sectionedPlan);
    event.ok(setting);
    const named = event.ok({ type: 'availability' });
    expect(event.refused(update('small-plan', { onlyIfIdle: true }))).toMatchObject({
      code: 'conflict',
      reason: 'scopes_would_drop',
      details: { droppedScopes: scopes },
    });
    expect(event.ok({ type: 'availability' })).toEqual(named);
    const call = update('small-plan');
    const answer = event.ok(call);
    expect(answer).toMatchObject({ updated: true, droppedScopes: scopes });
    expect(event.ok(call)).toEqual(answer);
    expect(event.journal.at(-1)).toMatchObject({ type: 'chart-updated', droppedScopes: scopes });
  });

  test('is taken if nothing names the scope, or only as open', () => {
    const event = house('platform', sectionedPlan);
    event.ok(states({ front: 'open', __ungrouped__: 'hidden' }));
    expect(event.ok(update('small-plan', { onlyIfIdle: true }))).not.toHaveProperty('droppedScopes');
    expect(event.journal.at(-1)).not.toHaveProperty('droppedScopes');
  });
});

test('blocked seats that the new chart lacks stand in its record, as units of the old chart', () => {
  const event = house();
  event.ok(block('A-2', 'A-3', ...places(4, 5)));
  event.ok(update('shrunk-plan'));
  const record = event.journal.at(-1) as JournalRecord & { type: 'chart-updated' };
  expect(record.unblocked!.map((unit) => smallPlan.labels.at(unit))).toEqual(['A-3', ...places(5)]);
  expect(event.counts()).toMatchObject({ blocked: 2 });
  event.ok(update('small-plan', { chartVersion: 3 }));
  expect(event.journal.at(-1)).not.toHaveProperty('unblocked');
});

describe('a chart that has all seats', () => {
  test('is taken, and its additional seats are free', () => {
    const event = house();
    event.ok(hold('h1', 'A-1'));
    expect(event.ok(update('moved-plan'))).toMatchObject({
      updated: true,
      planHash: 'moved-plan',
      chartVersion: 2,
      seatTotal: movedPlan.unitCount,
      counts: { free: movedPlan.unitCount - 1, held: 1, booked: 0, blocked: 0 },
    });
    expect(event.ok({ type: 'count' })).toMatchObject({ planHash: 'moved-plan', chartVersion: 2 });
    expect(event.ok(hold('h2', 'D-1')).items[0]).toMatchObject({ label: 'D-1', categoryKey: 'floor', unitPrice: 10 });
    expect(event.journal.at(-2)).toEqual({
      type: 'chart-updated',
      callId: expect.any(String),
      from: 'small-plan',
      planHash: 'moved-plan',
      chartVersion: 2,
      seatTotal: movedPlan.unitCount,
      reason: 'A new chart',
      by: { source: 'server', actor: 'key_test' },
    });
  });

  test('keeps the price, tier and guests of held and booked seats; the category is the new one', () => {
    const event = house();
    event.ok(hold('h1', 'A-1', 'T1'));
    event.ok(book('h1', 'order-1', ['T1']));
    event.ok(update('moved-plan'));
    const [seat] = event.ok({ type: 'inspect-hold', holdId: 'h1' }).items;
    expect(seat).toMatchObject({ label: 'A-1', unitPrice: 40, tierId: null, categoryKey: 'circle' });
    expect(event.ok(hold('h2', 'A-2')).items[0]).toMatchObject({ unitPrice: 30, tierId: 'adult' });
    const { byCategory } = event.ok({ type: 'report' });
    expect(byCategory.find(({ category }) => category === 'stalls')).toMatchObject({ booked: 1, bookedValue: 4 * 40 });
    expect(event.ok(book('h1', 'order-1')).booked).toEqual(['A-1']);
    expect(event.ok({ type: 'unbook', callId: callId(), bookingRef: 'order-1' }).unbooked).toEqual(['T1', 'A-1']);
  });

  test('keeps places that were bought together as one line', () => {
    const event = house();
    event.ok({ type: 'hold', holdId: 'h1', selections: [{ label: 'Standing', quantity: 3 }] });
    event.ok({ type: 'hold', holdId: 'h2', selections: [{ label: 'Standing', quantity: 2 }] });
    event.ok({ type: 'release', callId: callId(), holdId: 'h1', labels: places(1) });
    event.ok(update('moved-plan'));
    expect(event.ok({ type: 'inspect-hold', holdId: 'h1' }).items).toMatchObject([
      { label: 'Standing', quantity: 2, labels: places(2, 3), unitPrice: 10 },
    ]);
    event.ok(book('h1', 'order-1'));
    event.ok(book('h2', 'order-1'));
    expect(event.state.bookings.get('order-1')!.lines.map(({ unit, group }) => [unit, group])).toEqual([
      [1, 0],
      [2, 0],
      [3, 3],
      [4, 3],
    ]);
  });

  test('keeps blocks until their time, and holds until theirs', () => {
    const event = house();
    event.ok({ type: 'block', callId: callId(), labels: ['B-1'], releaseAt: START + 2 * MINUTE, reason: null });
    event.ok({ ...hold('h1', 'A-1'), ttlMs: MINUTE });
    event.ok(update('moved-plan'));
    expect(event.counts()).toMatchObject({ held: 1, blocked: 1 });
    event.pass(MINUTE);
    expect(event.counts()).toMatchObject({ held: 0, blocked: 1 });
    event.pass(MINUTE);
    expect(event.counts()).toEqual({ free: movedPlan.unitCount, held: 0, booked: 0, blocked: 0 });
  });

  test('gives repeated calls their first answer, with the same labels', () => {
    const event = house();
    const held = hold('h1', 'A-1', 'A-2');
    event.ok(held);
    const releasing: Command = { type: 'release', callId: callId(), holdId: 'h1', labels: ['A-2'] };
    event.ok(releasing);
    const blocking: Command = { type: 'block', callId: callId(), labels: ['C-1'], releaseAt: null, reason: null };
    event.ok(blocking);
    const updating = update('moved-plan');
    const updated = event.ok(updating);
    event.ok(update('small-plan', { chartVersion: 3 }));
    event.ok(update('moved-plan', { chartVersion: 4 }));
    const records = event.journal.length;
    expect(event.ok(releasing)).toEqual({ released: ['A-2'] });
    expect(event.ok(blocking)).toEqual({ blocked: ['C-1'] });
    expect(event.ok(held).labels).toEqual(['A-1', 'A-2']);
    expect(event.ok(updating)).toEqual(updated);
    expect(event.journal).toHaveLength(records);
  });

  test('is no update if the event is on this version or a later one', () => {
    const event = house();
    event.ok(update('moved-plan'));
    const records = event.journal.length;
    const stays = { updated: false, planHash: 'moved-plan', chartVersion: 2 };
    expect(event.ok(update('moved-plan'))).toMatchObject(stays);
    expect(event.ok(update('small-plan', { chartVersion: 1 }))).toMatchObject(stays);
    expect(event.journal).toHaveLength(records);
    expect(event.ok(update('moved-plan', { chartVersion: 3 }))).toMatchObject({ updated: true, chartVersion: 3 });
  });
});

test('an event without sales looks up none of its seats on the new chart', () => {
  const event = house();
  const looked: string[] = [];
  const lookup = (label: string): undefined => void looked.push(label);
  const plan = { ...movedPlan, labels: { unitOf: lookup, beginsWith: () => false } as never };
  const decision = decide(event.state, update('moved-plan'), server, START, plan);
  if (!decision.ok) throw new Error('refused');
  for (const record of decision.records) apply(event.state, record, START, plan);
  expect(event.state.statuses).toHaveLength(movedPlan.unitCount);
  expect(looked).toEqual([]);
});

describe('a chart that lacks seats', () => {
  test('is refused with every held or booked label that would vanish', () => {
    const event = house();
    event.ok(hold('h1', 'A-1', 'A-3', 'T1'));
    event.ok(hold('h2', 'A-8', places(4)[0]!, places(5)[0]!));
    event.ok(book('h2', 'order-1'));
    expect(event.refused(update('shrunk-plan'))).toMatchObject({
      code: 'seats_would_vanish',
      details: { missingLabels: ['A-3', 'A-8', places(5)[0], 'T1'], missingCount: 4 },
    });
    expect(event.ok({ type: 'count' })).toMatchObject({ planHash: 'small-plan' });
    expect(event.counts()).toMatchObject({ held: 3, booked: 3 });
  });

  test('is refused with some labels and the count of all, if there are very many', () => {
    const [row] = smallChart.objects;
    const rows = Array.from({ length: 300 }, (_, i) => ({ ...row, id: `row-${i}`, label: `R${i}` }));
    const plan = compilePlan({ ...smallChart, objects: rows } as never, 'large-plan');
    const state = newState(eventConfig(), plan);
    const lines = Array.from({ length: plan.unitCount }, (_, unit) => ({ unit, price: 1 }));
    const by = { source: 'server', actor: null } as const;
    const held = { type: 'held', holdId: 'h1', expiresAt: START + MINUTE, accessSource: 'public', lines, by } as const;
    apply(state, held, START);
    const refused = decide(state, update('moved-plan'), server, START, movedPlan);
    if (refused.ok) throw new Error('not refused');
    const { missingLabels, missingCount } = refused.refusal.details as {
      missingLabels: string[];
      missingCount: number;
    };
    expect([missingLabels.length, missingCount]).toEqual([missingLabelsMax, 2_400]);
  });

  test('drops blocked and free seats, and the seats of ended holds', () => {
    const event = house();
    event.ok(hold('h1', 'A-1', 'A-3'));
    event.ok({ type: 'release', callId: callId(), holdId: 'h1' });
    event.ok(hold('h2', 'A-3'));
    event.ok({ type: 'release', callId: callId(), holdId: 'h2' });
    const labels = ['A-2', 'A-4', 'T1'];
    event.ok({ type: 'block', callId: callId(), labels, releaseAt: START + MINUTE, reason: null });
    expect(event.ok(update('shrunk-plan'))).toMatchObject({
      seatTotal: shrunkPlan.unitCount,
      counts: { free: shrunkPlan.unitCount - 1, blocked: 1 },
    });
    expect(event.ok({ type: 'inspect-hold', holdId: 'h1' }).items.map(({ label }) => label)).toEqual(['A-1']);
    expect(event.ok({ type: 'inspect-hold', holdId: 'h2' }).items).toEqual([]);
    expect(event.refused(book('h2', 'order-1')).code).toBe('conflict');
    expect(event.refused(hold('h3', 'A-3')).code).toBe('unknown_labels');
    event.ok(hold('h3', 'T1-1'));
    event.pass(MINUTE);
    expect(event.counts().blocked).toBe(0);
    // Seats that come back with the old chart are free.
    event.ok({ type: 'release', callId: callId(), holdId: 'h3' });
    event.ok(update('small-plan', { chartVersion: 3 }));
    expect(event.counts()).toEqual({ free: smallPlan.unitCount, held: 0, booked: 0, blocked: 0 });
  });

  test('drops the states of sections that it lacks', () => {
    const event = house();
    event.ok(update('moved-plan'));
    const sectionStates = { left: 'hidden', __ungrouped__: 'closed' } as const;
    event.ok({ type: 'configure', callId: callId(), sectionStates });
    event.ok(update('shrunk-plan', { chartVersion: 3 }));
    expect(event.ok({ type: 'count' }).sectionStates).toEqual({ __ungrouped__: 'closed' });
  });
});

describe('an update for idle events only', () => {
  const idle = update('moved-plan', { onlyIfIdle: true });
  test.each([
    ['held', [hold('h1', 'A-1')]],
    ['booked', [hold('h1', 'A-1'), book('h1', 'order-1')]],
    ['blocked', [{ type: 'block', callId: callId(), labels: ['A-1'], releaseAt: null, reason: null } as Command]],
  ])('is refused if a seat is %s', (_status, commands) => {
    const event = house();
    for (const command of commands) event.ok(command);
    expect(event.refused(idle)).toMatchObject({ code: 'conflict', reason: 'event_in_use' });
  });

  test('succeeds if all seats are free, even if some were held before', () => {
    const event = house();
    event.ok({ ...hold('h1', 'A-1'), ttlMs: MINUTE });
    event.pass(MINUTE);
    expect(event.ok(idle).updated).toBe(true);
  });
});

test('an archived event keeps its chart, a closed one may change it', () => {
  const event = house();
  event.ok({ type: 'move', callId: callId(), move: 'close' });
  const updating = update('moved-plan');
  const updated = event.ok(updating);
  event.ok({ type: 'move', callId: callId(), move: 'archive' });
  expect(event.refused(update('small-plan', { chartVersion: 3 })).code).toBe('invalid_event_state');
  expect(event.refused(update('moved-plan')).code).toBe('invalid_event_state');
  expect(event.ok(updating)).toEqual(updated);
});
