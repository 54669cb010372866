/**
 * Wires the notifier on one connection and starts it in order. A partition's journal is read only once the streams of
 * the queues exist. These streams take their number of replicas from the first journal that exists. The notifier waits
 * without end for a missing server or stream.
 */
import { type JetStreamManager, jetstream, jetstreamManager } from '@nats-io/jetstream';
import type { PlanSource } from '@parterre/shared/charts/plans/plans';
import { drainDeadlineMs } from '@parterre/shared/protocol/limits';
import {
  journalRestMs,
  journalUnsettledBytesMax,
  journalUnsettledMax,
  queuesMbDefault,
} from '@parterre/shared/protocol/webhook-limits';
import { followAnnouncements } from '@parterre/shared/runtime/announcements';
import type { CatalogClient } from '@parterre/shared/runtime/catalog-client';
import { type Clock, pause } from '@parterre/shared/runtime/clock';
import type { Logger } from '@parterre/shared/runtime/log';
import type { NatsConnection } from '@parterre/shared/runtime/nats';
import { createPace } from '@parterre/shared/runtime/pace';
import { whenReady } from '@parterre/shared/runtime/when-ready';
import { type CachedDirectory, createDirectory } from './catalog/directory.ts';
import { createRecorder } from './catalog/recorder.ts';
import { createBacklogs } from './deliveries/backlogs.ts';
import { createDeliver, type Deliver } from './deliveries/deliver.ts';
import { createDispatch } from './deliveries/dispatch.ts';
import { createLosses } from './deliveries/losses.ts';
import { ensureQueues } from './deliveries/queue-streams.ts';
import { createQueues, type Queues } from './deliveries/queues.ts';
import { readRecoveries } from './deliveries/recoveries.ts';
import { readRetryQueues } from './deliveries/retry-queues.ts';
import { createPoster } from './endpoints/post.ts';
import { createResolve } from './endpoints/resolve.ts';
import { awaitJournal } from './journal/await-journal.ts';
import { createFanOut, createIsUnheard } from './journal/fan-out.ts';
import { readJournal } from './journal/journal-reader.ts';
import { createProgressOf } from './journal/settled-journal.ts';
import { createPutPart, readWaitingParts } from './journal/waiting-parts.ts';
import { answerCalls } from './manual-posts/answer-calls.ts';
import type { Measured } from './metrics.ts';
import { createBodySource } from './occurrences/body-source.ts';
import { createStoredGroup } from './occurrences/stored-group.ts';
import { readOutbox } from './outbox/outbox-reader.ts';
import type { Reading } from './streams/keep-reading.ts';
import { createUnsettled } from './streams/unsettled.ts';

const RETRY_PAUSE_MS = 1_000;
/** The share of the drain in which attempts under way may end by themselves. */
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
  /** DNS servers that know receivers' names; null: this machine's servers. */
  nameServers?: string[] | null;
  /** The part of NATS's storage that waiting deliveries may take. */
  queuesMb?: number;
  /** The storage of all NATS servers together. [unknown] */
  natsStorageBytes?: number;
};

export type Notifier = {
  /** Takes no more work and gives attempts under way most of `drainDeadlineMs`. Another notifier takes up the rest. */
  stop(): Promise<void>;
  /** True while the NATS server can be reached. */
  connected(): boolean;
  /** The value of a metric, since the start or now. */
  measured: Omit<Measured, 'lag'>;
};

export async function startNotifier(ports: NotifierPorts): Promise<Notifier> {
  const { nats, catalog, plans, clock, jitter, log, loopbackOpen, natsStorageBytes = 0 } = ports;
  const manager = await jetstreamManager(nats, { checkAPI: false });
  const directory = createDirectory(catalog, clock);
  const poster = createPoster({ clock, loopbackOpen, resolve: createResolve(clock, ports.nameServers ?? null) });
  const recorder = createRecorder(catalog, clock, log);
  const queues = createQueues({ nats, jetstream: jetstream(nats), manager, clock, log, natsStorageBytes });
  const storedGroup = createStoredGroup(manager);
  const bodyOf = createBodySource({ storedGroup, directory, plans });
  const putPart = createPutPart(jetstream(nats));
  const { putRetry, putBacklog, hasBacklog } = queues;
  const { post } = poster;
  const { record } = recorder;
  const losses = createLosses({ record, clock, log });
  const deliver = createDeliver({ directory, catalog, bodyOf, putRetry, losses, record, post, clock, jitter, log });
  const fanOut = createFanOut({ directory, plans, clock, log });
  const isUnheard = createIsUnheard(directory.known);
  const backlogs = createBacklogs({
    queues,
    dispatchWaiting: (delivery) => dispatch.dispatchWaiting(delivery),
    clock,
    log,
  });
  const dispatch = createDispatch({ deliver, backlogs, putBacklog, hasBacklog, clock });
  const unsettled = createUnsettled(clock, { messages: journalUnsettledMax, bytes: journalUnsettledBytesMax });
  const pace = createPace(clock, journalRestMs);
  const settling = { fanOut, putPart, dispatch, unsettled, log };
  const readings: Reading[] = [];
  let queuesOpened: Promise<void> | null = null;
  let stopping = false;
  const isStopping = (): boolean => stopping;

  async function openQueues(replicas: number): Promise<void> {
    await persist('open the queues of deliveries', () => makeQueues(ports, { manager, queues, replicas }, isStopping));
    if (stopping) return;
    readings.push(readWaitingParts({ ...settling, nats, manager, storedGroup, clock }));
    readings.push(readRetryQueues({ ...ports, queues, dispatch }), readOutbox({ ...ports, directory, dispatch }));
    readings.push(readRecoveries({ ...ports, directory, queues, backlogs, progressOf: createProgressOf(manager) }));
    backlogs.start();
  }

  async function openPartition(partition: number): Promise<void> {
    const replicas = await awaitJournal({ manager, clock }, partition, isStopping);
    if (replicas === null) return;
    queuesOpened ??= openQueues(replicas);
    await queuesOpened;
    readings.push(readJournal({ ...settling, nats, manager, isUnheard, pace, clock }, partition));
  }

  /** Tries again until `run` succeeds or the notifier stops. */
  async function persist(what: string, run: () => Promise<void>): Promise<void> {
    while (!stopping) {
      try {
        return await run();
      } catch (error) {
        log.warn({ err: error }, `could not ${what}, trying again`);
        await pause(clock, RETRY_PAUSE_MS);
      }
    }
  }

  dropOnChanges(nats, directory, log);
  const calls = answerCalls({ nats, catalog, post, bodyOf, waiting: queues.waiting, record, clock, log });
  const connected = watchConnection(nats, directory.clear);
  const opened = Promise.all(Array.from({ length: ports.partitions }, (_, partition) => openPartition(partition)));

  /** Deliveries that wait for a slot go back first. Then attempts under way end. */
  async function finish(): Promise<void> {
    dispatch.stop();
    unsettled.stop();
    const stopped = [calls.stop(), backlogs.stop(), ...readings.map((reading) => reading.stop())];
    pace.hurry();
    await opened;
    await Promise.all([...stopped, ...readings.map((reading) => reading.stop())]);
    await unsettled.empty();
  }

  return {
    connected,
    measured: { ...measuredOf(queues, deliver), dropped: losses.totals, historyLost: recorder.lost },
    async stop() {
      stopping = true;
      await Promise.race([finish(), pause(clock, drainDeadlineMs * DRAIN_SHARE)]);
      dispatch.abandon();
      await losses.stop();
      await recorder.stop();
      poster.close();
    },
  };
}

/** The first put must know the bytes that wait. */
async function makeQueues(
  { clock, log, queuesMb = queuesMbDefault }: NotifierPorts,
  { manager, queues, replicas }: { manager: JetStreamManager; queues: Queues; replicas: number },
  isStopping: () => boolean,
): Promise<void> {
  await whenReady({ clock, log }, 'open the queues of deliveries', async () => {
    if (isStopping()) return;
    await ensureQueues({ manager, log }, replicas, queuesMb);
    await queues.count();
  });
}

function measuredOf({ amounts, storage }: Queues, { attempts }: Deliver) {
  return { queues: amounts, storage, attempts };
}

/** A lost connection may have lost broadcasts, so a reconnect drops all cached answers. */
function watchConnection(nats: NatsConnection, onReconnect: () => void): () => boolean {
  let lost = false;
  void (async () => {
    for await (const status of nats.status()) {
      if (status.type === 'disconnect') lost = true;
      if (status.type !== 'reconnect') continue;
      lost = false;
      onReconnect();
    }
  })();
  return () => !lost && !nats.isClosed();
}

function dropOnChanges(nats: NatsConnection, directory: CachedDirectory, log: Logger): void {
  followAnnouncements(nats, {
    onChanged: directory.drop,
    onMissed: directory.clear,
    onFault: (error) => log.warn({ err: error }, 'a broadcast of a change could not be read'),
  });
}
