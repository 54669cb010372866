/** Commands as they come from front doors: a batch a message, to the owner of the partition, for its events and its budgets. */
import type { Msg, NatsConnection } from '@nats-io/transport-node';
import type { Envelope } from '@parterre/shared/commands';
import type { Logger } from '@parterre/shared/log';
import { names, subjects } from '@parterre/shared/subjects';
import { decode } from '@parterre/shared/wire';
import type { Budgets } from './budgets.ts';
import type { Partition } from './partition.ts';

/**
 * Delivers what is sent to the partition, and to this tenure of it. Resolves when the servers know of it, with a function
 * that ends it once everything sent before has been delivered. Throws when the link is lost meanwhile: nothing is delivered.
 */
export async function deliverCommands(
  nats: NatsConnection,
  log: Logger,
  number: number,
  partition: Partition,
  budgets: Budgets,
): Promise<() => Promise<void>> {
  function callback(error: Error | null, message: Msg): void {
    if (error || !message.reply) {
      log.error({ err: error, partition: number }, 'a command batch was lost');
      return;
    }
    const replyTo = message.reply;
    // What is thrown from here would end the client's reading of the whole connection, without a word.
    try {
      for (const envelope of decode<Envelope[]>(message.data)) {
        if (budgets.take(envelope, replyTo, partition.state === 'serving')) continue;
        partition.submit({ envelope, replyTo });
      }
    } catch (cause) {
      log.error({ err: cause, partition: number }, 'a command batch could not be read, its commands get no answer');
    }
    partition.pump();
  }
  const subscriptions = [
    nats.subscribe(subjects.commands(number), { queue: names.shardQueue, callback }),
    nats.subscribe(subjects.commandsOfEpoch(number, partition.epoch), { callback }),
  ];
  try {
    await nats.flush();
  } catch (error) {
    // The link was lost: the client would make them again with the next one, for a tenure that never began.
    for (const subscription of subscriptions) subscription.unsubscribe();
    throw error;
  }
  return async () => {
    const open = subscriptions.filter((subscription) => !subscription.isClosed() && !subscription.isDraining());
    await Promise.all(open.map((subscription) => subscription.drain()));
  };
}
