/** Creates missing journal streams, and checks what the NATS server promises for them. */
import {
  DiscardPolicy,
  JetStreamApiCodes,
  JetStreamApiError,
  type JetStreamManager,
  RetentionPolicy,
  StorageType,
} from '@nats-io/jetstream';
import { SettingFault } from '@parterre/shared/environment';
import type { Logger } from '@parterre/shared/log';
import type { NatsConnection } from '@parterre/shared/nats';
import { names, subjects } from '@parterre/shared/subjects';
import { streamsAtOnce } from './bounds.ts';
import { durabilityOf } from './durability.ts';

/** Throws a `SettingFault` when a journal with this many copies would not be safe on the server. */
export function warnOfDurability(nats: NatsConnection, replicas: number, log: Logger): void {
  const durability = durabilityOf(nats.info?.version ?? 'unknown', replicas);
  if ('refused' in durability) throw new SettingFault(durability.refused);
  for (const warning of durability.warnings) log.warn(warning);
}

/**
 * One stream for each partition. The server deletes nothing from it: no limits, no purge. A stream that exists with
 * fewer copies than JOURNAL_REPLICAS is logged and left unchanged: copying a journal is the operator's decision.
 */
export async function ensureJournalStreams(
  manager: JetStreamManager,
  partitions: number,
  replicas: number,
  log: Logger,
): Promise<void> {
  const short: string[] = [];
  const waiting = Array.from({ length: partitions }, (_, partition) => partition).values();
  const work = async () => {
    for (const partition of waiting) {
      if ((await ensureJournalStream(manager, partition, replicas)) < replicas) {
        short.push(names.journalStream(partition));
      }
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

/** Resolves with the number of the stream's copies. */
export async function ensureJournalStream(
  manager: JetStreamManager,
  partition: number,
  replicas: number,
): Promise<number> {
  const name = names.journalStream(partition);
  try {
    return (await manager.streams.info(name)).config.num_replicas;
  } catch (error) {
    const missing = error instanceof JetStreamApiError && error.code === JetStreamApiCodes.StreamNotFound;
    if (!missing) throw error;
    await manager.streams.add({
      name,
      subjects: [subjects.journalOfPartition(partition)],
      retention: RetentionPolicy.Limits,
      storage: StorageType.File,
      discard: DiscardPolicy.New,
      num_replicas: replicas,
      deny_delete: true,
      deny_purge: true,
    });
    return replicas;
  }
}
