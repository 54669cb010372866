/** The narrow port through which commands leave and answers come back, and its NATS adapter. */
import { createInbox } from '@nats-io/transport-node';
import type { NatsConnection } from '@parterre/shared/nats';
import { subjects } from '@parterre/shared/subjects';

export type CommandBus = {
  /** Sends one batch to the owner of a partition; `batch` comes back with `onUndelivered`. Throws when the link is closed. */
  send(partition: number, batch: number, payload: Uint8Array): void;
  /** Called once, before the first `send`. */
  listen(handlers: CommandBusHandlers): void;
  close(): void;
};

export type CommandBusHandlers = {
  /** Encoded `Reply[]`, of any batches. */
  onReplies(payload: Uint8Array): void;
  /** Nobody listens on the partition just now: the whole batch was not delivered. */
  onUndelivered(batch: number): void;
};

/** The status code of NATS' "no responders" message. */
const NO_RESPONDERS = 503;

/** Answers to all batches of this front door come to one wildcard subscription, `<inbox>.<batch>`. */
export function createNatsCommandBus(nats: NatsConnection): CommandBus {
  const inbox = createInbox();
  let unsubscribe = () => {};
  return {
    send(partition, batch, payload) {
      nats.publish(subjects.commands(partition), payload, { reply: `${inbox}.${batch}` });
    },
    listen(handlers) {
      const subscription = nats.subscribe(`${inbox}.*`, {
        callback(error, message) {
          if (error) return;
          if (message.data.length === 0 && message.headers?.code === NO_RESPONDERS) {
            handlers.onUndelivered(Number(message.subject.slice(inbox.length + 1)));
          } else {
            handlers.onReplies(message.data);
          }
        },
      });
      unsubscribe = () => subscription.unsubscribe();
    },
    close: () => unsubscribe(),
  };
}
