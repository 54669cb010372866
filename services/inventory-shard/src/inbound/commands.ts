/** Commands as they come from front doors: a batch a message, to the owner of the partition. */
import type { NatsConnection, Subscription } from '@nats-io/transport-node';
import type { Envelope } from '@parterre/shared/commands';
import type { Logger } from '@parterre/shared/log';
import { names, subjects } from '@parterre/shared/subjects';
import { decode } from '@parterre/shared/wire';
import type { Partition } from '../partition.ts';

export function subscribeCommands(
  nats: NatsConnection,
  log: Logger,
  number: number,
  partition: Partition,
): Subscription {
  return nats.subscribe(subjects.commands(number), {
    queue: names.shardQueue,
    callback(error, message) {
      if (error || !message.reply) {
        log.error({ err: error, partition: number }, 'a command batch was lost');
        return;
      }
      for (const envelope of decode<Envelope[]>(message.data)) partition.submit({ envelope, replyTo: message.reply });
      partition.pump();
    },
  });
}
