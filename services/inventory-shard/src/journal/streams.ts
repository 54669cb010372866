/** The journal's streams, made where they are missing, and what the server they are on promises for them. */
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
import { streamsAtOnce } from '../rules/state/bounds.ts';
import { durabilityOf } from './durability.ts';

/** Throws a `SettingFault` where a journal with this many copies would not be safe. */
export function warnOfDurability(nats: NatsConnection, replicas: number, log: Logger): void {
  const durability = durabilityOf(nats.info?.version ?? 'unknown', replicas);
  if ('refused' in durability) throw new SettingFault(durability.refused);
  for (const warning of durability.warnings) log.warn(warning);
}

/**
 * One stream a partition, of which the server deletes nothing: no limits, no purge. A stream that stands already with
 * fewer copies than asked for is told of and left as it is: to copy a journal is the operator's decision.
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
      `\`nats stream edit <stream> --replicas ${replicas}\` makes them`,
  );
}

/** Resolves with the copies that the stream has. */
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
