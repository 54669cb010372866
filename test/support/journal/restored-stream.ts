/** A journal stream whose storage lies: an older copy is put back, or messages of its middle are lost. */
import { type JetStreamManager, jetstream } from '@nats-io/jetstream';
import type { NatsConnection } from '@nats-io/transport-node';
import { names } from '@parterre/shared/protocol/subjects';
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
