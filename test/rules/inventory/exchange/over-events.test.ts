/**
 * Exchanges over two events: the coordinator over the rules of both events, stopped at each of its commands, and
 * carried on. The booking has its place on one night in the end, and on both nights only in between.
 */
import type { Answers } from '@parterre/shared/protocol/answers';
import type { Caller, Command } from '@parterre/shared/protocol/commands';
import { done, type Outcome, refuse } from '@parterre/shared/protocol/errors';
import {
  type ExchangeOverEvents,
  exchangeOverEvents,
  quoteExchange,
  resumeExchange,
} from '@parterre/shared/protocol/operations/exchanges';
import { describe, expect, test } from 'vitest';
import { pinnedExchangeView } from '../../../../services/catalog/src/projections/rules/pinned-exchanges.ts';
import { pinnedSlot } from '../../../../services/inventory-shard/src/rules/state/state.ts';
import { capture, fromSnapshot, toSnapshot } from '../../../../services/inventory-shard/src/rules/turn/snapshot.ts';
import { block, callId, direct, hold, house, list, server } from '../../../support/inventory/house.ts';

const uncertain = refuse('shard_unavailable', 'No answer.', { retryable: true, outcome: 'unknown' });

function nights() {
  const friday = house();
  const saturday = house();
  friday.state.config = { ...friday.state.config, eventKey: 'friday' };
  saturday.state.config = { ...saturday.state.config, eventKey: 'saturday' };
  friday.ok(direct('r1', 'A-1', 'A-2'));
  const events = { friday, saturday };
  const sent: string[] = [];
  let n = 0;

  /** The `stopAt`th command does not arrive, or its answer is lost. The process dies there. */
  const ports = (stopAt = Number.POSITIVE_INFINITY, arrives = false) => {
    let count = 0;
    return {
      now: () => friday.now(),
      async ask<C extends Command>(eventKey: string, command: C, caller: Caller): Promise<Outcome<Answers[C['type']]>> {
        count++;
        if (count > stopAt || (count === stopAt && !arrives)) return uncertain;
        const event = events[eventKey as 'friday' | 'saturday'];
        sent.push(`${eventKey} ${command.type}${'isDry' in command && command.isDry ? ' dry' : ''}`);
        const result = attempt(
          () => event.ok(command, caller),
          () => event.refused(command, caller),
        );
        return count === stopAt ? uncertain : (result as Outcome<Answers[C['type']]>);
      },
    };
  };
  const exchange = (more: Partial<ExchangeOverEvents> = {}): ExchangeOverEvents => ({
    exchangeId: 'exc_1',
    pinId: `exc_1.${++n}`,
    fromEventKey: 'friday',
    toEventKey: 'saturday',
    bookingRef: 'r1',
    from: [{ label: 'A-2' }],
    to: { selections: [{ label: 'C-1' }] },
    reason: 'Ill',
    ...more,
  });
  const run = (more: Partial<ExchangeOverEvents> = {}, stopAt?: number, arrives?: boolean) =>
    exchangeOverEvents(ports(stopAt, arrives), exchange(more), server, 0);
  const carryOn = async () => {
    for (const { id } of [...friday.state.listings.values()].filter(({ heldBy }) => heldBy === pinnedSlot)) {
      const pinned = { exchangeId: 'exc_1', pinId: id, fromEventKey: 'friday', toEventKey: 'saturday' };
      expect((await resumeExchange(ports(), pinned, server, 0)).ok).toBe(true);
    }
  };
  return { friday, saturday, sent, ports, exchange, run, carryOn };
}

function attempt<T>(run: () => T, refusal: () => object): Outcome<T> {
  try {
    return done(run());
  } catch {
    return { ok: false, refusal: refusal() } as Outcome<never>;
  }
}

type Nights = ReturnType<typeof nights>;

const has = ({ state }: Nights['friday'], ref = 'r1'): string[] => {
  const slot = state.bookings.get(ref)?.slot;
  return [...state.slotOf.entries()].flatMap(([unit, of]) => (of === slot ? [state.plan.labels.at(unit)] : []));
};
const pins = ({ friday }: Nights): number =>
  [...friday.state.listings.values()].filter(({ heldBy }) => heldBy === pinnedSlot).length;
const isBefore = (both: Nights): boolean => has(both.friday).length === 2 && has(both.saturday).length === 0;
const isAfter = (both: Nights): boolean => has(both.friday).length === 1 && has(both.saturday).length === 1;

const commands = [
  'friday pin-exchange dry',
  'saturday take-exchange dry',
  'friday pin-exchange',
  'saturday take-exchange',
  'friday give-exchange',
];

test('The pins come first, then the other event books, then the units are free', async () => {
  const both = nights();
  const told = await both.run({ fee: 4, waiveDifference: { reason: 'Ill' } });
  expect(both.sent).toEqual(commands);
  expect(told).toMatchObject({
    ok: true,
    value: {
      bookingRef: 'r1',
      from: ['A-2'],
      to: ['C-1'],
      items: [{ label: 'C-1', unitPrice: 30 }],
      priceDifference: -10,
      fee: 4,
      waived: { amount: -10, reason: 'Ill' },
    },
  });
  expect([has(both.friday), has(both.saturday), pins(both)]).toEqual([['A-1'], ['C-1'], 0]);
  expect(both.friday.journal.at(-1)).toMatchObject({
    type: 'exchanged-with',
    units: [1],
    lines: [],
    reason: 'Ill',
    other: { side: 'to', eventKey: 'saturday', labels: ['C-1'], priceDifference: -10 },
  });
  expect(both.saturday.ok({ type: 'report' }).exchanges).toEqual({ fees: 4, waived: -10 });
  // A repetition gets the first answer, and has no effect.
  const records = [both.friday.journal.length, both.saturday.journal.length];
  expect(await both.run({ fee: 4, waiveDifference: { reason: 'Ill' } })).toEqual(told);
  expect([both.friday.journal.length, both.saturday.journal.length]).toEqual(records);
  // Also of the last seat of a booking, and from a booking that the other event has.
  const second = {
    exchangeId: 'exc_2',
    pinId: 'exc_2.1',
    from: [{ label: 'A-1' }],
    to: { selections: [{ label: 'C-2' }] },
  };
  expect((await both.run(second)).ok).toBe(true);
  expect([has(both.friday), has(both.saturday)]).toEqual([[], ['C-1', 'C-2']]);
});

test('A dry run tells the answer, and leaves no record', async () => {
  const both = nights();
  const quoted = await quoteExchange(both.ports(), both.exchange(), server, 0);
  expect(quoted).toMatchObject({ ok: true, value: { from: ['A-2'], to: ['C-1'], priceDifference: -10 } });
  expect([isBefore(both), both.friday.journal.length, both.saturday.journal.length]).toEqual([true, 1, 0]);
});

describe('the coordinator dies', () => {
  const deaths = commands.flatMap((command, at) =>
    [false, true].map((arrives): [string, number, boolean] => [
      `${arrives ? 'behind' : 'before'} ${command}`,
      at + 1,
      arrives,
    ]),
  );
  test.each(deaths)('%s', async (_, stopAt, arrives) => {
    const both = nights();
    expect((await both.run({}, stopAt, arrives)).ok).toBe(false);
    const isDecided = has(both.saturday).length === 1;
    expect(has(both.friday).length + has(both.saturday).length).toBeGreaterThanOrEqual(2);
    await both.carryOn();
    expect([isDecided ? isAfter(both) : isBefore(both), pins(both)]).toEqual([true, 0]);
    // The caller repeats the call, before or after the catalog went on.
    expect((await both.run()).ok).toBe(true);
    expect([isAfter(both), pins(both)]).toEqual([true, 0]);
  });

  test.each(deaths)('%s, and its caller repeats the call at once', async (_, stopAt, arrives) => {
    const both = nights();
    await both.run({}, stopAt, arrives);
    expect(await both.run()).toMatchObject({ ok: true, value: { from: ['A-2'], to: ['C-1'] } });
    await both.carryOn();
    expect([isAfter(both), pins(both)]).toEqual([true, 0]);
  });
});

test('A slow copy takes nothing behind the refusal of its try', async () => {
  const both = nights();
  const given = both.friday.ok({
    type: 'pin-exchange',
    exchangeId: 'exc_1',
    pinId: 'exc_1.slow',
    bookingRef: 'r1',
    from: [{ label: 'A-2' }],
    toEventKey: 'saturday',
    actsUntil: both.friday.now(),
  });
  const take = {
    type: 'take-exchange' as const,
    exchangeId: 'exc_1',
    pinId: 'exc_1.slow',
    bookingRef: 'r1',
    to: { selections: [{ label: 'C-1' }] },
    given: given.given,
    reason: null,
    actsUntil: both.saturday.now(),
  };
  await both.carryOn();
  expect(both.saturday.refused(take).reason).toBe('exchange_given_up');
  expect((await both.run()).ok).toBe(true);
  expect(both.saturday.refused(take).reason).toBe('exchange_given_up');
  both.friday.ok({ type: 'unpin-exchange', exchangeId: 'exc_1', pinId: 'exc_1.slow' });
  expect(isAfter(both)).toBe(true);
  expect(both.saturday.refused({ ...take, pinId: 'late', actsUntil: both.saturday.now() - 1 }).reason).toBe('too_late');
});

describe('nothing moves', () => {
  const move = (event: Nights['friday'], to: 'archive' | 'delete') =>
    event.ok({ type: 'move', callId: callId(), move: to });
  const cases: [why: string, before: (both: Nights) => void, more: Partial<ExchangeOverEvents>, told: object][] = [
    ['the place is booked', ({ saturday }) => saturday.ok(direct('r2', 'C-1')), {}, { code: 'conflict' }],
    ['the place is held', ({ saturday }) => saturday.ok(hold('h', 'C-1')), {}, { code: 'conflict' }],
    ['the place is blocked', ({ saturday }) => saturday.ok(block('C-1')), {}, { code: 'conflict' }],
    ['the other night is archived', ({ saturday }) => move(saturday, 'archive'), {}, { code: 'invalid_event_state' }],
    ['the other night is deleted', ({ saturday }) => move(saturday, 'delete'), {}, { code: 'invalid_event_state' }],
    ['this night is archived', ({ friday }) => move(friday, 'archive'), {}, { code: 'invalid_event_state' }],
    [
      'the currencies differ',
      ({ saturday }) => {
        saturday.state.config = { ...saturday.state.config, currency: 'USD' };
      },
      {},
      { code: 'incompatible_events' },
    ],
    ['the place is unknown', () => {}, { to: { selections: [{ label: 'X-1' }] } }, { code: 'unknown_labels' }],
    ['the booking is unknown', () => {}, { bookingRef: 'nobody' }, { code: 'booking_not_found' }],
    ['the unit is not the booking’s', () => {}, { from: [{ label: 'A-5' }] }, { reason: 'not_owned_by_booking_ref' }],
    [
      'the sizes differ',
      () => {},
      { to: { selections: [{ label: 'C-1' }, { label: 'C-2' }] } },
      { code: 'invalid_request' },
    ],
  ];
  test.each(cases)('when %s', async (_, before, more, told) => {
    const both = nights();
    before(both);
    const records = [both.friday.journal.length, both.saturday.journal.length];
    const refused = await both.run(more);
    expect(refused).toMatchObject({ ok: false, refusal: told });
    expect([both.friday.journal.length, both.saturday.journal.length]).toEqual(records);
    expect(isBefore(both)).toBe(true);
  });

  const inTheMiddle: [why: string, (both: Nights) => void][] = [
    ['sells the place', ({ saturday }) => saturday.ok(direct('r2', 'C-1'))],
    ['is archived', ({ saturday }) => move(saturday, 'archive')],
    ['is deleted', ({ saturday }) => move(saturday, 'delete')],
  ];
  test.each(inTheMiddle)('when the other night %s in the middle', async (_, act) => {
    const both = nights();
    const { ask, ...rest } = both.ports();
    const ports = {
      ...rest,
      async ask<C extends Command>(eventKey: string, command: C, caller: Caller) {
        if (command.type === 'take-exchange' && !('isDry' in command)) act(both);
        return ask(eventKey, command, caller);
      },
    };
    expect((await exchangeOverEvents(ports, both.exchange(), server, 0)).ok).toBe(false);
    expect([isBefore(both), pins(both)]).toEqual([true, 0]);
    expect(both.saturday.journal.some(({ type }) => type === 'exchange-refused')).toBe(true);
  });

  test('The units are given on a night that was archived in the middle', async () => {
    const both = nights();
    const { ask, ...rest } = both.ports();
    const ports = {
      ...rest,
      async ask<C extends Command>(eventKey: string, command: C, caller: Caller) {
        if (command.type === 'give-exchange') move(both.friday, 'archive');
        return ask(eventKey, command, caller);
      },
    };
    expect((await exchangeOverEvents(ports, both.exchange(), server, 0)).ok).toBe(true);
    expect(isAfter(both)).toBe(true);
  });
});

test('Nobody changes pinned units, and a snapshot keeps the pin', async () => {
  const both = nights();
  const { friday } = both;
  friday.ok(list('l1', 'r1', 'A-2'));
  await both.run({}, 3, true);
  expect(pins(both)).toBe(1);
  const others: Command[] = [
    { type: 'unbook', callId: callId(), bookingRef: 'r1' },
    { type: 'unbook', callId: callId(), bookingRef: 'r1', labels: ['A-2'] },
    list('l2', 'r1', 'A-2'),
    {
      type: 'exchange',
      callId: callId(),
      exchangeId: 'exc_9',
      bookingRef: 'r1',
      from: [{ label: 'A-2' }],
      to: { selections: [{ label: 'B-1' }] },
      reason: null,
    },
  ];
  for (const command of others) expect(friday.refused(command).reason).toBe('exchange_pending');
  expect(friday.refused(hold('h', 'A-2')).code).toBe('conflict');
  const again = fromSnapshot(toSnapshot(capture(friday.state)), friday.state.plan);
  expect([...again.listings.values()]).toEqual([...friday.state.listings.values()]);
  await both.carryOn();
  friday.ok(others[1]!);
});

test('The projection shows a pin as open until its end', async () => {
  const both = nights();
  await both.run({}, 4, true);
  const groups = () =>
    both.friday.journal.flatMap((record, seq) => [
      ...pinnedExchangeView.split({
        stream: 's',
        seq,
        eventKey: 'friday',
        group: { eventKey: 'friday', plan: 'small-plan', at: both.friday.times[seq]!, records: [record] } as never,
        data: new Uint8Array(),
        payer: null,
        owner: null,
      }),
    ]);
  const fold = () =>
    pinnedExchangeView.count(
      undefined,
      groups().map(([, part]) => part),
    );
  expect(fold()).toMatchObject({ exchangeId: 'exc_1', toEventKey: 'saturday', open: true });
  await both.carryOn();
  expect(fold()).toMatchObject({ exchangeId: 'exc_1', toEventKey: 'saturday', open: null });
});
