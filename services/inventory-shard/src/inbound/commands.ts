/** Commands as they come from front doors: a batch a message, to the owner of the partition, for its events and its budgets. */
import type { NatsConnection, Subscription } from '@nats-io/transport-node';
import type { Envelope } from '@parterre/shared/commands';
import type { Logger } from '@parterre/shared/log';
import { names, subjects } from '@parterre/shared/subjects';
import { decode } from '@parterre/shared/wire';
import type { Budgets } from '../budgets.ts';
import type { Partition } from '../partition.ts';

export function subscribeCommands(
  nats: NatsConnection,
  log: Logger,
  number: number,
  partition: Partition,
  budgets: Budgets,
): Subscription {
  return nats.subscribe(subjects.commands(number), {
    queue: names.shardQueue,
    callback(error, message) {
      if (error || !message.reply) {
        log.error({ err: error, partition: number }, 'a command batch was lost');
        return;
      }
      const replyTo = message.reply;
      for (const envelope of decode<Envelope[]>(message.data)) {
        if (budgets.take(envelope, replyTo, partition.state === 'serving')) continue;
        partition.submit({ envelope, replyTo });
      }
      partition.pump();
    },
  });
}
