/**
 * Twenty receivers that hang and whose backlogs are full stop nobody else's deliveries: the whole notifier, a real
 * NATS.
 */

import { once } from 'node:events';
import { createServer, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import { jetstream, jetstreamManager } from '@nats-io/jetstream';
import type { AttemptReport } from '@parterre/shared/protocol/catalog/deliveries';
import type { SigningSub } from '@parterre/shared/protocol/catalog/webhooks';
import { done, refuse } from '@parterre/shared/protocol/errors';
import type { JournalRecord } from '@parterre/shared/protocol/records';
import { names, subjects } from '@parterre/shared/protocol/subjects';
import type { CatalogClient } from '@parterre/shared/runtime/catalog-client';
import { systemClock } from '@parterre/shared/runtime/clock';
import { connectNats, type NatsConnection } from '@parterre/shared/runtime/nats';
import { pino } from 'pino';
import { afterAll, beforeAll, expect, it, vi } from 'vitest';
import { type Notifier, startNotifier } from '../../../services/notifier/src/start.ts';
import { commitMessage } from '../../support/journal/stored-messages.ts';
import { event, plan } from '../../support/notifier/plan.ts';
import { startNats, type TestNats } from '../../support/servers/nats.ts';

const log = pino({ level: 'silent' });
const by = { source: 'server', actor: 'key_1' } as const;
const secrets = [{ secret: `whsec_${Buffer.alloc(32, 7).toString('base64')}`, until: null }];
const FULL = 20;
const GROUPS = 200;
const STREAM_BYTES = 16 * 1024 ** 2;
/** An event of another organisation, whose receiver is well. */
const other = { ...event, key: 'other', organisationId: 'org_other' };

let server: TestNats;
let nats: NatsConnection;
let receiver: Server;
let notifier: Notifier;
let hanging: SigningSub[];
let well: SigningSub;
const posted = new Set<string>();
const reports: AttemptReport[] = [];
/** The history answers no call. */
let historyAway = false;

const catalog: CatalogClient = async (operation, input) => {
  if (operation === 'deliveries.get') return refuse('not_found', 'Not kept here.');
  if (operation === 'deliveries.record') {
    if (historyAway) return refuse('catalog_unavailable', 'Away.', { retryable: true });
    reports.push(...(input as { reports: AttemptReport[] }).reports);
  }
  const asked = input as { eventKey?: string; organisationId?: string };
  if (operation === 'events.get') return done({ event: asked.eventKey === other.key ? other : event }) as never;
  return done({ subs: asked.organisationId === other.organisationId ? [well] : hanging }) as never;
};

beforeAll(async () => {
  server = await startNats({ sync: '2m' });
  nats = await connectNats({ url: server.url, name: 'test' }, log);
  receiver = createServer(async (request, response) => {
    request.resume();
    await once(request, 'end');
    if (request.url === '/hangs') return;
    posted.add(String(request.headers['webhook-id']));
    response.end();
  });
  receiver.listen(0, '127.0.0.1');
  await once(receiver, 'listening');
  const origin = `http://127.0.0.1:${(receiver.address() as AddressInfo).port}`;
  const subscribe = (id: string, path: string): SigningSub => {
    const own = { id, url: `${origin}/${path}`, events: ['seat.blocked'], createdAt: 0 };
    return { ...own, workspaceId: null, environment: null, secrets };
  };
  hanging = Array.from({ length: FULL }, (_, n) => subscribe(`whk_${n}`, 'hangs'));
  well = subscribe('whk_well', 'well');
}, 60_000);

afterAll(async () => {
  receiver?.closeAllConnections();
  receiver?.close();
  await notifier?.stop();
  await nats?.close();
  await server?.stop();
});

async function block(eventKey: string, reason: string): Promise<void> {
  const blocked: JournalRecord = { type: 'blocked', units: [0], releaseAt: null, reason, by };
  const { subject, data } = commitMessage(0, [{ eventKey, at: 5_000, plan: plan.hash, records: [blocked] }]);
  await jetstream(nats).publish(subject, data);
}

it('twenty full backlogs, and a history that is away, stop no delivery of another organisation', {
  timeout: 120_000,
}, async () => {
  const manager = await jetstreamManager(nats);
  await manager.streams.add({ name: names.journalStream(0), subjects: [subjects.journalOfPartition(0)] });
  historyAway = true;
  const ports = { nats, catalog, plans: async () => plan, clock: systemClock, jitter: () => 0, log };
  notifier = await startNotifier({
    ...ports,
    partitions: 1,
    loopbackOpen: true,
    queuesMb: (2 * STREAM_BYTES) / 1024 ** 2,
  });
  // Each group is 20 deliveries of 16 KiB: the backlogs are full long before the end.
  for (let n = 0; n < GROUPS; n++) {
    await block(event.key, `reason ${n}`.padEnd(16_000));
    await block(other.key, `other ${n}`);
  }
  let mostBytes = 0;
  const areFull = () => {
    // Backlogs drain again while their receivers hang.
    mostBytes = Math.max(mostBytes, notifier.measured.queues().backlogs.bytes);
    expect(posted.size).toBe(GROUPS);
    expect(notifier.measured.dropped().deployment).toBeGreaterThan((FULL * GROUPS) / 2);
    expect(mostBytes).toBeGreaterThan(STREAM_BYTES / 2);
  };
  await vi.waitFor(areFull, { timeout: 90_000, interval: 20 });
  expect((await manager.streams.info(names.backlogStream)).state.bytes).toBeLessThanOrEqual(STREAM_BYTES);
  historyAway = false;
  await vi.waitFor(
    () => {
      const rows = reports.filter(({ event: name }) => name === 'deliveries.dropped');
      expect(new Set(rows.map(({ subId }) => subId))).toEqual(new Set(hanging.map(({ id }) => id)));
    },
    { timeout: 30_000, interval: 50 },
  );
});
