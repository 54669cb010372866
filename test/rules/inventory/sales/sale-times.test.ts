/** The settings of an event's sale, and the times between which buyers hold places. */
import type { Command } from '@parterre/shared/protocol/commands';
import type { SaleSettings } from '@parterre/shared/protocol/records';
import { describe, expect, test } from 'vitest';
import { capture, fromSnapshot, toSnapshot } from '../../../../services/inventory-shard/src/rules/turn/snapshot.ts';
import { callId, house, smallPlan } from '../../../support/inventory/house.ts';

const set = (saleSettings: Partial<SaleSettings>): Command & { type: 'configure' } => ({
  type: 'configure',
  callId: callId(),
  saleSettings,
});

describe('the settings of a sale', () => {
  const all = { salesStartAt: 5_000, salesEndAt: 9_000, companionsUntil: 7_000, buyerLimit: { perBuyer: 4 } };

  test('are answered, counted, repeated and stored whole; an absent one stays, and null removes it', () => {
    const event = house();
    const both = { ...set(all), publicSale: { maxPerHold: 8 } };
    const answer = event.ok(both);
    expect(answer).toMatchObject({ saleSettings: all, publicSale: { maxPerHold: 8 } });
    expect(event.ok(both)).toEqual(answer);
    event.ok(set({ buyerLimit: null, companionsUntil: 8_000 }));
    const left = { salesStartAt: 5_000, salesEndAt: 9_000, companionsUntil: 8_000 };
    expect(event.ok({ type: 'count' }).saleSettings).toEqual(left);
    const restored = fromSnapshot(structuredClone(toSnapshot(capture(event.state))), smallPlan);
    expect(restored?.config).toMatchObject(left);
    event.ok(set({ salesStartAt: null, salesEndAt: null, companionsUntil: null }));
    expect(event.ok({ type: 'count' })).not.toHaveProperty('saleSettings');
    expect(event.journal.map(({ type }) => type)).toEqual([
      'public-sale-set',
      'sale-settings-set',
      'sale-settings-set',
      'sale-settings-set',
    ]);
  });

  test.each<[string, Partial<SaleSettings>, Partial<SaleSettings>, string | null]>([
    ['an end at the start', {}, { salesStartAt: 5, salesEndAt: 5 }, 'salesEndAt'],
    ['an end before the start that stands', { salesStartAt: 5 }, { salesEndAt: 4 }, 'salesEndAt'],
    ['a start behind the end that stands', { salesEndAt: 5 }, { salesStartAt: 6 }, 'salesStartAt'],
    ['a start behind an end that goes', { salesEndAt: 5 }, { salesStartAt: 6, salesEndAt: null }, null],
    ['an end alone', {}, { salesEndAt: 1 }, null],
  ])('%s', (_, before, change, path) => {
    const event = house();
    event.ok(set(before));
    if (path === null) return void event.ok(set(change));
    expect(event.refused(set(change))).toMatchObject({ code: 'invalid_request', details: { issues: [{ path }] } });
  });
});
