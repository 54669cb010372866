/**
 * Receives commands from front doors, a batch in each message, for the events and budgets of a partition: over NATS,
 * and over direct links.
 */
import type { Msg, NatsConnection } from '@nats-io/transport-node';
import type { Envelope } from '@parterre/shared/protocol/commands';
import { names, subjects } from '@parterre/shared/protocol/subjects';
import { decode } from '@parterre/shared/protocol/wire';
import type { Logger } from '@parterre/shared/runtime/log';
import type { Job } from './actor.ts';
import type { Budgets } from './budgets.ts';

/** The partition as the delivery sees it. `epoch` addresses this term of its owner. */
type Receiver = {
  readonly state: string;
  readonly epoch: number;
  submit(job: Omit<Job, 'receivedAt'>): void;
  pump(): void;
};

/** Batches that come over direct links to this term. The returned function ends their delivery. */
export type DirectDelivery = (partition: number, epoch: number, take: Take) => () => void;
/** Takes the encoded commands of one batch. */
export type Take = (payload: Uint8Array, replyTo: string) => void;

export type DeliveryPorts = { nats: NatsConnection; log: Logger; deliverDirectly?: DirectDelivery };

/**
 * Delivers the commands that are sent to the partition and to this term of its owner. Resolves when the NATS servers
 * know the subscriptions, with a function that ends the delivery after every message sent before it is delivered.
 * Throws when the link is lost meanwhile; then nothing is delivered.
 */
export async function deliverCommands(
  { nats, log, deliverDirectly }: DeliveryPorts,
  number: number,
  partition: Receiver,
  budgets: Budgets,
): Promise<() => Promise<void>> {
  /** Never throws: an exception would silently end the client's reading of the whole connection. */
  function take(payload: Uint8Array, replyTo: string): void {
    try {
      for (const envelope of decode<Envelope[]>(payload)) {
        if (budgets.take(envelope, replyTo, mayCount(partition))) continue;
        partition.submit({ envelope, replyTo });
      }
    } catch (cause) {
      log.error({ err: cause, partition: number }, 'a command batch could not be read, its commands get no answer');
    }
    partition.pump();
  }

  function callback(error: Error | null, message: Msg): void {
    if (error || !message.reply) log.error({ err: error, partition: number }, 'a command batch was lost');
    else take(message.data, message.reply);
  }
  const subscriptions = [
    nats.subscribe(subjects.commands(number), { queue: names.shardQueue, callback }),
    nats.subscribe(subjects.commandsOfEpoch(number, partition.epoch), { callback }),
  ];
  try {
    await nats.flush();
  } catch (error) {
    // The link was lost. The client would restore the subscriptions with the next link, for a term that never began.
    for (const subscription of subscriptions) subscription.unsubscribe();
    throw error;
  }
  const endDirect = deliverDirectly?.(number, partition.epoch, take);
  return async () => {
    endDirect?.();
    const open = subscriptions.filter((subscription) => !subscription.isClosed() && !subscription.isDraining());
    await Promise.all(open.map((subscription) => subscription.drain()));
  };
}

/** Budgets need no journal. A halted partition that counted none would stop the calls of other partitions' events. */
function mayCount({ state }: Receiver): boolean {
  return state === 'serving' || state === 'halted';
}
