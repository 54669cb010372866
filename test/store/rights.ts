/** Imports, rights and offers on any store: each index and each unique place that their rooms rely on. */
import type { Offer, SeenRow } from '@parterre/shared/protocol/catalog/rights';
import { afterEach, beforeEach, expect, test } from 'vitest';
import { collections } from '../../services/catalog/src/store/collections.ts';
import { offers, rights } from '../../services/catalog/src/store/right-collections.ts';
import type { Collection } from '../../services/catalog/src/store/store.ts';
import { type RightsShop, rightsShop } from '../flow/season-rights/rights-shop.ts';
import type { MakeDatabase, TestDatabase } from './adapters.ts';

export function rightsContract(makeDatabase: MakeDatabase): void {
  let database: TestDatabase;
  let shop: RightsShop;
  beforeEach(async () => {
    database = await makeDatabase(collections as readonly Collection<object>[]);
    shop = await rightsShop(await database.connect());
  });
  afterEach(async () => {
    await Promise.all([shop.catalog.lifecycles.offers.engine.stop(), shop.catalog.lifecycles.imports.engine.stop()]);
    await database.remove();
  });

  const row = (label: string, rowId = label): SeenRow => ({
    rowId,
    holderRef: `holder-${label}`,
    priorPlanActivationId: 'before',
    priorContractRef: label,
    labels: [label],
    existingBookingRef: null,
    fault: null,
    isBooked: false,
  });
  const lookUp = (asked: { bookingRef?: string; holderRef?: string }) =>
    shop.catalog.ask('rights.lookup', { ...shop.of, versions: [], bookingRef: null, holderRef: null, ...asked });
  const idsOf = (list: readonly Offer[]) => list.map(({ offerId }) => offerId).sort();

  test('imports at the same moment give a seat once, and keep the rows of each piece', async () => {
    const { seasonKey, plan, of, catalog } = shop;
    const ended = await Promise.all(
      ['one', 'other'].map(async (callId) => {
        const begun = { ...of, successorPlanActivationId: plan, dryRun: false, callId };
        const { importId } = (await catalog.ask('rights.begin-import', begun)).import;
        await catalog.ask('rights.import-rows', { seasonKey, importId, at: 0, rows: [row('A-1'), row(callId)] });
        await catalog.ask('rights.import-rows', { seasonKey, importId, at: 2, rows: [row('A-2', `${callId}-2`)] });
        await catalog.ask('rights.end-import', { seasonKey, importId, rowCount: 3, waitMs: 10_000 });
        const pages = await Promise.all([0, 2].map((at) => catalog.ask('rights.rows', { ...of, importId, at })));
        return pages.flatMap(({ rows }) => rows.map(({ decision }) => decision));
      }),
    );
    expect(ended.sort()).toEqual([
      ['accepted', 'accepted', 'accepted'],
      ['conflict', 'accepted', 'conflict'],
    ]);
  });

  test('rights are found by holder, plan and seat; offers by holder, season and booking, and once by contract', async () => {
    const contracts = await shop.holders('A-1', 'A-2', 'A-3');
    expect(contracts.map(({ labels }) => labels)).toEqual([['A-1'], ['A-2'], ['A-3']]);
    const made = await shop.offer();
    expect(made).toHaveLength(3);
    expect(await shop.offer()).toEqual([]);
    expect(idsOf((await shop.catalog.ask('rights.offers', shop.of)).offers)).toEqual(idsOf(made));
    const ofHolder = await lookUp({ holderRef: 'holder-A-2' });
    expect([ofHolder.contracts.length, idsOf(ofHolder.offers)]).toEqual([
      1,
      made.filter(({ labels }) => labels[0] === 'A-2').map(({ offerId }) => offerId),
    ]);
    const [first, second] = made as [Offer, Offer, Offer];
    const order = { commitActionId: 'act', orderRef: 'order', bookingRef: 'ref-1', planActivationId: shop.plan };
    await shop.move(first.offerId, { move: 'commit', ...order });
    await shop.move(second.offerId, { move: 'decline' });
    await expect.poll(async () => (await shop.get(first.offerId)).state).toBe('renewed');
    const { states } = await shop.catalog.ask('rights.count-offers', shop.of);
    expect(states).toEqual({ renewed: 1, declined: 1, offered: 1 });
    const booked = await lookUp({ bookingRef: 'ref-1' });
    expect([idsOf(booked.offers), booked.contracts.map(({ bookingRef }) => bookingRef)]).toEqual([
      [first.offerId],
      ['ref-1'],
    ]);
  });

  test('an id of a right or offer is taken once, and a unique place too', async () => {
    await shop.holders('A-1');
    const [offer] = await shop.offer();
    const { store } = shop.catalog;
    const stored = (await store.get(offers, offer!.offerId))!.value;
    expect(await store.insert(offers, 'sro_other', stored)).toBe('duplicate');
    const { documents } = await store.page(rights, { index: 'byActivePlan', equal: [shop.plan], limit: 9 });
    expect(await store.insert(rights, documents[0]!.id, documents[0]!.value)).toBe('duplicate');
  });
}
