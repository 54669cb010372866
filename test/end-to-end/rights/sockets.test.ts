/** No credential and no ticket opens a socket of an event that it does not own. */
import type { NatsConnection } from '@nats-io/transport-node';
import { createCatalogClient } from '@parterre/shared/runtime/catalog-client';
import { createLog } from '@parterre/shared/runtime/log';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { WebSocket } from 'ws';
import { endpoints } from '../../../services/frontdoor/src/api/api.ts';
import { connectTo } from '../../support/servers/nats.ts';
import { createWorld } from '../openapi/world.ts';
import { openShop, origin, type Shop } from '../shop.ts';
import { attackersOf, endedCredentials, kindsOf, rightCredential } from './attackers.ts';
import { type Headers, openTenants, type Tenant } from './tenants.ts';

const feed = endpoints.find(({ row }) => row.signature === 'GET /v1/events/{key}/feed')!.row;
const modes = ['test', 'live'] as const;

let shop: Shop;
let nats: NatsConnection;
let tenants: Tenant[];

beforeAll(async () => {
  shop = await openShop();
  nats = await connectTo(shop.server.natsUrl);
  tenants = await openTenants(shop);
}, 120_000);
afterAll(async () => {
  await nats?.close();
  await shop?.stop();
});

it.each(modes)('the feed of a %s event opens for the right credentials alone', async (mode) => {
  const victim = victimOf(mode);
  const key: string = await createWorld(victim.shop, mode).of('event');
  const sending = { path: { key } };
  const others = {
    catalog: createCatalogClient(nats, createLog('test', 'silent')),
    ended: await endedCredentials(victim),
  };
  const attackers = await attackersOf(tenants, victim, feed, sending, others);
  const address = `/v1/events/${key}/feed`;
  for (const { name, headers } of attackers) {
    expect([name, await knock(address, ['parterre.v1'], headers)]).toEqual([name, expect.toBeOneOf([401, 403, 404])]);
  }
  for (const kind of kindsOf(feed)) {
    const own = kind === 'dashboard' ? { Origin: shop.url } : {};
    const headers = { ...(await rightCredential(victim, kind, sending)), ...own };
    expect([kind, await knock(address, ['parterre.v1'], headers)]).toEqual([kind, 101]);
  }
});

it.each(modes)('a ticket opens the %s event that it was issued for, and no other event', async (mode) => {
  const victim = victimOf(mode);
  const key: string = await createWorld(victim.shop, mode).of('event');
  const ticketFor = async (tenant: Tenant, event: string): Promise<string[]> => {
    const path = `/pub/events/${event}/subscribe-tickets`;
    return (await shop.call('POST', path, { headers: tenant.credentials.publishable })).body.protocols;
  };
  const address = `/pub/events/${key}/subscribe`;
  for (const tenant of tenants) {
    const other: string = await createWorld(tenant.shop, tenant.mode).of('event');
    expect([tenant.name, await knock(address, await ticketFor(tenant, other), { Origin: origin })]).toEqual([
      tenant.name,
      404,
    ]);
  }
  const right = await ticketFor(victim, key);
  expect(await knock(address, right, { Origin: origin })).toBe(101);
  expect(await knock(address, right, { Origin: origin })).toBe(404);
});

function victimOf(mode: Tenant['mode']): Tenant {
  return tenants.find((tenant) => tenant.mode === mode)!;
}

/** Tries to open a socket. Returns the status: 101 if the socket opened. */
function knock(path: string, protocols: string[], headers: Headers): Promise<number> {
  return new Promise((resolve, reject) => {
    const socket = new WebSocket(shop.url.replace('http', 'ws') + path, protocols, { headers });
    socket.on('open', () => {
      socket.close();
      resolve(101);
    });
    socket.on('unexpected-response', (request, response) => {
      request.destroy();
      resolve(response.statusCode!);
    });
    socket.on('error', reject);
  });
}
