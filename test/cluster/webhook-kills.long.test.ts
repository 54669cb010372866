/**
 * kill -9 of notifiers at any moment under load. Every occurrence of the journal reaches each subscription that wants
 * it, under one id, and no other subscription. Some receivers fail at times and one is slow, so that retries and
 * backlogs are under way when a notifier dies.
 */
import { randomInt } from 'node:crypto';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import type { EventRecord } from '@parterre/shared/catalog/events';
import type { Plan } from '@parterre/shared/chart/plan';
import { expect, test } from 'vitest';
import { occurrencesOf } from '../../services/notifier/src/occurrences/rules/occurrences.ts';
import { event as anEvent } from '../support/notifier/plan.ts';
import { type PlacedGroup, readGroups } from '../support/partition/journal-groups.ts';
import { startCluster } from '../support/servers/cluster.ts';
import { createEvents } from './load/aftermath.ts';
import { runClients } from './load/clients.ts';

const PARTITIONS = 4;
const KILLS = 4;
const SUCCESSES_BETWEEN_KILLS = 25;
const ARRIVAL_MS_MAX = 60_000;

type Receiver = { events: string[]; bodies: Map<string, Set<string>>; posts: number; url: string; close(): void };

/**
 * Fails every `failEvery`th post, each delivery at most once, since a third attempt comes after minutes. Answers each post
 * after `delayMs`.
 */
async function openReceiver(events: string[], { failEvery = 0, delayMs = 0 } = {}): Promise<Receiver> {
  const receiver: Receiver = { events, bodies: new Map(), posts: 0, url: '', close: () => void server.close() };
  const failed = new Set<string>();
  const server = createServer(async (request, response) => {
    let body = '';
    for await (const part of request.setEncoding('utf8')) body += part;
    receiver.posts += 1;
    const id = String(request.headers['webhook-id']);
    const fails = failEvery > 0 && receiver.posts % failEvery === 0 && !failed.has(id);
    if (fails) failed.add(id);
    else {
      receiver.bodies.set(id, (receiver.bodies.get(id) ?? new Set()).add(body));
    }
    setTimeout(() => response.writeHead(fails ? 500 : 204).end(), delayMs);
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  receiver.url = `http://127.0.0.1:${(server.address() as AddressInfo).port}/hook`;
  return receiver;
}

/** Every occurrence of the journal, with its id. */
function expected(groups: PlacedGroup[], plan: Plan) {
  return groups.flatMap(({ group, place, eventKey }) => {
    const event: EventRecord = { ...anEvent, key: eventKey, mode: 'test' };
    return occurrencesOf(group, place, event, plan).map(({ id, name }) => ({ id, name, eventKey }));
  });
}

test(`${KILLS} kills of notifiers under load lose no occurrence`, { timeout: 240_000 }, async () => {
  const cluster = await startCluster({
    env: {
      PARTERRE_NATS_SERVERS: '1',
      PARTERRE_CATALOGS: '1',
      PARTERRE_SHARDS: '1',
      PARTERRE_FRONTDOORS: '1',
      PARTERRE_NOTIFIERS: '2',
      JOURNAL_PARTITIONS: String(PARTITIONS),
      PARTERRE_BUDGETS: 'off',
      PARTERRE_NATS_SYNC: '2m',
    },
  });
  const receivers = await Promise.all([
    openReceiver(['seat.booked', 'seat.released', 'hold.created', 'hold.extended', 'hold.expired']),
    openReceiver(['seat.booked', 'hold.created'], { failEvery: 25 }),
    openReceiver(['seat.booked', 'seat.released'], { delayMs: 30 }),
    openReceiver(['seat.blocked']),
  ]);
  try {
    const access = { url: cluster.urls[0]!, token: cluster.demo.keys.secretTest };
    for (const { url, events } of receivers) await subscribe(access, url, events);
    const { plan, eventKeys } = await createEvents(access, cluster.demo.chartId, 2);
    const seats = plan.labels.all().slice(0, 40);
    const load = runClients({ urls: [access.url], token: access.token, eventKeys, seats, clients: 8, thinkMsMax: 40 });
    for (let kill = 0; kill < KILLS; kill++) {
      await load.moreSuccesses(SUCCESSES_BETWEEN_KILLS + randomInt(20), `before kill ${kill}`);
      const name = `notifier-${1 + (kill % 2)}`;
      await cluster.untilReady(name);
      cluster.kill(name);
    }
    await load.stop();
    await Promise.all(['notifier-1', 'notifier-2'].map((name) => cluster.untilReady(name)));
    await untilAllHeard(cluster.natsUrls.join(','), plan, receivers, new Set(eventKeys));
  } finally {
    for (const receiver of receivers) receiver.close();
    await cluster.stop();
  }
});

async function subscribe(access: { url: string; token: string }, url: string, events: string[]): Promise<void> {
  const response = await fetch(`${access.url}/v1/webhooks`, {
    method: 'POST',
    headers: { Authorization: `Bearer ${access.token}`, 'Content-Type': 'application/json' },
    body: JSON.stringify({ url, events }),
  });
  expect(response.status).toBe(201);
}

/** Reads the journal anew each time, since holds go on expiring. */
async function untilAllHeard(
  natsUrl: string,
  plan: Plan,
  receivers: Receiver[],
  eventKeys: Set<string>,
): Promise<void> {
  await expect
    .poll(
      async () => {
        const groups = await readGroups(natsUrl, PARTITIONS);
        const all = expected(groups, plan).filter(({ eventKey }) => eventKeys.has(eventKey));
        return receivers.flatMap(({ events, bodies }, index) =>
          all
            .filter(({ id, name }) => events.includes(name) && !bodies.has(id))
            .map(({ id, name }) => `receiver ${index} has not heard of ${name} ${id}`),
        );
      },
      { timeout: ARRIVAL_MS_MAX, interval: 500 },
    )
    .toEqual([]);
  const known = new Map(expected(await readGroups(natsUrl, PARTITIONS), plan).map(({ id, name }) => [id, name]));
  for (const { events, bodies } of receivers) {
    for (const [id, told] of bodies) {
      expect(events).toContain(known.get(id));
      expect(told.size, `${id} has one body`).toBe(1);
    }
  }
  expect(receivers[0]!.bodies.size).toBeGreaterThan((KILLS * SUCCESSES_BETWEEN_KILLS) / 4);
}
