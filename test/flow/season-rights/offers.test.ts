/** Renewal offers: reserved seats, every move, the deadline, and processes that die between two writes. */
import { afterEach, beforeEach, describe, expect, test, vi } from 'vitest';
import { offers } from '../../../services/catalog/src/store/right-collections.ts';
import { embeddedDatabase, type TestDatabase } from '../../store/adapters.ts';
import { testCatalog } from '../../store/test-catalog.ts';
import { type RightsShop, rightsShop } from './rights-shop.ts';

let database: TestDatabase;
let shop: RightsShop;

beforeEach(async () => {
  database = await embeddedDatabase([]);
  shop = await rightsShop(await database.connect());
});
afterEach(async () => {
  await shop.catalog.lifecycles.offers.engine.stop();
  await database.remove();
});

const commit = (more: object = {}) => ({
  move: 'commit',
  commitActionId: 'commit-1',
  orderRef: 'order-1',
  bookingRef: 'booking-1',
  planActivationId: shop.plan,
  ...more,
});
const settled = (offerId: string, state: string) =>
  vi.waitFor(async () => expect((await shop.get(offerId)).state).toBe(state));
const refusal = (offerId: string, move: object) =>
  shop.catalog.refusal('rights.move-offer', { ...shop.of, offerId, ...move } as never);
const freed = () => shop.seats.changes.filter((change) => change.startsWith('free'));

describe('offers', () => {
  test('are made for every contract without a booking, and reserve its seats in every event', async () => {
    await shop.holders('A-1', 'A-2');
    const made = await shop.offer();
    expect(made).toMatchObject([
      { offerId: expect.stringMatching(/^sro_/), holderRef: 'holder-A-1', labels: ['A-1'], state: 'offered' },
      { holderRef: 'holder-A-2', successorPlanActivationId: shop.plan, intentId: null, bookingRef: null },
    ]);
    expect(made[0]!.commitOutcomes).toEqual(
      shop.eventKeys.map((eventKey) => ({ eventKey, state: 'pending', code: null })),
    );
    expect(shop.seats.reserved.size).toBe(2 * shop.eventKeys.length);
    expect(await shop.offer()).toEqual([]);
    const listed = await shop.catalog.ask('rights.offers', shop.of);
    expect(listed.offers.map(({ offerId }) => offerId).sort()).toEqual(made.map(({ offerId }) => offerId).sort());
  });

  test('of a seat that is taken are refused with every conflict, and no seat stays reserved', async () => {
    await shop.holders('A-1', 'A-2', 'A-3');
    const [first, second] = shop.eventKeys;
    shop.seats.booked.set(`${first} A-1`, 'other').set(`${second} A-3`, 'other');
    const told = await shop.catalog.refusal('rights.offer', { ...shop.of, deadlineAt: shop.catalog.clock.now() + 1 });
    expect(told).toMatchObject({ code: 'conflict', reason: 'seats_taken' });
    expect(told.details!.conflicts).toMatchObject([
      { eventKey: first, label: 'A-1', status: 'booked' },
      { eventKey: second, label: 'A-3', status: 'booked' },
    ]);
    await vi.waitFor(() => expect(shop.seats.reserved.size).toBe(0));
    expect((await shop.catalog.ask('rights.offers', shop.of)).offers).toEqual([]);
    shop.seats.booked.clear();
    expect(await shop.offer()).toHaveLength(3);
  });

  test('of unknown contracts are refused with every fault', async () => {
    const [contract] = await shop.holders('A-1');
    await shop.offer();
    const contractIds = ['sco_nobody', contract!.contractId, 'sco_other'];
    const deadlineAt = shop.catalog.clock.now() + 60_000;
    const told = await shop.catalog.refusal('rights.offer', { ...shop.of, deadlineAt, contractIds });
    expect(told.details!.issues).toMatchObject([
      { path: 'contractIds.0', code: 'contract_not_found' },
      { path: 'contractIds.1', code: 'offer_open' },
      { path: 'contractIds.2', code: 'contract_not_found' },
    ]);
  });

  test('of a named call are made once', async () => {
    await shop.holders('A-1', 'A-2');
    const made = await shop.offer({ callId: 'call-1' });
    const again = await shop.offer({ callId: 'call-1' });
    expect(again).toHaveLength(2);
    expect(again).toEqual(expect.arrayContaining(made));
  });

  test('need a deadline in the future and a published plan of the season', async () => {
    await shop.holders('A-1');
    const past = await shop.catalog.refusal('rights.offer', { ...shop.of, deadlineAt: shop.catalog.clock.now() });
    expect(past.details!.issues).toMatchObject([{ path: 'deadlineAt' }]);
    const deadlineAt = shop.catalog.clock.now() + 60_000;
    const other = { ...shop.of, deadlineAt, successorPlanActivationId: 'spa_other' };
    expect(await shop.catalog.refusal('rights.offer', other)).toMatchObject({ reason: 'unknown_plan' });
  });

  test('whose call died go back behind the time of their reservations', async () => {
    await shop.holders('A-1');
    // The catalog dies behind the reservations: no offer is shown, and the seats are reserved.
    const { replace } = shop.catalog.store;
    shop.catalog.store.replace = async (collection, ...more) => {
      if (collection.name === offers.name) throw new Error('the process dies here');
      return replace.call(shop.catalog.store, collection, ...more);
    };
    await expect(shop.offer()).rejects.toThrow('dies here');
    shop.catalog.store.replace = replace;
    expect(shop.seats.reserved.size).toBe(shop.eventKeys.length);
    shop.catalog.clock.time += 60_000;
    shop.catalog.lifecycles.offers.engine.watch();
    await vi.waitFor(() => expect(shop.seats.reserved.size).toBe(0));
    expect(await shop.offer()).toHaveLength(1);
  });

  test('whose event is silent are refused, and may be made again', async () => {
    await shop.holders('A-1');
    const silent = shop.eventKeys[2]!;
    shop.seats.silent.add(silent);
    const told = await shop.catalog.refusal('rights.offer', { ...shop.of, deadlineAt: shop.catalog.clock.now() + 1 });
    expect(told).toMatchObject({ code: 'shard_unavailable', retryable: true });
    shop.seats.silent.clear();
    shop.catalog.lifecycles.offers.engine.watch();
    await vi.waitFor(() => expect(shop.seats.reserved.size).toBe(0));
    expect(await shop.offer()).toHaveLength(1);
  });
});

describe('an offer', () => {
  let offerId: string;
  let rightId: string;
  beforeEach(async () => {
    await shop.holders('A-1');
    const [made] = await shop.offer();
    ({ offerId, rightId } = made!);
  });

  test('is committed, booked in every event, and makes the successor contract of the same right', async () => {
    expect(await shop.move(offerId, commit())).toMatchObject({ state: 'committing', orderRef: 'order-1' });
    await settled(offerId, 'renewed');
    const renewed = await shop.get(offerId);
    expect(renewed.commitOutcomes.every(({ state }) => state === 'committed')).toBe(true);
    expect([...shop.seats.booked.values()]).toEqual(shop.eventKeys.map(() => 'booking-1'));
    const asked = { ...shop.of, versions: [], bookingRef: null, holderRef: 'holder-A-1' };
    const { contracts, offers: found } = await shop.catalog.ask('rights.lookup', asked);
    expect(contracts).toMatchObject([
      { rightId, source: 'import', state: 'renewed' },
      { rightId, source: 'renewal', state: 'active', contractId: renewed.successorContractId, bookingRef: 'booking-1' },
    ]);
    const { items, ...listed } = renewed;
    expect([found, items]).toEqual([[listed], []]);
    expect(await shop.move(offerId, commit())).toEqual(renewed);
    expect(await refusal(offerId, commit({ bookingRef: 'other' }))).toMatchObject({ reason: 'action_reused' });
    expect((await refusal(offerId, { move: 'release' })).code).toBe('conflict');
    expect(await shop.offer()).toEqual([]);
  });

  test('takes the intent of its holder once, and is then committed', async () => {
    const answer = { offerId, move: 'intend' as const };
    const first = (await shop.catalog.ask('rights.answer-offer', answer)).offer;
    expect(first).toMatchObject({ state: 'intent_received', intentId: expect.stringMatching(/^sri_/) });
    expect((await shop.catalog.ask('rights.answer-offer', answer)).offer.intentId).toBe(first.intentId);
    await shop.move(offerId, commit());
    await settled(offerId, 'renewed');
  });

  test('of another plan is not committed', async () => {
    expect(await refusal(offerId, commit({ planActivationId: 'spa_other' }))).toMatchObject({
      code: 'conflict',
      reason: 'plan_mismatch',
    });
  });

  test('lapses at its deadline in one of two catalogs, and frees its seats once', async () => {
    const other = testCatalog(await database.connect(), async (eventKey, command) => {
      return (shop.seats.answer(eventKey, command) ?? { ok: true, value: {} }) as never;
    });
    const catalogs = [shop.catalog, other];
    for (const { clock } of catalogs) clock.time += 60_000;
    expect(await refusal(offerId, commit())).toMatchObject({ code: 'conflict', reason: 'offer_lapsed' });
    await Promise.all(catalogs.map(({ lifecycles }) => lifecycles.offers.engine.lapse()));
    await settled(offerId, 'lapsed');
    await vi.waitFor(() => expect(freed()).toHaveLength(shop.eventKeys.length));
    await Promise.all(catalogs.map(({ lifecycles }) => lifecycles.offers.engine.lapse()));
    expect(freed()).toHaveLength(shop.eventKeys.length);
    expect(await shop.move(offerId, { move: 'release' })).toMatchObject({ state: 'released' });
    expect((await refusal(offerId, commit())).reason).toBe('offer_released');
    await other.lifecycles.offers.engine.stop();
  });

  test('that is committed at its deadline is renewed or has lapsed, never both', async () => {
    const other = testCatalog(await database.connect(), async (eventKey, command) => {
      return (shop.seats.answer(eventKey, command) ?? { ok: true, value: {} }) as never;
    });
    other.clock.time += 60_000;
    const move = { ...shop.of, offerId, ...commit() } as never;
    const [told] = await Promise.all([
      shop.catalog.operations['rights.move-offer'](move),
      other.lifecycles.offers.engine.lapse(),
    ]);
    await settled(offerId, told.ok ? 'renewed' : 'lapsed');
    await vi.waitFor(() => expect(shop.seats.reserved.size).toBe(0));
    expect(shop.seats.booked.size).toBe(told.ok ? shop.eventKeys.length : 0);
    await other.lifecycles.offers.engine.stop();
  });

  test('is extended to a later time alone, before it lapses', async () => {
    const { deadlineAt } = await shop.get(offerId);
    const later = await shop.move(offerId, { move: 'extend', deadlineAt: deadlineAt + 60_000 });
    expect(later).toMatchObject({ state: 'offered', deadlineAt: deadlineAt + 60_000 });
    expect((await refusal(offerId, { move: 'extend', deadlineAt })).code).toBe('invalid_request');
    shop.catalog.clock.time = deadlineAt;
    await shop.catalog.lifecycles.offers.engine.lapse();
    expect((await shop.get(offerId)).state).toBe('offered');
    shop.catalog.clock.time = deadlineAt + 60_000;
    expect((await refusal(offerId, { move: 'extend', deadlineAt: deadlineAt + 120_000 })).reason).toBe('offer_lapsed');
  });

  test('that is declined or released frees its seats and leaves the right', async () => {
    expect(await shop.move(offerId, { move: 'decline' })).toMatchObject({ state: 'declined' });
    expect(freed()).toHaveLength(shop.eventKeys.length);
    expect((await refusal(offerId, { move: 'extend', deadlineAt: shop.catalog.clock.now() + 90_000 })).code).toBe(
      'conflict',
    );
    const [again] = await shop.offer();
    expect(again).toMatchObject({ rightId, state: 'offered' });
    expect(await shop.move(again!.offerId, { move: 'release' })).toMatchObject({ state: 'released' });
    expect(freed()).toHaveLength(2 * shop.eventKeys.length);
    expect(await shop.move(again!.offerId, { move: 'release' })).toMatchObject({ state: 'released' });
  });

  test('whose event is silent stays committing, and any catalog books the rest', async () => {
    shop.seats.silent.add(shop.eventKeys[1]!);
    await shop.move(offerId, commit());
    await vi.waitFor(() => expect(shop.seats.booked.size).toBe(shop.eventKeys.length - 1));
    expect(await shop.get(offerId)).toMatchObject({ state: 'committing', successorContractId: null });
    expect((await refusal(offerId, { move: 'decline' })).reason).toBe('offer_committing');
    shop.seats.silent.clear();
    shop.catalog.lifecycles.offers.engine.watch();
    await settled(offerId, 'renewed');
  });

  test('is noted in the audit and the outbox of its season, each act once', async () => {
    await shop.move(offerId, { move: 'decline' });
    const { outbox } = await shop.catalog.ask('seasons.outbox', shop.of);
    const own = outbox.filter(({ eventName }) => eventName.startsWith('season.renewal'));
    expect(own.map(({ eventName }) => eventName).reverse()).toEqual([
      'season.renewal.offered',
      'season.renewal.declined',
    ]);
    expect(own[0]!.payload.data).toMatchObject({ offerId, state: 'declined' });
  });

  test('is found by its id in its own season alone', async () => {
    const found = await shop.catalog.ask('rights.find-offer', { offerId });
    expect(found).toMatchObject({ offer: { offerId }, season: { key: shop.seasonKey } });
    expect((await shop.catalog.refusal('rights.find-offer', { offerId, seasonKey: 'sea_other' })).code).toBe(
      'not_found',
    );
  });
});
