/** Makes a partition's stream where it is missing. What is journaled is never deleted by the server: no limits, no purge. */
import {
  DiscardPolicy,
  JetStreamApiCodes,
  JetStreamApiError,
  type JetStreamManager,
  RetentionPolicy,
  StorageType,
} from '@nats-io/jetstream';
import { names, subjects } from '@parterre/shared/subjects';

export async function ensureJournalStream(
  manager: JetStreamManager,
  partition: number,
  replicas: number,
): Promise<void> {
  const name = names.journalStream(partition);
  try {
    await manager.streams.info(name);
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
  }
}
