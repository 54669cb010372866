/** Creates the journal streams of new partitions, and checks what the NATS server promises for them. */
import { DiscardPolicy, type JetStreamManager, RetentionPolicy, StorageType } from '@nats-io/jetstream';
import { lossCertainMs, retryPauseMs } from '@parterre/shared/protocol/limits';
import { names, subjects } from '@parterre/shared/protocol/subjects';
import { type Clock, pause } from '@parterre/shared/runtime/clock';
import type { placementOf } from '@parterre/shared/runtime/cluster-layout';
import { SettingFault } from '@parterre/shared/runtime/environment';
import type { Logger } from '@parterre/shared/runtime/log';
import type { NatsConnection } from '@parterre/shared/runtime/nats';
import { isAtLeast, knowsSyncInterval } from '@parterre/shared/runtime/nats-version';
import { isStreamMissing } from '@parterre/shared/runtime/stored-message';
import { whenReady } from '@parterre/shared/runtime/when-ready';
import { streamsAtOnce } from './bounds.ts';
import type { StreamIdentities } from './stream-identities.ts';

/** The servers of a partition's new stream, by JOURNAL_PLACEMENT_TAGS. */
type StreamPlacement = (partition: number) => ReturnType<typeof placementOf>;

const nowhere: StreamPlacement = () => ({});

/** Throws a `SettingFault` when a journal with this many copies would not be safe on the server. */
export function warnOfDurability(nats: NatsConnection, replicas: number, log: Logger): void {
  const durability = durabilityOf(nats.info?.version ?? 'unknown', replicas);
  if ('refused' in durability) throw new SettingFault(durability.refused);
  for (const warning of durability.warnings) log.warn(warning);
}

/**
 * One stream for each partition. The server deletes nothing from it: no limits, no purge. A stream that exists with
 * fewer copies than JOURNAL_REPLICAS is logged and left unchanged: copying a journal is the operator's decision. A
 * stream that the deployment knows is never made anew (I9): its owner halts the partition while the stream is missing.
 * Waits without a limit for streams that have no leader yet (when-ready.ts).
 */
export async function ensureJournalStreams(
  manager: JetStreamManager,
  partitions: number,
  replicas: number,
  { clock, log }: { clock: Clock; log: Logger },
  identities: Pick<StreamIdentities, 'of'>,
  placed: StreamPlacement = nowhere,
): Promise<void> {
  const short: string[] = [];
  const waiting = Array.from({ length: partitions }, (_, partition) => partition).values();
  const work = async () => {
    for (const partition of waiting) {
      const copies = await whenReady({ clock, log }, `make the stream ${names.journalStream(partition)}`, () =>
        ensureJournalStream(manager, partition, replicas, identities, placed),
      );
      if (copies > 0 && copies < replicas) short.push(names.journalStream(partition));
    }
  };
  await Promise.all(Array.from({ length: streamsAtOnce }, work));
  if (short.length === 0) return;
  log.warn(
    { streams: short },
    `${short.length} of ${partitions} journal streams have fewer copies than JOURNAL_REPLICAS=${replicas} asks for: ` +
      `\`nats stream edit <stream> --replicas ${replicas}\` adds the missing copies`,
  );
}

/**
 * Resolves with the number of the stream's copies: 0 for a stream that the deployment knows and NATS does not have, or
 * that another shard has made meanwhile.
 */
export async function ensureJournalStream(
  manager: JetStreamManager,
  partition: number,
  replicas: number,
  identities: Pick<StreamIdentities, 'of'> = { of: async () => null },
  placed: StreamPlacement = nowhere,
): Promise<number> {
  const name = names.journalStream(partition);
  try {
    return (await manager.streams.info(name)).config.num_replicas;
  } catch (error) {
    if (!isStreamMissing(error)) throw error;
    if ((await identities.of(partition)) !== null) return 0;
    await manager.streams.add({ ...journalConfig(partition, replicas), ...placed(partition) });
    return replicas;
  }
}

/**
 * The loss that an owner sees before it appends anything; null where NATS has the partition's stream and can read its
 * end. A loss is looked for again for `lossCertainMs`: a leader that was just elected may not know the stream yet. A
 * message whose bytes were damaged is answered like one that never was. Throws when NATS does not answer.
 */
export async function lossOfStream(
  manager: Pick<JetStreamManager, 'streams'>,
  clock: Clock,
  partition: number,
): Promise<string | null> {
  const certainAt = clock.elapsed() + lossCertainMs;
  for (;;) {
    const loss = await seenLossOf(manager, partition);
    if (loss === null || clock.elapsed() >= certainAt) return loss;
    await pause(clock, retryPauseMs);
  }
}

async function seenLossOf({ streams }: Pick<JetStreamManager, 'streams'>, partition: number): Promise<string | null> {
  const stream = names.journalStream(partition);
  const read = (query: { seq: number } | { last_by_subj: string }) => streams.getMessage(stream, query);
  try {
    const { state } = await streams.info(stream);
    if (state.messages === 0) return null;
    const ends = [read({ seq: state.last_seq }), read({ last_by_subj: subjects.epoch(partition) })];
    const [last, epoch] = await Promise.all(ends);
    if (!last) return `the last message of the stream (${state.last_seq}) cannot be read`;
    return epoch ? null : 'the last epoch record of the stream cannot be read';
  } catch (error) {
    if (isStreamMissing(error)) return 'the stream is missing';
    throw error;
  }
}

export async function hasJournalStream(manager: JetStreamManager, partition: number): Promise<boolean> {
  try {
    await manager.streams.info(names.journalStream(partition));
    return true;
  } catch (error) {
    if (isStreamMissing(error)) return false;
    throw error;
  }
}

/**
 * Makes the stream of a partition that has lost its own, at the word of the operator (I9). The first message comes
 * behind the sequence `behind`. NATS before 2.10 begins at 1 all the same, and the owner fills the stream up.
 */
export async function makeSuccessorStream(
  manager: JetStreamManager,
  partition: number,
  replicas: number,
  behind: number,
  placed: StreamPlacement = nowhere,
): Promise<void> {
  await manager.streams.add({ ...journalConfig(partition, replicas), ...placed(partition), first_seq: behind + 1 });
}

function journalConfig(partition: number, replicas: number) {
  return {
    name: names.journalStream(partition),
    subjects: [subjects.journalOfPartition(partition)],
    retention: RetentionPolicy.Limits,
    storage: StorageType.File,
    discard: DiscardPolicy.New,
    num_replicas: replicas,
    deny_delete: true,
    deny_purge: true,
  };
}

export type Durability = { refused: string } | { warnings: string[] };

const ASKED_FOR = '2.12.12, 2.14.3 or newer';

/**
 * Whether a journal may be kept on this NATS server, and what a crash can lose. `version` comes from the server,
 * `replicas` from JOURNAL_REPLICAS.
 */
export function durabilityOf(version: string, replicas: number): Durability {
  if (replicas > 1 && !isAtLeast(version, '2.11.0')) {
    return {
      refused:
        `keep ${replicas} copies of the journal on NATS ${version}: ` +
        `clustered servers before 2.11 may accept appends of two owners ` +
        'that expect the same sequence, and a seat could be sold twice. Set ' +
        `JOURNAL_REPLICAS=1, or use NATS ${ASKED_FOR}`,
    };
  }
  const warnings = [];
  if (!knowsSyncInterval(version)) {
    warnings.push(
      `NATS ${version} syncs its files every two minutes: appends acknowledged after the last sync are lost ` +
        `when the machine loses power. Use it for development only. ` +
        `Production needs NATS ${ASKED_FOR} with sync_interval: always`,
    );
  } else if (!isAskedFor(version)) {
    warnings.push(
      `NATS ${version} may lose acknowledged appends when a server crashes. Production needs NATS ${ASKED_FOR}`,
    );
  }
  if (replicas === 1) warnings.push('the journal has one copy: a lost disk loses every event on it (JOURNAL_REPLICAS)');
  return { warnings };
}

/** The fix is in 2.12.12 and in 2.14.3. No version of the 2.13 line has it. */
function isAskedFor(version: string): boolean {
  return isAtLeast(version, '2.14.3') || (isAtLeast(version, '2.12.12') && !isAtLeast(version, '2.13.0'));
}
