/** The way of an occurrence from the outbox to the notifiers, the attempts that they report, and rehearsals. */
import type { AttemptReport } from '@parterre/shared/protocol/catalog/deliveries';
import type { DueOccurrence } from '@parterre/shared/protocol/catalog/season-outbox';
import type { SeasonNote } from '@parterre/shared/protocol/catalog/seasons';
import { afterEach, beforeEach, describe, expect, test } from 'vitest';
import { outboxLeaseMs, untoldMs } from '../../../services/catalog/src/store/rules/bounds.ts';
import { seasonOutbox } from '../../../services/catalog/src/store/season-collections.ts';
import { embeddedDatabase, type TestDatabase } from '../../store/adapters.ts';
import { type SeasonShop, seasonShop } from './season-shop.ts';

let database: TestDatabase;
let shop: SeasonShop;
let seasonKey: string;

beforeEach(async () => {
  database = await embeddedDatabase([]);
  shop = await seasonShop(await database.connect());
  seasonKey = (await shop.active()).key;
});
afterEach(() => database.remove());

const target = () => ({ scope: shop.scope, seasonKey });
const take = async () => (await shop.catalog.ask('seasons.take-due', {})).due;
const outbox = async () => (await shop.catalog.ask('seasons.outbox', target())).outbox;
const settle = ({ occurrenceId, replayCount }: DueOccurrence) =>
  shop.catalog.ask('seasons.settle-due', { occurrenceId, replayCount });
const replay = (occurrenceId: string) => shop.catalog.ask('seasons.replay', { ...target(), occurrenceId });
const numbers = () => shop.catalog.ask('seasons.outbox-numbers', target());

describe('an occurrence', () => {
  test('is given to one notifier, and to another after its lease', async () => {
    const [due, ...others] = await take();
    const [kept] = await outbox();
    expect(others).toEqual([]);
    expect(due).toMatchObject({
      occurrenceId: kept!.occurrenceId,
      organisationId: shop.scope.organisationId,
      mode: 'test',
      replayCount: 0,
      season: { key: seasonKey, workspaceId: kept!.payload.workspaceId, environment: null },
      eventName: 'season.activated',
      at: kept!.createdAt,
    });
    expect(JSON.parse(due!.body)).toEqual(kept!.payload);
    expect(await take()).toEqual([]);
    shop.catalog.clock.time += outboxLeaseMs;
    expect(await take()).toEqual([due]);
  });

  test('that is settled comes no more, until a replay', async () => {
    const [due] = await take();
    await settle(due!);
    shop.catalog.clock.time += outboxLeaseMs;
    expect(await take()).toEqual([]);
    await replay(due!.occurrenceId);
    expect(await take()).toEqual([{ ...due, at: shop.catalog.clock.time, replayCount: 1 }]);
  });

  test('is due again where a replay comes before the end of the first post', async () => {
    const [due] = await take();
    await replay(due!.occurrenceId);
    await settle(due!);
    expect(await take()).toMatchObject([{ occurrenceId: due!.occurrenceId, replayCount: 1 }]);
  });

  test('comes though the process that changed the season has died', async () => {
    const { store, clock } = shop.catalog;
    const kept = (await store.get(seasonOutbox, (await outbox())[0]!.occurrenceId))!;
    await store.delete(seasonOutbox, kept.id, kept.version);
    clock.time += 2 * untoldMs;
    expect(await take()).toMatchObject([{ occurrenceId: kept.id }]);
  });
});

/** Numbers the deliveries and times of the test. */
let made = 0;
beforeEach(() => {
  made = 0;
});

function reportOf({ occurrenceId, season, organisationId, eventName, body }: DueOccurrence, more = {}): AttemptReport {
  made += 1;
  return {
    deliveryId: `dlv_${occurrenceId}`,
    subId: 'whk_1',
    organisationId,
    occurrenceId,
    event: eventName,
    eventKey: '',
    season,
    ref: season.key,
    place: { partition: 0, sequence: 0, index: 0 },
    body,
    order: made,
    attempt: 1,
    manual: false,
    at: made,
    status: 204,
    responseBody: null,
    errorMessage: null,
    retryState: 'delivered',
    nextAttemptAt: null,
    ...more,
  } as AttemptReport;
}

const report = (...reports: AttemptReport[]) => shop.catalog.ask('deliveries.record', { reports });

describe('attempts', () => {
  test('are counted once each, and the first 2xx is the delivery', async () => {
    const [due] = await take();
    const failed = reportOf(due!, { status: 500, retryState: 'scheduled', nextAttemptAt: 9 });
    const dropped = reportOf(due!, { deliveryId: 'dlv_2', attempt: 0, status: 0, retryState: 'none' });
    await report(failed, dropped);
    expect(await numbers()).toMatchObject({ undelivered: 1, delivered: 0, attempts: 1, failedAttempts: 1 });
    const delivered = reportOf(due!, { attempt: 2, at: 700 });
    const byHand = reportOf(due!, { attempt: 3, at: 800, manual: true });
    await report(byHand, failed);
    await report(delivered, byHand);
    expect(await numbers()).toEqual({
      undelivered: 0,
      delivered: 1,
      lastEventName: 'season.activated',
      attempts: 3,
      successfulAttempts: 2,
      failedAttempts: 1,
    });
    expect(await outbox()).toMatchObject([{ deliveredAt: 700 }]);
  });

  test('by hand are of the same season', async () => {
    const [due] = await take();
    await report(reportOf(due!));
    const asked = { subId: 'whk_1', deliveryId: `dlv_${due!.occurrenceId}` };
    const { kept } = await shop.catalog.ask('deliveries.get', asked);
    expect(kept).toMatchObject({ season: due!.season, body: due!.body });
  });
});

describe('a rehearsal', () => {
  const rehearse = () => shop.catalog.ask('seasons.rehearse', target());
  const sale = { operationId: 'sop_1', bookActionId: 'b-1' };
  const steps: NonNullable<SeasonNote['occurrence']>[] = [
    { eventName: 'season.hold.committed', data: { operationId: 'sop_1' } },
    { eventName: 'season.booking.booked', data: sale },
    { eventName: 'season.booking.cancelled', data: { ...sale, cancelActionId: 'c-1' } },
  ];

  async function act(at: number): Promise<DueOccurrence> {
    const occurrence = steps[at]!;
    const note = { callId: `step ${at}`, action: occurrence.eventName, actorKind: 'server', details: {} };
    await shop.catalog.ask('seasons.note', { seasonKey, note: { ...note, at: shop.catalog.clock.time, occurrence } });
    return (await take()).find(({ eventName }) => eventName === occurrence.eventName)!;
  }

  test('needs a hold, a booking and a cancellation that one receiver has accepted', async () => {
    const refused = async () => (await shop.catalog.refusal('seasons.rehearse', target())).code;
    expect(await refused()).toBe('rehearsal_incomplete');
    const hold = await act(0);
    const booking = await act(1);
    const cancellation = await act(2);
    await report(reportOf(hold), reportOf(booking));
    expect(await refused()).toBe('rehearsal_incomplete');
    const elsewhere = { subId: 'whk_2', deliveryId: 'dlv_2' };
    await report(reportOf(cancellation, elsewhere));
    expect(await refused()).toBe('rehearsal_incomplete');
    await report(reportOf(cancellation));
    const { season, rehearsal } = await rehearse();
    const occurrenceIds = [hold, booking, cancellation].map(({ occurrenceId }) => occurrenceId);
    const kept = await outbox();
    expect(rehearsal).toEqual({
      holdOperationId: 'sop_1',
      bookActionId: 'b-1',
      cancelActionId: 'c-1',
      subscriptionId: 'whk_1',
      occurrenceIds,
      payloadSha256: occurrenceIds.map((id) => kept.find((each) => each.occurrenceId === id)!.payloadSha256),
    });
    expect(season).toMatchObject({ revision: 3, rehearsedAt: shop.catalog.clock.time });
    expect(await rehearse()).toEqual({ season, rehearsal });
  });

  test('is one sale, not the steps of several', async () => {
    const hold = await act(0);
    const booking = await act(1);
    steps[2]!.data = { operationId: 'sop_2', bookActionId: 'b-2', cancelActionId: 'c-2' };
    const cancellation = await act(2);
    await report(...[hold, booking, cancellation].map((each) => reportOf(each)));
    expect((await shop.catalog.refusal('seasons.rehearse', target())).code).toBe('rehearsal_incomplete');
  });
});
