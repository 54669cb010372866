/** The fields of every answer about a season's structure and its desk: no more and no fewer than clients know. */
import { afterAll, beforeAll, expect, test } from 'vitest';
import { makeEvents } from '../groups/run.ts';
import { type Json, openShop, type Shop } from '../shop.ts';
import { sellSeason } from './sold-season.ts';

let shop: Shop;
beforeAll(async () => {
  shop = await openShop();
}, 120_000);
afterAll(() => shop?.stop());

const call = (method: string, path: string, body?: unknown) =>
  shop.call(method, path, { token: shop.token, ...(body === undefined ? {} : { body }) });
const at = '/v1/seasons';
const fieldsOf = (value: Json) => Object.keys(value).sort();
const words = (text: string) => text.split(' ').sort();

const seasonFields = words(
  'key name edition workspaceId mode environment chartId sourceChartKey sourceChartSha256 audience currency venue ' +
    'timezone revision structureState salesState occurrenceCount createdAt updatedAt activatedAt closedAt ' +
    'buyerRehearsalReady priceUnit',
);
const detailFields = [...seasonFields, 'plans'].sort();
const planFields = words(
  'key name publicationState publishedRevision activationId channelPolicy eventKeys sourcePerformanceGroups createdAt ' +
    'updatedAt publishedAt',
);
const stepFields = words('operationId kind phase terminal');

test('season, list, judgement, step and plan', async () => {
  const eventKeys = await makeEvents(shop, 2);
  const judged = await call('POST', `${at}/validate`, { eventKeys });
  expect([judged.status, judged.body]).toEqual([
    200,
    {
      valid: true,
      mode: 'test',
      eventKeys,
      occurrenceCount: 2,
      sourcePerformanceGroups: [],
      issues: [],
    },
  ]);
  const made = await call('POST', at, { name: 'Pass', edition: null, eventKeys });
  expect([made.status, fieldsOf(made.body), fieldsOf(made.body.season)]).toEqual([201, ['season'], detailFields]);
  const { key } = made.body.season;
  const list = await call('GET', `${at}?limit=1`);
  expect([fieldsOf(list.body), fieldsOf(list.body.seasons[0])]).toEqual([['seasons'], seasonFields]);
  const activated = await call('POST', `${at}/${key}/activate`, { expectedRevision: 1 });
  expect(fieldsOf(activated.body)).toEqual(['lifecycleOperation', 'season']);
  expect(fieldsOf(activated.body.lifecycleOperation)).toEqual(stepFields);
  const { operationId } = activated.body.lifecycleOperation;
  const polled = await call('GET', `${at}/${key}/lifecycle/${operationId}`);
  expect([polled.status, polled.body]).toEqual([200, activated.body]);
  expect(polled.headers.get('retry-after')).toBeNull();
  const planned = await call('POST', `${at}/${key}/plans`, { name: 'All' });
  expect([planned.status, fieldsOf(planned.body), fieldsOf(planned.body.plan)]).toEqual([201, ['plan'], planFields]);
  const step = { expectedRevision: activated.body.season.revision + 1 };
  const published = await call('POST', `${at}/${key}/plans/${planned.body.plan.key}/publish`, step);
  expect([published.status, fieldsOf(published.body)]).toEqual([200, ['lifecycleOperation', 'plan', 'season']]);
  expect(published.body.lifecycleOperation.kind).toBe('PLAN_PUBLICATION');
  const opened = await call('POST', `${at}/${key}/sales/open`, { expectedRevision: published.body.season.revision });
  expect([opened.status, fieldsOf(opened.body)]).toEqual([200, ['season']]);
  const supersede = `${at}/${key}/plans/${planned.body.plan.key}/supersede`;
  const early = await call('POST', supersede, { expectedRevision: opened.body.season.revision });
  expect([early.status, early.body.code]).toEqual([409, 'invalid_season_state']);
});

test('occurrences and amendments', async () => {
  const sold = await sellSeason(shop, 2);
  const { occurrences } = (await sold.get('/occurrences')).body;
  expect(fieldsOf(occurrences[0])).toEqual(words('eventKey position name startsAt venue timezone latestAmendment'));
  const body = { eventKey: sold.eventKeys[0], kind: 'replace', name: 'Tosca' };
  const { amendment } = (await sold.post('/amendments', body)).body;
  expect(fieldsOf(amendment)).toEqual(
    words(
      'amendmentId revision eventKey kind classification planActivationId occurrenceSetSha256 before after state ' +
        'contractOutcomes allocationOutcomes createdAt',
    ),
  );
  expect((await sold.get('/amendments')).body).toEqual({ amendments: [amendment], truncated: false });
  expect((await sold.get(`/amendments/${amendment.amendmentId}`)).body).toEqual({ amendment });
  const [{ latestAmendment }] = (await sold.get('/occurrences')).body.occurrences;
  expect(fieldsOf(latestAmendment)).toEqual(words('amendmentId kind classification'));
});

test('report, operations, look-ups, outbox, audit and export', async () => {
  const sold = await sellSeason(shop, 2);
  await (await sold.page()).hold('sop_d-1', ['A-9']);
  await sold.book('sop_d-1', 'book-1', 'order-d1');
  const { report } = (await sold.get('/reports')).body;
  expect(fieldsOf(report)).toEqual(
    words('seasonKey generatedAt inventory renewals operations allocations stuckOperations webhooks'),
  );
  expect(report.inventory).toEqual({ occurrenceCount: 2, bookings: 1, booked: 1, cancelled: 0 });
  expect(fieldsOf(report.allocations)).toEqual(words('total byState bySource'));
  expect(fieldsOf(report.webhooks)).toEqual(
    words('undelivered delivered deliveryDefinition attempts successfulAttempts failedAttempts lastEventName'),
  );
  const listed = (await sold.get('/operations')).body;
  expect([fieldsOf(listed), listed.truncated]).toEqual([words('operations truncated'), false]);
  expect(listed.operations).toEqual([
    {
      operationId: 'sop_d-1',
      kind: 'booking',
      state: 'booked',
      holdId: expect.stringMatching(/^hld_/),
      bookingRef: 'order-d1',
      allocations: sold.eventKeys.map(() => ({ eventId: expect.stringMatching(/^evt_/), state: 'booked' })),
    },
  ]);
  const nobody = await sold.get('/support-lookups?holderRef=nobody');
  expect([nobody.status, fieldsOf(nobody.body)]).toEqual([200, words('requestId lookup')]);
  const empty = { bookings: [], offers: [], contracts: [] };
  expect(nobody.body.lookup).toEqual({ bookingRef: null, holderRef: 'nobody', ...empty });
  expect((await sold.get('/support-lookups')).status).toBe(422);
  const { outbox, ...ofOutbox } = (await sold.get('/outbox')).body;
  expect(fieldsOf(ofOutbox)).toEqual(words('undelivered truncated'));
  expect(fieldsOf(outbox[0])).toEqual(
    words('occurrenceId eventName payloadSha256 payload createdAt deliveredAt replayedAt replayCount'),
  );
  const { audit, ...ofAudit } = (await sold.get('/audit')).body;
  expect(fieldsOf(ofAudit)).toEqual(words('requestId truncated'));
  expect(fieldsOf(audit[0])).toEqual(words('id action actorKind details at'));
  expect(Number.isInteger(audit[0].id)).toBe(true);
  const exported = (await sold.get('/export')).body;
  expect([fieldsOf(exported), exported.export.version]).toEqual([
    words('requestId export'),
    'season-support-export.v1',
  ]);
});

test('stale, unknown and foreign: the codes of the refusals', async () => {
  const sold = await sellSeason(shop, 2);
  const { revision } = (await sold.get()).body.season;
  for (const path of ['/close', '/sales/pause', '/archive']) {
    const stale = await sold.post(path, { expectedRevision: revision - 1 });
    expect([stale.status, stale.body]).toMatchObject([409, { code: 'conflict', reason: 'stale_revision', revision }]);
  }
  const live = await shop.call('GET', sold.path, { token: shop.own.live.secret });
  expect([live.status, live.body.code]).toEqual([403, 'mode_mismatch']);
  for (const path of ['/lifecycle/x', '/plans/x', '/amendments/x', '/holds/x', '/bookings/x']) {
    expect([path, (await sold.get(path)).status]).toEqual([path, 404]);
  }
  const deleted = await call('DELETE', sold.path);
  expect([deleted.status, deleted.body.code]).toEqual([409, 'invalid_season_state']);
});
