/**
 * Refusals of consoles without a capability, and of chart changes that would drop channel seats: how a test provokes
 * each.
 */
import { exampleHall } from '../../../services/frontdoor/src/api/charts.ts';
import type { Operation, Received } from '../../support/openapi.ts';
import { type Json, origin, type Shop } from '../shop.ts';
import type { Circumstance } from './circumstances.ts';
import { send } from './send.ts';

/** One operation of each family of routes. */
const ofConsoles = [
  'GET /v1/events/{key}',
  'POST /v1/events/{key}/unblock-all',
  'GET /v1/events/{key}/log',
  'GET /v1/events/{key}/channels',
  'GET /v1/events/{key}/channels/{id}/access-links',
  'POST /v1/events/{key}/subscribe-tickets',
];

async function askWithout(shop: Shop, operation: Operation): Promise<Received> {
  const event = await shop.event();
  const capabilities = ['event:door:view'];
  const { token } = (await event.post('manage-sessions', { allowedOrigin: origin, capabilities })).body;
  const body = operation.method === 'GET' ? {} : { body: {} };
  const headers = { Authorization: `Bearer ${token}`, Origin: origin };
  return send(shop, operation, { path: { key: event.key, id: 'chn_0' }, ...body }, headers);
}

/** An event on its own chart whose channel has this seat. */
async function withPrivateSeat(shop: Shop, label: string) {
  const call = async (method: string, path: string, body: object = {}): Promise<Json> =>
    (await shop.call(method, path, { token: shop.token, ...(method !== 'GET' && { body }) })).body;
  const { meta } = await call('POST', '/v1/charts', { name: 'Hall', doc: exampleHall });
  const chart = `/v1/charts/${meta.id}`;
  await call('POST', `${chart}/publish`);
  const { key } = (await call('POST', '/v1/events', { chartId: meta.id })).meta;
  const { channel } = await call('POST', `/v1/events/${key}/channels`, { name: 'Club' });
  const { assignmentVersion } = await call('GET', `/v1/events/${key}/channels`);
  const assigned = { targetChannelId: channel.id, labels: [label], assignmentVersion };
  await call('POST', `/v1/events/${key}/channels/assignments`, assigned);
  return { key, chart, call };
}

export const consoleCircumstances: Circumstance[] = [
  ...ofConsoles.map((signature) => ({ signature, status: 403, code: 'capability_required', provoke: askWithout })),
  {
    signature: 'POST /v1/events/{key}/table-booking',
    status: 409,
    code: 'assignments_would_drop',
    async provoke(shop, setTables) {
      const { key } = await withPrivateSeat(shop, 'T1-1');
      return send(shop, setTables, { path: { key }, body: { tableIds: ['table-1'], mode: 'whole' } });
    },
  },
  {
    signature: 'POST /v1/events/{key}/update-chart',
    status: 409,
    code: 'assignments_would_drop',
    async provoke(shop, update) {
      const { key, chart, call } = await withPrivateSeat(shop, 'A-1');
      const [, ...objects] = exampleHall.objects;
      const { meta } = await call('GET', chart);
      await call('PUT', chart, { doc: { ...exampleHall, objects }, expectedUpdatedAt: meta.updatedAt });
      await call('POST', `${chart}/publish`);
      return send(shop, update, { path: { key } });
    },
  },
  {
    signature: 'POST /v1/events/{key}/update-chart',
    status: 409,
    code: 'seats_would_move',
    async provoke(shop, update) {
      const { key, chart, call } = await withPrivateSeat(shop, 'A-1');
      await call('POST', `/v1/events/${key}/block`, { labels: ['A-2'] });
      const [first, ...others] = exampleHall.objects;
      const { meta } = await call('GET', chart);
      const doc = { ...exampleHall, objects: [{ ...first, categoryKey: 'balcony' }, ...others] };
      await call('PUT', chart, { doc, expectedUpdatedAt: meta.updatedAt });
      await call('POST', `${chart}/publish`);
      return send(shop, update, { path: { key } });
    },
  },
];
