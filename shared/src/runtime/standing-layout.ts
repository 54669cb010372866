/**
 * The standing layout: one entry in the KV bucket CLUSTER. The first shard makes the entry. No service changes it,
 * except that a shard raises the form of the journal when the operator asks for it (inventory-shard,
 * cluster/raise-form.ts). Every service compares it with its own settings when it starts, and does not start when they
 * differ.
 *
 * Shards settle the layout: read it, and create it where it is absent. One of several concurrent creations succeeds;
 * the other shards, and a shard that lost its acknowledgement, read the standing entry. A failure at either await is
 * thrown: the process ends and is started again. Other services wait: they read again and again until the entry is
 * there, also after failures, and log a line now and then.
 *
 * A layout is made only where no journal stands (I9). Where streams stand and their layout is gone, events would be
 * looked for on wrong partitions, and their seats sold again. Such a start is refused, unless the operator names the
 * number of partitions, and it is the number of the streams. The new layout then takes the deployment's name from them.
 *
 * The leader of the bucket's stream answers all reads, so a new entry is never missed.
 */
import { type JetStreamManager, jetstream, jetstreamManager } from '@nats-io/jetstream';
import { type KV, Kvm } from '@nats-io/kv';
import { Fault } from '../protocol/errors.ts';
import { newId } from '../protocol/ids.ts';
import { deploymentOf } from '../protocol/journal/heads.ts';
import { headOf } from '../protocol/journal/messages.ts';
import { layoutLookMsMax, layoutPatienceMs, layoutPollMs } from '../protocol/limits.ts';
import { names, subjects } from '../protocol/subjects.ts';
import { type Clock, pause } from './clock.ts';
import {
  type AskedLayout,
  type ClusterLayout,
  firstLayout,
  type PlacementTags,
  placementOf,
  readLayout,
  whyRefused,
} from './cluster-layout.ts';
import { SettingFault } from './environment.ts';
import type { Logger } from './log.ts';
import type { NatsConnection } from './nats.ts';

const LAYOUT = 'layout';

/** The standing layout, made as asked when there was none. Throws a `SettingFault` when the standing layout differs. */
export async function settleLayout(
  nats: NatsConnection,
  asked: AskedLayout,
  replicas: number,
  tags: PlacementTags = {},
): Promise<ClusterLayout> {
  const options = { replicas, history: 1, allow_direct: false, ...placementOf(tags) };
  const bucket = await new Kvm(nats).create(names.clusterBucket, options);
  const manager = await jetstreamManager(nats, { checkAPI: false });
  // Streams are made behind a layout. So those that stood before the layout was looked for, and not found, have lost
  // it.
  const streams: string[] = [];
  for await (const name of manager.streams.names(subjects.allJournals)) streams.push(name);
  const standing = await read(bucket);
  if (standing) return accepted(standing, asked);
  const first = firstLayout(asked, await deploymentFor(manager, streams, asked));
  return accepted(await create(bucket, first), asked);
}

/** The name of a new deployment, or of the one whose journals stand here without a layout. */
async function deploymentFor(manager: JetStreamManager, streams: string[], asked: AskedLayout): Promise<string> {
  if (streams.length === 0) return newId('dep');
  if (asked.partitions !== streams.length) {
    throw new SettingFault(
      `start without a layout: ${streams.length} journal streams stand in NATS, and the KV bucket ` +
        `${names.clusterBucket} that tells their number is empty. Restore the bucket from a backup, or set ` +
        `JOURNAL_PARTITIONS=${streams.length} if no journal stream is missing`,
    );
  }
  for (let partition = 0; partition < streams.length; partition++) {
    const epoch = { last_by_subj: subjects.epoch(partition) };
    const message = await manager.streams.getMessage(names.journalStream(partition), epoch);
    const head = message && headOf(message.data);
    if (head && 'owner' in head) return deploymentOf(head.stream);
  }
  return newId('dep');
}

async function create(bucket: KV, layout: ClusterLayout): Promise<ClusterLayout> {
  try {
    await bucket.create(LAYOUT, JSON.stringify(layout));
    return layout;
  } catch (error) {
    const standing = await read(bucket);
    if (!standing) throw new Fault('keep the layout of the deployment', error);
    return standing;
  }
}

/**
 * Writes the standing layout with a higher form of the journal, and returns it. Throws when the entry cannot be
 * written, also because another shard writes it at the same time: then the process is started again.
 */
export async function raiseForm(nats: NatsConnection, form: number): Promise<ClusterLayout> {
  const bucket = await new Kvm(nats).open(names.clusterBucket);
  const entry = await bucket.get(LAYOUT);
  const standing = entry && readLayout(entry.string());
  if (!standing) throw new Fault(`raise the form of the journal to ${form}: there is no layout`);
  if (standing.form >= form) return standing;
  const raised = { ...standing, form };
  await bucket.update(LAYOUT, JSON.stringify(raised), entry.revision);
  return raised;
}

export type LayoutPorts = { nats: NatsConnection; clock: Clock; log: Logger };

/** The layout as it stands; null where there is none, and where NATS does not tell. Throws as `awaitLayout` does. */
export async function findLayout({ nats }: LayoutPorts, asked: AskedLayout): Promise<ClusterLayout | null> {
  const { found } = await lookOnce(() => lookFor(nats));
  return found && accepted(found, asked);
}

/** Waits for a layout without a time limit. Throws a `SettingFault` when the standing layout differs from `asked`. */
export async function awaitLayout({ nats, clock, log }: LayoutPorts, asked: AskedLayout): Promise<ClusterLayout> {
  const words = 'still waiting for the first inventory-shard: it says how many partitions there are';
  return accepted(await untilFound({ clock, log }, words, () => lookFor(nats)), asked);
}

/** A question that meets a bucket without a leader is lost. So each look is short, and another one follows. */
async function lookFor(nats: NatsConnection): Promise<ClusterLayout | null> {
  return read(await new Kvm(jetstream(nats, { timeout: layoutLookMsMax })).open(names.clusterBucket));
}

/**
 * Looks again and again, also after failures, and warns with `words` now and then. A `SettingFault` ends the search.
 */
export async function untilFound<T>(
  { clock, log }: Pick<LayoutPorts, 'clock' | 'log'>,
  words: string,
  look: () => Promise<T | null>,
): Promise<T> {
  let patientUntil = clock.elapsed() + layoutPatienceMs;
  for (;;) {
    const { found, problem } = await lookOnce(look);
    if (found !== null) return found;
    if (clock.elapsed() >= patientUntil) {
      patientUntil = clock.elapsed() + layoutPatienceMs;
      log.warn({ problem }, words);
    }
    await pause(clock, layoutPollMs);
  }
}

async function lookOnce<T>(look: () => Promise<T | null>): Promise<{ found: T | null; problem?: string }> {
  try {
    return { found: await look() };
  } catch (error) {
    if (error instanceof SettingFault) throw error;
    return { found: null, problem: (error as Error).message };
  }
}

async function read(bucket: KV): Promise<ClusterLayout | null> {
  const entry = await bucket.get(LAYOUT);
  if (entry?.operation !== 'PUT') return null;
  const layout = readLayout(entry.string());
  if (layout) return layout;
  throw new SettingFault(
    `read ${LAYOUT} in the KV bucket ${names.clusterBucket}: another version of Parterre made it, and this version ` +
      'cannot read its journals',
  );
}

function accepted(standing: ClusterLayout, asked: AskedLayout): ClusterLayout {
  const refused = whyRefused(standing, asked);
  if (refused !== null) throw new SettingFault(refused);
  return standing;
}
