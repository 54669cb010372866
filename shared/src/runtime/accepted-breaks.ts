/**
 * Breaks of streams that the operator has accepted (I9): the entry `break.<partition>.<sequence>` in the KV bucket
 * CLUSTER. The message there does not follow the message before it, and readers of the whole stream go on with it. The
 * entry holds the link of the message, so it says nothing about another message at the same sequence.
 */
import type { JetStreamManager } from '@nats-io/jetstream';
import { type Link, textOfLink } from '../protocol/journal/links.ts';
import { names } from '../protocol/subjects.ts';
import { isStreamMissing } from './stored-message.ts';

const bucketStream = `KV_${names.clusterBucket}`;

export function breakKey(partition: number, sequence: number): string {
  return `break.${partition}.${sequence}`;
}

/** `link`: of the message at the sequence. Throws when no leader answers. */
export async function isAcceptedBreak(
  manager: JetStreamManager,
  partition: number,
  { sequence, link }: { sequence: number; link: Link },
): Promise<boolean> {
  const subject = `$KV.${names.clusterBucket}.${breakKey(partition, sequence)}`;
  try {
    const entry = await manager.streams.getMessage(bucketStream, { last_by_subj: subject });
    return entry !== null && entry.string() === textOfLink(link);
  } catch (error) {
    // A bucket that is lost accepts nothing.
    if (isStreamMissing(error)) return false;
    throw error;
  }
}

/** Whether the operator has accepted any break of the partition's stream. Throws when no leader answers. */
export async function hasAcceptedBreak(manager: JetStreamManager, partition: number): Promise<boolean> {
  try {
    const filter = `$KV.${names.clusterBucket}.break.${partition}.*`;
    const { state } = await manager.streams.info(bucketStream, { subjects_filter: filter });
    return Object.keys(state.subjects ?? {}).length > 0;
  } catch (error) {
    if (isStreamMissing(error)) return false;
    throw error;
  }
}
