/** Reads the group of an event at a place of the journal again. */
import { JetStreamApiError, type JetStreamManager } from '@nats-io/jetstream';
import { groupsOf, type PackedGroup } from '@parterre/shared/protocol/journal/messages';
import { names } from '@parterre/shared/protocol/subjects';
import type { JournalPlace } from './rules/occurrences.ts';

const NO_MESSAGE = 10037;

/** Null where the journal has no such group any more. Throws when the journal is away. */
export type StoredGroup = (place: JournalPlace, eventKey: string) => Promise<PackedGroup | null>;

export function createStoredGroup(manager: JetStreamManager): StoredGroup {
  return async ({ partition, sequence }, eventKey) => {
    try {
      const message = await manager.streams.getMessage(names.journalStream(partition), { seq: sequence });
      const groups = message ? groupsOf(message.subject, message.data) : [];
      return groups.find((group) => group.eventKey === eventKey) ?? null;
    } catch (error) {
      if (error instanceof JetStreamApiError && error.code === NO_MESSAGE) return null;
      throw error;
    }
  };
}
