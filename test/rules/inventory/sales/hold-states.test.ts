/**
 * The rules of one event, case by case: a hold in each state when it is replaced, read, booked, extended or requested
 * again.
 */
import type { Command } from '@parterre/shared/protocol/commands';
import { endedHoldKeepMs } from '@parterre/shared/protocol/limits';
import { holdTtlMsDefault } from '@parterre/shared/protocol/page-limits';
import { describe, expect, test } from 'vitest';
import { inspectHold } from '../../../../services/inventory-shard/src/rules/sales/hold-changes.ts';
import { formerCurrenciesKept } from '../../../../services/inventory-shard/src/rules/state/bounds.ts';
import { capture, fromSnapshot, toSnapshot } from '../../../../services/inventory-shard/src/rules/turn/snapshot.ts';
import {
  book,
  callId,
  direct,
  hold,
  house,
  MINUTE,
  START,
  server,
  smallPlan,
} from '../../../support/inventory/house.ts';

type House = ReturnType<typeof house>;

const release = (holdId: string, ...labels: string[]): Command & { type: 'release' } => ({
  type: 'release',
  callId: callId(),
  holdId,
  ...(labels.length === 0 ? {} : { labels }),
});
const extend = (holdId: string, ttlMs?: number): Command & { type: 'extend' } => ({
  type: 'extend',
  callId: callId(),
  holdId,
  ...(ttlMs === undefined ? {} : { ttlMs }),
});
const inspect = (event: House, holdId = 'old') => event.ok({ type: 'inspect-hold', holdId });
const labelsIn = ({ items }: { items: { label: string }[] }) => items.map(({ label }) => label).join();

/** A hold of for a minute, and its fate. */
const fates: Record<string, (event: House) => void> = {
  unknown: () => {},
  active: (event) => event.ok({ ...hold('old', 'A-1', 'A-2'), ttlMs: MINUTE }),
  'partly booked': (event) => {
    fates.active!(event);
    event.ok(book('old', 'order-1', ['A-1']));
  },
  'partly booked and then expired': (event) => {
    fates['partly booked']!(event);
    event.pass(MINUTE);
    event.counts();
  },
  'partly booked and then released': (event) => {
    fates['partly booked']!(event);
    event.ok(release('old'));
  },
  'partly released': (event) => {
    fates.active!(event);
    event.ok(release('old', 'A-1'));
  },
  booked: (event) => {
    fates.active!(event);
    event.ok(book('old', 'order-1'));
  },
  'booked under two references': (event) => {
    fates['partly booked']!(event);
    event.ok(book('old', 'order-2', ['A-2']));
  },
  released: (event) => {
    fates.active!(event);
    event.ok(release('old'));
  },
  expired: (event) => {
    fates.active!(event);
    event.pass(MINUTE);
    event.counts();
  },
};

function houseWith(fate: string): House {
  const event = house();
  fates[fate]!(event);
  return event;
}

describe('a hold that is read', () => {
  test.each([
    ['active', 'active', null, 'A-1,A-2'],
    ['partly booked', 'active', 'order-1', 'A-2'],
    ['partly booked and then expired', 'booked', 'order-1', 'A-1'],
    ['partly booked and then released', 'booked', 'order-1', 'A-1'],
    ['partly released', 'active', null, 'A-2'],
    ['booked', 'booked', 'order-1', 'A-1,A-2'],
    ['booked under two references', 'booked', 'order-2', 'A-1,A-2'],
    ['released', 'released', null, 'A-1,A-2'],
    ['expired', 'expired', null, 'A-1,A-2'],
  ])('when it is %s is %s', (fate, status, bookingRef, labels) => {
    const event = houseWith(fate);
    const read = inspect(event);
    expect(read).toMatchObject({ status, bookingRef, expiresAt: START + MINUTE, extends: 0, currency: 'EUR' });
    expect(labelsIn(read)).toBe(labels);
    const copy = fromSnapshot(structuredClone(toSnapshot(capture(event.state))), smallPlan);
    Object.assign(event.state, copy);
    expect(inspect(event)).toEqual(read);
    event.ok({
      type: 'update-chart',
      acknowledgeMoved: true,
      reason: 'A new chart',
      callId: callId(),
      planHash: 'moved-plan',
      chartVersion: 2,
    });
    expect(inspect(event)).toMatchObject({ status, bookingRef });
    expect(labelsIn(inspect(event))).toBe(labels);
  });

  test.each(
    Object.keys(fates).filter((fate) => !['unknown', 'active', 'partly booked', 'partly released'].includes(fate)),
  )('is unknown to every call a day after it was %s', (fate) => {
    const event = houseWith(fate);
    event.pass(endedHoldKeepMs - 1);
    inspect(event);
    event.pass(1);
    const asked: [Command, string][] = [
      [{ type: 'inspect-hold', holdId: 'old' }, 'hold_not_found'],
      [release('old'), 'hold_not_found'],
      [book('old', 'order-9'), 'hold_not_found'],
      [extend('old'), 'cannot_extend'],
    ];
    for (const [command, code] of asked) expect(event.refused(command).code).toBe(code);
    expect(event.refused(extend('old'))).toMatchObject({ reason: 'not_found' });
    // The hold's id is free again.
    const again = event.ok(hold('old', 'B-1'));
    expect(again.expiresAt).toBe(event.now() + holdTtlMsDefault);
    expect(labelsIn(inspect(event))).toBe('B-1');
    event.ok(hold('other', 'B-2'));
    expect(inspect(event).status).toBe('active');
  });
});

describe('a hold that is requested again under its id', () => {
  test.each(Object.keys(fates).filter((fate) => fate !== 'unknown'))(
    'when it is %s answers as it did first, and does nothing',
    (fate) => {
      const untouched = house();
      const first = untouched.ok({ ...hold('old', 'A-1', 'A-2'), ttlMs: MINUTE });
      const event = houseWith(fate);
      const records = event.journal.length;
      expect(event.ok({ ...hold('old', 'A-1', 'A-2'), ttlMs: MINUTE })).toEqual(first);
      expect(event.journal.slice(records)).toEqual([]);
    },
  );

  test('answers with its first expiry, even if it was extended since', () => {
    const event = house();
    const first = event.ok(hold('old', 'A-1'));
    event.pass(MINUTE);
    expect(event.ok(extend('old')).expiresAt).toBe(first.expiresAt + MINUTE);
    expect(event.ok(hold('old', 'A-1'))).toEqual(first);
    expect(inspect(event).expiresAt).toBe(first.expiresAt + MINUTE);
  });

  test('answers after sales have closed, and refuses another body', () => {
    const event = house();
    const first = event.ok({ ...hold('old', 'A-1'), fingerprint: 'one' });
    event.ok({ type: 'move', callId: callId(), move: 'close' });
    expect(event.ok({ ...hold('old', 'A-1'), fingerprint: 'one' })).toEqual(first);
    expect(event.refused({ ...hold('old', 'A-1'), fingerprint: 'two' }).reason).toBe('idempotency_key_reused');
  });
});

describe('a hold that is to be replaced', () => {
  const swap = (...labels: string[]): Command & { type: 'hold' } => ({
    ...hold('new', ...labels),
    replaceHoldId: 'old',
  });

  test.each([
    ['unknown', 'A-1,A-3', []],
    ['active', 'A-1,A-3', ['released']],
    ['partly booked', 'A-2,A-3', ['released']],
    ['partly booked and then expired', 'A-2,A-3', []],
    ['partly released', 'A-1,A-2', ['released']],
    ['released', 'A-1,A-2', []],
    ['expired', 'A-1,A-2', []],
    ['booked', 'A-3', []],
  ])('when it is %s gives way to %s', (fate, labels, before) => {
    const event = houseWith(fate);
    const records = event.journal.length;
    expect(event.ok(swap(...labels.split(','))).labels.join()).toBe(labels);
    expect(event.journal.slice(records).map(({ type }) => type)).toEqual([...before, 'held']);
    expect(event.counts().held).toBe(labels.split(',').length);
    if (fate !== 'unknown') expect(inspect(event).status).not.toBe('active');
  });

  test.each([
    ['booked', 'A-1', 'booked'],
    ['partly booked', 'A-1', 'booked'],
  ])('when it is %s keeps its booked seats', (fate, label, status) => {
    const event = houseWith(fate);
    expect(event.refused(swap(label, 'A-3')).details?.conflicts).toEqual([{ label, status }]);
  });

  test('gives no seat that another hold has since', () => {
    const event = houseWith('expired');
    event.ok(hold('other', 'A-2'));
    expect(event.refused(swap('A-1', 'A-2')).details?.conflicts).toEqual([{ label: 'A-2', status: 'held' }]);
  });

  test('gives its places of an area to the new hold', () => {
    const event = house();
    event.ok({ ...hold('old'), selections: [{ label: 'Standing', quantity: 9 }] });
    const selections = [{ label: 'Standing', quantity: 10 }];
    expect(event.refused({ ...hold('new'), selections }).code).toBe('conflict');
    expect(event.ok({ ...hold('new'), selections, replaceHoldId: 'old' }).labels).toHaveLength(10);
  });
});

describe('booking a hold', () => {
  test.each([
    ['active', 'order-1', ['A-1', 'A-2']],
    ['partly booked', 'order-1', ['A-2']],
    ['partly booked', 'order-2', ['A-2']],
    ['partly booked and then released', 'order-1', []],
    ['partly released', 'order-1', ['A-2']],
    ['booked', 'order-1', []],
    ['booked under two references', 'order-1', []],
    ['booked under two references', 'order-2', []],
  ])('that is %s under %s books its remaining seats', (fate, ref, booked) => {
    expect(houseWith(fate).ok(book('old', ref)).booked).toEqual(booked);
  });

  test.each([
    ['the whole', undefined, ['A-1', 'A-2']],
    ['a part', ['A-2'], ['A-2']],
  ])('tells the items of %s, in a repetition and after a cancellation too', (_name, labels, told) => {
    const event = houseWith('active');
    const first = event.ok(book('old', 'order-1', labels));
    expect(labelsIn({ items: first.items! })).toBe(told.join());
    const repeated = { ...first, booked: [] };
    expect(event.ok(book('old', 'order-1', labels))).toEqual(repeated);
    event.ok({ type: 'unbook', callId: callId(), bookingRef: 'order-1' });
    expect(event.ok(book('old', 'order-1', labels))).toEqual(repeated);
  });

  test.each([
    ['unknown', 'order-1', 'hold_not_found', undefined, undefined],
    ['partly booked and then expired', 'order-1', 'conflict', 'hold_expired', ['A-2 free']],
    ['partly booked and then expired', 'order-2', 'conflict', 'hold_expired', ['A-1 booked', 'A-2 free']],
    ['partly booked and then released', 'order-2', 'conflict', 'hold_booked', ['A-1 booked']],
    ['booked', 'order-2', 'conflict', 'hold_booked', ['A-1 booked', 'A-2 booked']],
    ['booked under two references', 'order-3', 'conflict', 'hold_booked', ['A-1 booked', 'A-2 booked']],
    ['released', 'order-1', 'conflict', 'hold_released', ['A-1 free', 'A-2 free']],
    ['expired', 'order-1', 'conflict', 'hold_expired', ['A-1 free', 'A-2 free']],
  ] as const)('that is %s under %s is refused with %s', (fate, ref, code, reason, conflicts) => {
    const event = houseWith(fate);
    const before = event.counts();
    const refusal = event.refused(book('old', ref));
    expect([refusal.code, refusal.reason]).toEqual([code, reason]);
    const told = refusal.details?.conflicts as { label: string; status: string }[] | undefined;
    expect(told?.map(({ label, status }) => `${label} ${status}`)).toEqual(conflicts);
    expect(refusal.details?.bookingRef).toBe(reason === 'hold_booked' ? 'order-1' : undefined);
    expect(event.counts()).toEqual(before);
  });

  test.each<[string, string[], string]>([
    ['a label that another hold has', ['A-1', 'B-1'], 'conflict'],
    ['a label that is free', ['A-1', 'B-2'], 'conflict'],
    ['a label that the chart lacks', ['A-1', 'Z-9'], 'unknown_labels'],
  ])('by %s books none of it', (_name, labels, code) => {
    const event = houseWith('active');
    event.ok(hold('other', 'B-1'));
    expect(event.refused(book('old', 'order-1', labels)).code).toBe(code);
    expect(event.counts()).toMatchObject({ booked: 0, held: 3 });
  });

  test('again after a full or partial cancellation books nothing and is no error', () => {
    const event = houseWith('booked');
    event.ok({ type: 'unbook', callId: callId(), bookingRef: 'order-1', labels: ['A-1'] });
    expect(event.ok(book('old', 'order-1')).booked).toEqual([]);
    event.ok({ type: 'unbook', callId: callId(), bookingRef: 'order-1' });
    expect(event.ok(book('old', 'order-1')).booked).toEqual([]);
    expect(event.ok(book('old', 'order-1', ['A-1'])).booked).toEqual([]);
    expect(event.refused(book('old', 'order-2')).details?.conflicts).toHaveLength(2);
    expect(event.counts()).toMatchObject({ booked: 0 });
    expect(event.ok(hold('h2', 'A-1')).labels).toEqual(['A-1']);
    expect(event.ok(book('h2', 'order-1')).booked).toEqual(['A-1']);
  });
});

describe('a hold in two parts, of which a change of chart has dropped the cancelled first', () => {
  function houseInTwoParts(): House {
    const event = house();
    event.ok(hold('old', 'A-1', 'A-2', 'A-3'));
    event.ok(book('old', 'order-1', ['A-3']));
    event.ok({ type: 'unbook', callId: callId(), bookingRef: 'order-1' });
    event.ok({ type: 'update-chart', callId: callId(), planHash: 'shrunk-plan', chartVersion: 2 });
    event.ok(book('old', 'order-2'));
    return event;
  }

  test.each([
    ['the first order', 'order-1', undefined, ''],
    ['the second order', 'order-2', undefined, 'A-1,A-2'],
    ['a seat of the second order', 'order-2', ['A-2'], 'A-2'],
  ])('answers a repetition for %s, even after a cancellation', (_name, ref, labels, items) => {
    const event = houseInTwoParts();
    const repetition = (): string[] => {
      const answer = event.ok(book('old', ref, labels));
      return [answer.booked.join(), labelsIn({ items: answer.items! })];
    };
    expect(repetition()).toEqual(['', items]);
    event.ok({ type: 'unbook', callId: callId(), bookingRef: 'order-2' });
    expect(repetition()).toEqual(['', items]);
  });

  test.each<[string, Command]>([
    ['a booking', book('old', 'order-3')],
    ['a booking of a seat', book('old', 'order-3', ['A-1'])],
    [
      'an exchange',
      {
        type: 'exchange',
        callId: callId(),
        exchangeId: 'exc_1',
        bookingRef: 'order-3',
        reason: null,
        from: [{ label: 'B-1' }, { label: 'B-2' }],
        to: { holdId: 'old' },
      },
    ],
  ])('refuses %s under another reference as booked', (_name, command) => {
    const event = houseInTwoParts();
    event.ok(direct('order-3', 'B-1', 'B-2'));
    const { reason, details } = event.refused(command);
    expect(reason).toBe('hold_booked');
    // The caller of an exchange may lack the right to read bookings, so the refusal names none.
    expect(details?.bookingRef).toBe(command.type === 'exchange' ? undefined : 'order-2');
  });
});

describe('extending', () => {
  test.each([
    ['unknown', 'not_found'],
    ['partly booked and then expired', 'not_active'],
    ['booked', 'not_active'],
    ['released', 'not_active'],
    ['expired', 'expired'],
  ])('a hold that is %s is refused as %s', (fate, reason) => {
    expect(houseWith(fate).refused(extend('old'))).toMatchObject({ code: 'cannot_extend', reason });
  });

  test.each([
    ['partly booked', 'A-2'],
    ['partly released', 'A-2'],
  ])('a hold that is %s keeps its remaining seats', (fate, labels) => {
    const event = houseWith(fate);
    expect(labelsIn(event.ok(extend('old')))).toBe(labels);
  });

  test('never makes a hold shorter', () => {
    const event = houseWith('active');
    expect(event.ok(extend('old', 1)).expiresAt).toBe(START + MINUTE);
  });
});

describe('releasing', () => {
  test.each([
    ['active', [], 'A-1,A-2'],
    ['active', ['A-2', 'B-1'], 'A-2'],
    ['active', ['B-1'], ''],
    ['partly booked', [], 'A-2'],
    ['partly booked', ['A-1', 'A-2'], 'A-2'],
    ['booked', [], ''],
    ['released', ['A-1'], ''],
    ['expired', [], ''],
  ])('a hold that is %s, of %j, frees %s', (fate, labels, released) => {
    const event = houseWith(fate);
    expect(event.ok(release('old', ...labels)).released.join()).toBe(released);
  });

  test('is refused for a label that the chart lacks, and for an unknown hold', () => {
    const event = houseWith('active');
    expect(event.refused(release('old', 'A-1', 'Z-9')).code).toBe('unknown_labels');
    expect(event.refused(release('nobody')).code).toBe('hold_not_found');
    expect(event.counts().held).toBe(2);
  });
});

describe('a hold that is over when the currency changes', () => {
  const currency = (code: string): Command => ({ type: 'configure', callId: callId(), currency: code });
  const made = { ...hold('old', 'A-1'), ttlMs: MINUTE };

  test('shows the currency of its time, to reads and to a repetition of its call', () => {
    const event = house();
    const first = event.ok(made);
    const shown = inspect(event);
    event.pass(MINUTE);
    event.ok(currency('USD'));
    event.ok({ ...hold('second', 'A-1'), ttlMs: MINUTE });
    event.pass(MINUTE);
    event.ok(currency('CHF'));
    event.ok(currency('GBP'));
    expect(event.ok(made)).toEqual(first);
    for (const state of [event.state, fromSnapshot(structuredClone(toSnapshot(capture(event.state))), smallPlan)]) {
      const inspected = (holdId: string) => inspectHold(state, { type: 'inspect-hold', holdId }, server, event.now());
      expect(inspected('old')).toMatchObject({ answer: { ...shown, status: 'expired' } });
      expect(inspected('second')).toMatchObject({ answer: { currency: 'USD', items: [{ currency: 'USD' }] } });
    }
    expect(event.ok(hold('third', 'A-1'))).toMatchObject({ currency: 'GBP', items: [{ currency: 'GBP' }] });
  });

  test('keeps a bounded number of former currencies, and none without holds', () => {
    const event = house();
    for (let i = 0; i < 3; i++) event.ok(currency(i % 2 === 0 ? 'USD' : 'EUR'));
    expect(event.state.formerCurrencies).toEqual([]);
    for (let i = 0; i <= 2 * formerCurrenciesKept; i++) {
      event.ok(hold(`h${i}`, 'A-1'));
      event.ok(release(`h${i}`));
      event.ok(currency(i % 2 === 0 ? 'USD' : 'EUR'));
    }
    expect(event.state.formerCurrencies.length).toBeLessThanOrEqual(formerCurrenciesKept);
  });
});
