/**
 * The rights of each service in NATS, by deploy/nats-users.conf, which compose.yaml and `npm start` both use. Parterre
 * sells a seat with them, and a credential of one service does nothing of another's.
 */

import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { jetstream, jetstreamManager } from '@nats-io/jetstream';
import type { NatsConnection } from '@nats-io/transport-node';
import { names, subjects } from '@parterre/shared/protocol/subjects';
import { createCatalogClient } from '@parterre/shared/runtime/catalog-client';
import { createLog } from '@parterre/shared/runtime/log';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { connectTo } from '../../support/servers/nats.ts';
import { type Parterre, startParterre } from '../../support/servers/server.ts';

let parterre: Parterre;
let operator: NatsConnection;
const open: NatsConnection[] = [];

beforeAll(async () => {
  parterre = await startParterre({ env: { NATS_URL: '', MONGODB_URL: '' } });
  operator = await connectTo(parterre.natsUrl);
}, 90_000);

afterAll(async () => {
  await Promise.all([operator, ...open].map((nats) => nats.close()));
  await parterre.stop();
});

/** A connection with the credentials of a service. */
async function enterAs(service: string): Promise<NatsConnection> {
  const config = readFileSync(join(parterre.dataDir, 'nats', 'nats.conf'), 'utf8');
  const variable = `PARTERRE_NATS_${service.toUpperCase().replaceAll('-', '_')}`;
  const password = new RegExp(`^${variable}: "(.+)"$`, 'm').exec(config)![1];
  const url = new URL(parterre.natsUrl);
  const address = `nats://${service}:${password}@${url.host}`;
  const nats = await connectTo(address, { inboxPrefix: `_INBOX.${service}` });
  open.push(nats);
  return nats;
}

/** The rights that NATS denied while `run` ran, as `publish journal.0.x`. */
async function deniedIn(nats: NatsConnection, run: () => void): Promise<string[]> {
  const denied: string[] = [];
  const statuses = nats.status();
  const reading = (async () => {
    for await (const status of statuses) {
      if (status.type !== 'error') continue;
      const { operation, subject } = status.error as unknown as { operation: string; subject: string };
      denied.push(`${operation} ${subject}`);
    }
  })();
  run();
  // The server answers in order: what it denied before comes before.
  await nats.flush();
  (statuses as unknown as { stop(): void }).stop();
  await reading;
  return denied;
}

const api = (operation: string): string => `$JS.API.${operation}`;
const journal = names.journalStream(0);

/** The number of messages in all journals. */
async function journaled(): Promise<number> {
  const manager = await jetstreamManager(operator);
  const streams = await manager.streams.list().next();
  return streams
    .filter(({ config }) => config.name.startsWith('JOURNAL-'))
    .reduce((sum, { state }) => sum + state.messages, 0);
}

test('Parterre sells a seat with these rights', async () => {
  const { url, demo } = parterre;
  const call = async (path: string, body: object) => {
    const headers = { Authorization: `Bearer ${demo.keys.secretTest}`, 'Content-Type': 'application/json' };
    const answer = await fetch(`${url}/v1/events/${demo.eventKey}/${path}`, {
      method: 'POST',
      headers,
      body: JSON.stringify(body),
    });
    return { status: answer.status, body: (await answer.json()) as Record<string, unknown> };
  };
  const before = await journaled();
  const held = await call('hold', { labels: ['A-1'] });
  expect(held.status).toBe(200);
  expect((await call('book', { holdId: held.body.holdId, bookingRef: 'order-1' })).status).toBe(200);
  expect(await journaled()).toBe(before + 2);
  expect(parterre.output()).not.toContain('NATS denies');
});

describe('a front door', () => {
  test('cannot append to a journal, not even by the hand of a stream or a consumer', async () => {
    const nats = await enterAs('frontdoor');
    const before = await journaled();
    const republished = { name: 'TRICK', subjects: ['presence.*'], republish: { src: '>', dest: 'journal.0.trick' } };
    const pushed = { stream_name: journal, config: { deliver_subject: 'journal.0.trick', ack_policy: 'none' } };
    const denied = await deniedIn(nats, () => {
      nats.publish(subjects.journal(0, parterre.demo.eventKey), 'a forged group');
      nats.publish(subjects.epoch(0), 'a forged epoch');
      nats.publish(api('STREAM.CREATE.TRICK'), JSON.stringify(republished));
      nats.publish(api(`CONSUMER.CREATE.${journal}`), JSON.stringify(pushed));
      nats.publish(api(`STREAM.UPDATE.${journal}`), '{}');
      nats.publish(api(`STREAM.DELETE.${journal}`));
      nats.publish(api(`STREAM.PURGE.${journal}`));
    });
    expect(denied).toEqual([
      `publish ${subjects.journal(0, parterre.demo.eventKey)}`,
      `publish ${subjects.epoch(0)}`,
      `publish ${api('STREAM.CREATE.TRICK')}`,
      ...['CONSUMER.CREATE', 'STREAM.UPDATE', 'STREAM.DELETE', 'STREAM.PURGE'].map(
        (operation) => `publish ${api(`${operation}.${journal}`)}`,
      ),
    ]);
    await expect(jetstream(nats).publish(subjects.journal(0, 'an-event'), 'x', { timeout: 500 })).rejects.toThrow();
    expect(await journaled()).toBe(before);
  });

  test('cannot change the layout or the deployment secret', async () => {
    const nats = await enterAs('frontdoor');
    const denied = await deniedIn(nats, () => {
      for (const key of ['layout', 'secret']) nats.publish(`$KV.${names.clusterBucket}.${key}`, 'another');
    });
    expect(denied).toHaveLength(2);
  });

  test('cannot read a journal, nor the owners’ answers to another', async () => {
    const nats = await enterAs('frontdoor');
    const denied = await deniedIn(nats, () => {
      for (const subject of ['journal.>', '_INBOX.>', '_INBOX.catalog.>', 'catalog.>', 'cmd.*', '>']) {
        nats.subscribe(subject, { callback: () => {} });
      }
      nats.publish(api(`STREAM.MSG.GET.${journal}`), '{"seq":1}');
      nats.publish(api('DIRECT.GET.OBJ_SNAPSHOTS'), '{"seq":1}');
    });
    expect(denied).toHaveLength(8);
  });

  test('cannot read the secrets of webhooks, nor take occurrences from the notifiers', async () => {
    const nats = await enterAs('frontdoor');
    const catalog = createCatalogClient(nats, createLog('test', 'silent'));
    const operations = ['webhooks.signing', 'webhooks.matching', 'seasons.take-due', 'seasons.settle-due'];
    const denied = await deniedIn(nats, () => {
      for (const operation of operations) nats.publish(subjects.catalog(operation), '');
      for (const operation of operations) nats.publish(subjects.oneCatalog('cat_1', operation), '');
    });
    expect(denied).toEqual([
      ...operations.map((operation) => `publish catalog.${operation}`),
      ...operations.map((operation) => `publish catalogs.cat_1.${operation}`),
    ]);
    // The catalog answers front doors otherwise.
    expect((await catalog('events.get', { eventKey: parterre.demo.eventKey })).ok).toBe(true);
  });
});

const forgedGroup = `publish ${subjects.journal(0, 'an-event')}`;
test.each([
  // The catalog goes on with operations over several events.
  ['catalog', 'append to a journal', [forgedGroup]],
  ['notifier', 'append to a journal or send a command', [forgedGroup, `publish ${subjects.commands(0)}`]],
])('a %s cannot %s', async (service, _, expected) => {
  const nats = await enterAs(service);
  const denied = await deniedIn(nats, () => {
    nats.publish(subjects.journal(0, 'an-event'), 'a forged group');
    nats.publish(subjects.commands(0), 'a forged command');
  });
  expect(denied).toEqual(expected);
});

test('a shard cannot read deliveries, the secrets of webhooks or another’s answers, nor delete a stream', async () => {
  const nats = await enterAs('inventory-shard');
  const denied = await deniedIn(nats, () => {
    nats.publish(subjects.catalog('webhooks.signing'), '');
    nats.publish(api(`STREAM.MSG.GET.${names.deliveryStream}`), '{"seq":1}');
    nats.publish(api(`CONSUMER.CREATE.${names.backlogStream}.reader`), '{}');
    nats.publish(api(`STREAM.DELETE.${journal}`));
    nats.subscribe('_INBOX.frontdoor.>', { callback: () => {} });
  });
  expect(denied).toHaveLength(5);
});

test('a catalog may answer services over another connection than that of the question', async () => {
  const nats = await enterAs('catalog');
  const denied = await deniedIn(nats, () => {
    for (const service of ['frontdoor', 'inventory-shard', 'notifier', 'unknown']) nats.publish(`_INBOX.${service}.x`);
  });
  expect(denied).toEqual(['publish _INBOX.unknown.x']);
});

test('nobody enters without a password', async () => {
  const { host } = new URL(parterre.natsUrl);
  await expect(connectTo(`nats://${host}`, { reconnect: false })).rejects.toThrow('Authorization Violation');
});
