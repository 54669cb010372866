/** Reads of single messages of a stream, through the stream's leader: a copy may answer a direct get with old data. */
import { JetStreamApiCodes, JetStreamApiError, type JetStreamManager, type StoredMsg } from '@nats-io/jetstream';

/** Null where the stream has no message at this sequence. Throws when no leader answers, and without the stream. */
export async function storedMessage(manager: JetStreamManager, stream: string, seq: number): Promise<StoredMsg | null> {
  try {
    return await manager.streams.getMessage(stream, { seq });
  } catch (error) {
    if (error instanceof JetStreamApiError && error.code === JetStreamApiCodes.NoMessageFound) return null;
    throw error;
  }
}

export function isStreamMissing(error: unknown): boolean {
  return error instanceof JetStreamApiError && error.code === JetStreamApiCodes.StreamNotFound;
}
