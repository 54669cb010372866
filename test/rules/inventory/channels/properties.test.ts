/**
 * Properties of channels after any calls in any order: calls about channels change no unit's status; only the archive
 * of its channel moves a unit in checkout or sold; and a snapshot taken at any time continues as the journal does (I6).
 */
import type { Caller, Command } from '@parterre/shared/protocol/commands';
import { type StatusName, statusNames, unitStatus } from '@parterre/shared/protocol/records';
import { decodeKept, encodeKept } from '@parterre/shared/protocol/wire';
import fc from 'fast-check';
import { expect, test } from 'vitest';
import type { EventState } from '../../../../services/inventory-shard/src/rules/state/event-state.ts';
import { newState } from '../../../../services/inventory-shard/src/rules/state/state.ts';
import { apply } from '../../../../services/inventory-shard/src/rules/turn/apply.ts';
import {
  capture,
  fromSnapshot,
  type Snapshot,
  toSnapshot,
} from '../../../../services/inventory-shard/src/rules/turn/snapshot.ts';
import { archive, assign, change, create, turn } from '../../../support/inventory/channels.ts';
import {
  block,
  book,
  callId,
  direct,
  eventConfig,
  hold,
  house,
  planNamed,
  smallPlan,
} from '../../../support/inventory/house.ts';
import { type ChannelCommand, NaiveChannels } from '../../../support/inventory/naive-channels.ts';
import { contentOf } from '../../../support/model/real.ts';

/** Callers who may take every seat, in any channel. */
const staff: Caller = {
  source: 'operator',
  actor: 'usr_1',
  accessSource: 'staff_override',
  override: { reason: 'any seat' },
};
type House = ReturnType<typeof house>;
type Step = (event: House) => Command;

const id = fc.constantFrom('a', 'b', 'c', 'd');
const target = fc.option(id, { freq: 3 });
const label = fc.constantFrom('A-1', 'A-2', 'A-3', 'B-1', 'B-2', 'C-1', 'T1', 'Standing', '__sl_ga__ga__2', 'X-1');
const labels = fc.uniqueArray(label, { minLength: 1, maxLength: 4 });
const seat = fc.constantFrom('A-1', 'A-2', 'A-3', 'B-1', 'B-2', 'C-1', 'T1', '__sl_ga__ga__2');
const price = fc.constantFrom(
  { categoryKey: 'stalls', tierId: null, price: 9 },
  { categoryKey: 'circle', tierId: 'adult', price: 8 },
  { categoryKey: 'floor', tierId: null, price: 7 },
);
const prices = fc.uniqueArray(price, { maxLength: 2, selector: ({ categoryKey }) => categoryKey });

const step: fc.Arbitrary<Step> = fc.oneof(
  fc.tuple(id, prices).map(
    ([each, priceOverrides]): Step =>
      () =>
        create(`${each}${callId()}`, { priceOverrides }),
  ),
  fc.tuple(fc.nat(), prices).map(
    ([n, priceOverrides]): Step =>
      (event) =>
        change(named(event, n), { priceOverrides }),
  ),
  fc.tuple(fc.nat(), fc.boolean()).map(
    ([n, on]): Step =>
      (event) =>
        turn(named(event, n), on ? 'active' : 'paused'),
  ),
  fc.tuple(fc.nat(), fc.option(fc.nat())).map(
    ([n, to]): Step =>
      (event) =>
        archive(named(event, n), to === null ? null : named(event, to)),
  ),
  {
    weight: 5,
    arbitrary: fc.tuple(target, fc.nat(), labels).map(
      ([to, n, some]): Step =>
        (event) => {
          return assign(to === null ? null : named(event, n), event.state.channels.version, ...some);
        },
    ),
  },
  {
    weight: 3,
    arbitrary: seat.map(
      (each): Step =>
        () =>
          hold(callId(), each),
    ),
  },
  seat.map(
    (each): Step =>
      () =>
        direct('order-1', each),
  ),
  fc.nat().map(
    (n): Step =>
      (event) => {
        const holds = [...event.state.holds.active.keys()];
        return book(holds[n % Math.max(1, holds.length)] ?? 'nobody', 'order-2');
      },
  ),
  seat.map(
    (each): Step =>
      () => ({ type: 'unbook', callId: callId(), bookingRef: 'order-1', labels: [each] }),
  ),
  seat.map(
    (each): Step =>
      () =>
        block(each),
  ),
  fc.constant((): Command => ({ type: 'unblock', callId: callId(), labels: null })),
  fc.constantFrom('small-plan', 'moved-plan', 'shrunk-plan').map(
    (planHash): Step =>
      (event) => {
        const chartVersion = (event.state.config.chartVersion ?? 0) + 1;
        const acknowledged = { acknowledgeDroppedAssignments: true, reason: 'another hall' };
        return {
          type: 'update-chart',
          acknowledgeMoved: true,

          callId: callId(),
          planHash,
          chartVersion,
          ...acknowledged,
        };
      },
  ),
);

function named({ state }: House, n: number): string {
  return state.channels.ids[n % Math.max(1, state.channels.ids.length)] ?? 'nobody';
}

const steps = fc.array(step, { minLength: 10, maxLength: 40, size: 'max' });
const aboutChannels = /channel/;

test('calls about channels change no status, and only an archive moves sold units', () => {
  fc.assert(
    fc.property(steps, (history) => {
      const event = house();
      for (const make of history) {
        const command = make(event);
        const { statuses, channels } = event.state;
        const before = { statuses: statuses.slice(), of: channels.of?.slice(), version: channels.version };
        const isDone = event.tries(command, staff);
        if (!aboutChannels.test(command.type)) continue;
        expect(event.state.statuses).toEqual(before.statuses);
        const moved = [...statuses.keys()].filter((unit) => {
          return (before.of?.[unit] ?? 0) !== (event.state.channels.of?.[unit] ?? 0);
        });
        const fixed = command.type === 'archive-channel' ? [unitStatus.held] : [unitStatus.held, unitStatus.booked];
        expect(moved.filter((unit) => (fixed as number[]).includes(before.statuses[unit]!))).toEqual([]);
        if (moved.length > 0) expect(event.state.channels.version).toBe(before.version + 1);
        if (!isDone) expect([moved, event.state.channels.version]).toEqual([[], before.version]);
      }
      demandChannels(event.state);
    }),
    { numRuns: 200 },
  );
});

function demandChannels({ channels }: EventState): void {
  const { of, assigned, ids, byId } = channels;
  expect(of === null).toBe(assigned === 0);
  const numbers = [...(of ?? [])].filter((number) => number > 0);
  expect(numbers.length).toBe(assigned);
  for (const number of new Set(numbers)) expect(byId.get(ids[number - 1]!)!.state).not.toBe('archived');
}

test('a snapshot taken at any time continues as the journal does', () => {
  fc.assert(
    fc.property(steps, fc.nat(39), (history, moment) => {
      const event = house();
      let snapshot: { bytes: Uint8Array; records: number } | null = null;
      for (const [i, make] of history.entries()) {
        if (i === moment % history.length) {
          snapshot = { bytes: encodeKept(toSnapshot(capture(event.state))), records: event.journal.length };
        }
        event.tries(make(event), staff);
        event.pass(1_000);
      }
      const { bytes, records } = snapshot!;
      const kept = decodeKept<Snapshot>(bytes);
      const resumed = fromSnapshot(kept, planNamed(kept.config.planHash));
      const folded = newState(eventConfig(), smallPlan);
      foldOn(folded, event, 0);
      foldOn(resumed, event, records);
      expect(contentOf(folded)).toEqual(contentOf(event.state));
      expect(contentOf(resumed)).toEqual(contentOf(event.state));
    }),
    { numRuns: 200 },
  );
});

function foldOn(state: EventState, event: House, from: number): void {
  for (const [i, record] of event.journal.entries()) {
    if (i < from) continue;
    const plan = record.type === 'chart-updated' ? planNamed(record.planHash) : state.plan;
    apply(state, record, event.times[i]!, plan);
  }
}

/** Without a change of chart, with names that are taken and versions that are old. */
const rival: fc.Arbitrary<Step> = fc.oneof(
  {
    weight: 6,
    arbitrary: step.map(
      (make): Step =>
        (event) =>
          withoutChart(make(event)),
    ),
  },
  fc.tuple(id, prices).map(
    ([name, priceOverrides]): Step =>
      () =>
        create(callId(), { name, priceOverrides }),
  ),
  fc.tuple(fc.nat(), id, fc.integer({ min: 1, max: 3 })).map(
    ([n, name, expectedPricingVersion]): Step =>
      (event) =>
        change(named(event, n), { name }, { expectedPricingVersion }),
  ),
  fc.tuple(target, labels).map(
    ([to, some]): Step =>
      (event) =>
        assign(to, event.state.channels.version - 1, ...some),
  ),
);

function withoutChart(command: Command): Command {
  return command.type === 'update-chart' ? { type: 'unblock', callId: command.callId, labels: null } : command;
}

test('every call about channels has the result of the reference, which uses plain lists', { timeout: 120_000 }, () => {
  fc.assert(
    fc.property(fc.array(rival, { minLength: 20, maxLength: 50, size: 'max' }), (history) => {
      const event = house();
      const naive = new NaiveChannels();
      const areas = new Map([['Standing', smallPlan.labels.all().filter((each) => each.startsWith('__sl_ga__'))]]);
      for (const make of history) {
        event.pass(1);
        const command = make(event);
        if (aboutChannels.test(command.type)) {
          event.ok({ type: 'count' });
          const told = naive.tell(command as ChannelCommand, event.now(), seatsOf(event), areas);
          if ('refused' in told) {
            const { code, reason = code } = event.refused(command, staff);
            expect(told.refused).toContain(reason);
          } else expect(sorted(event.ok(command, staff))).toEqual(sorted(told.answer));
        } else event.tries(command, staff);
        expect(sorted(event.ok({ type: 'channels' }))).toEqual(sorted(naive.shown(seatsOf(event))));
      }
      const { allocations } = event.ok({ type: 'channel-allocation', limit: smallPlan.unitCount });
      expect(new Map(allocations.map((each) => [each.label, each.channelId]))).toEqual(naive.channelOf);
    }),
    { numRuns: 200 },
  );
});

function seatsOf({ state }: House): Map<string, StatusName> {
  return new Map(state.plan.labels.all().map((each, unit) => [each, statusNames[state.statuses[unit]!]!]));
}

/** The order of prices and of labels does not matter. */
function sorted(value: object): unknown {
  return JSON.parse(JSON.stringify(value), (_, each) =>
    Array.isArray(each) ? each.toSorted((a, b) => (JSON.stringify(a) < JSON.stringify(b) ? -1 : 1)) : each,
  );
}
