/** Reads the group of an event at a place of the journal again. */
import type { JetStreamManager } from '@nats-io/jetstream';
import { groupsOf, type PackedGroup } from '@parterre/shared/protocol/journal/messages';
import type { JournalPlace } from '@parterre/shared/protocol/occurrences/occurrences';
import { names } from '@parterre/shared/protocol/subjects';
import { storedMessage } from '@parterre/shared/runtime/stored-message';

/** Null where the journal has no such group any more. Throws when the journal is away. */
export type StoredGroup = (place: JournalPlace, eventKey: string) => Promise<PackedGroup | null>;

export function createStoredGroup(manager: JetStreamManager): StoredGroup {
  return async ({ partition, sequence }, eventKey) => {
    const message = await storedMessage(manager, names.journalStream(partition), sequence);
    const groups = message ? groupsOf(message.subject, message.data) : [];
    return groups.find((group) => group.eventKey === eventKey) ?? null;
  };
}
