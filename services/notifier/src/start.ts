/**
 * Puts the notifier together on one connection and starts it in order: a partition's journal is read only once the
 * queue stands, and the queue takes its replicas from the first journal that exists. Everything waits for a server or
 * a stream that is not there yet, as long as it takes.
 */
import { jetstream, jetstreamManager } from '@nats-io/jetstream';
import type { CatalogClient } from '@parterre/shared/catalog-client';
import { type Clock, pause } from '@parterre/shared/clock';
import { drainDeadlineMs, journalPaceMs } from '@parterre/shared/limits';
import type { Logger } from '@parterre/shared/log';
import type { NatsConnection } from '@parterre/shared/nats';
import type { PlanSource } from '@parterre/shared/plans';
import { createPace } from '@parterre/shared/read-batch';
import { createDeliver } from './deliver.ts';
import { answerCalls } from './inbound/calls.ts';
import { hearChanges } from './inbound/changes.ts';
import { type Deliveries, startDeliveries } from './inbound/deliveries.ts';
import { readJournal, waitForJournal } from './inbound/journal.ts';
import type { Pull } from './inbound/pull.ts';
import { createBodies } from './outbound/bodies.ts';
import { createDirectory } from './outbound/directory.ts';
import { createRecorder } from './outbound/history.ts';
import { createPoster } from './outbound/post.ts';
import { createPut, ensureQueue } from './outbound/queue.ts';
import { createResolve } from './outbound/resolve.ts';

const RETRY_PAUSE_MS = 1_000;
/** The share of the drain that attempts under way get to end by themselves. */
const DRAIN_SHARE = 0.8;

export type NotifierPorts = {
  nats: NatsConnection;
  catalog: CatalogClient;
  plans: PlanSource;
  clock: Clock;
  /** 0 to 1, drawn anew for each retry. */
  jitter: () => number;
  log: Logger;
  partitions: number;
  loopbackOpen: boolean;
  /** DNS servers that know receivers' names; those of this machine where there are none. */
  nameServers?: string[] | null;
};

export type Notifier = {
  /** Takes no more work and gives attempts under way most of `drainDeadlineMs`; what is left another notifier takes up. */
  stop(): Promise<void>;
  /** True while the NATS server can be reached. */
  connected(): boolean;
};

export async function startNotifier(ports: NotifierPorts): Promise<Notifier> {
  const { nats, catalog, plans, clock, jitter, log, loopbackOpen } = ports;
  const client = jetstream(nats);
  const manager = await jetstreamManager(nats, { checkAPI: false });
  const directory = createDirectory(catalog, clock);
  const poster = createPoster({ clock, loopbackOpen, resolve: createResolve(clock, ports.nameServers ?? null) });
  const recorder = createRecorder(catalog, clock, log);
  const put = createPut(client);
  const deliver = createDeliver({ directory, plans, put, post: poster.post, clock, jitter, log });
  const pace = createPace(clock, journalPaceMs);
  const journals: Pull[] = [];
  let deliveries: Deliveries | null = null;
  let queueOpened: Promise<void> | null = null;
  let stopping = false;

  async function openQueue(replicas: number): Promise<void> {
    await persist('open the queue of deliveries', () => ensureQueue(manager, replicas));
    if (!stopping) deliveries = startDeliveries({ jetstream: client, attempt: deliver.attempt, put, clock, log });
  }

  async function openPartition(partition: number): Promise<void> {
    const replicas = await waitForJournal({ manager, clock }, partition, () => stopping);
    if (replicas === null) return;
    queueOpened ??= openQueue(replicas);
    await queueOpened;
    await persist(`read the journal of partition ${partition}`, async () => {
      const ports = { manager, jetstream: client, hear: deliver.hear, pace, clock, log };
      journals.push(await readJournal(ports, partition));
    });
  }

  /** Tries until it works or the notifier stops. */
  async function persist(what: string, run: () => Promise<void>): Promise<void> {
    while (!stopping) {
      try {
        return await run();
      } catch (error) {
        log.warn({ err: error }, `could not ${what}, will try again`);
        await pause(clock, RETRY_PAUSE_MS);
      }
    }
  }

  hearChanges(nats, directory.drop, log);
  const bodyOf = createBodies({ manager, directory, plans });
  const calls = answerCalls({ nats, catalog, post: poster.post, bodyOf, record: recorder.record, clock, log });
  const connected = watchConnection(nats);
  const opened = Promise.all(Array.from({ length: ports.partitions }, (_, partition) => openPartition(partition)));

  return {
    connected,
    async stop() {
      stopping = true;
      const stopped = opened.then(() => Promise.all([calls, ...journals, deliveries].map((part) => part?.stop())));
      await Promise.race([stopped, pause(clock, drainDeadlineMs * DRAIN_SHARE)]);
      await recorder.stop();
      poster.close();
    },
  };
}

function watchConnection(nats: NatsConnection): () => boolean {
  let lost = false;
  void (async () => {
    for await (const status of nats.status()) {
      if (status.type === 'disconnect') lost = true;
      if (status.type === 'reconnect') lost = false;
    }
  })();
  return () => !lost && !nats.isClosed();
}
