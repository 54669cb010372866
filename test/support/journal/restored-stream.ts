/** A journal stream whose storage lies: an older copy is put back, or messages of its middle are lost. */
import { type JetStreamManager, jetstream } from '@nats-io/jetstream';
import type { NatsConnection } from '@nats-io/transport-node';
import type { CountedPart } from '@parterre/shared/protocol/catalog/history';
import { groupsOf } from '@parterre/shared/protocol/journal/messages';
import { names } from '@parterre/shared/protocol/subjects';
import type { CountedParts } from '../../../services/inventory-shard/src/journal/counted-evidence.ts';
import type { StoredMessage } from './stored-messages.ts';

export async function messagesOf(manager: JetStreamManager, partition: number): Promise<StoredMessage[]> {
  const stream = names.journalStream(partition);
  const { last_seq } = (await manager.streams.info(stream)).state;
  const messages: StoredMessage[] = [];
  for (let seq = 1; seq <= last_seq; seq++) {
    const { subject, data } = (await manager.streams.getMessage(stream, { seq }))!;
    messages.push({ seq, subject, data });
  }
  return messages;
}

/** The stream becomes these messages, from sequence 1 on. */
export async function putBack(
  nats: NatsConnection,
  manager: JetStreamManager,
  partition: number,
  messages: readonly StoredMessage[],
): Promise<void> {
  const stream = names.journalStream(partition);
  const { config } = await manager.streams.info(stream);
  await manager.streams.delete(stream);
  await manager.streams.add(config);
  for (const { subject, data } of messages) await jetstream(nats).publish(subject, data);
}

/** The parts of a journal, by event. */
export type CountedByEvent = Map<string, CountedPart[]>;

/** The knowledge of a catalog that has counted every message of the stream. */
export async function partsOf(manager: JetStreamManager, partition: number): Promise<CountedByEvent> {
  const counted: CountedByEvent = new Map();
  for (const { seq, subject, data } of await messagesOf(manager, partition)) {
    for (const { eventKey, data: part } of groupsOf(subject, data)) {
      counted.set(eventKey, [...(counted.get(eventKey) ?? []), { sequence: seq, data: part }]);
    }
  }
  return counted;
}

/** A catalog that has counted these parts. */
export function catalogOf(counted: () => CountedByEvent): CountedParts {
  return {
    last: async (eventKey) => counted().get(eventKey)?.at(-1) ?? null,
    all: async (eventKey) => counted().get(eventKey) ?? [],
  };
}
