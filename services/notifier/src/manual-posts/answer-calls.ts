/**
 * Answers the calls of front doors: `notifier.<operation>` → decode → the operation → `Outcome`. Any notifier answers.
 */
import type { Outcome } from '@parterre/shared/protocol/errors';
import { refuse } from '@parterre/shared/protocol/errors';
import type { NotifierOperation } from '@parterre/shared/protocol/notifier-api';
import { names, subjects } from '@parterre/shared/protocol/subjects';
import { decode, encode } from '@parterre/shared/protocol/wire';
import type { NatsConnection } from '@parterre/shared/runtime/nats';
import { createManualOperations, type OperationPorts } from './operations.ts';

export type Calls = {
  /** Takes no more calls and resolves when those under way are answered. */
  stop(): Promise<void>;
};

export function answerCalls({ nats, ...ports }: OperationPorts & { nats: NatsConnection }): Calls {
  const { log } = ports;
  const operations = createManualOperations(ports);
  const underWay = new Set<Promise<void>>();
  const subscription = nats.subscribe(subjects.notifierAll, {
    queue: names.notifierQueue,
    callback(error, message) {
      if (error) return log.error({ err: error }, 'the subscription to calls failed');
      const answering = answer(message.subject.slice(subjects.notifier('').length), message.data)
        .then((outcome) => void message.respond(encode(outcome)))
        .catch((cause: unknown) => log.error({ err: cause }, 'a call could not be answered'))
        .finally(() => underWay.delete(answering));
      underWay.add(answering);
    },
  });

  async function answer(operation: string, data: Uint8Array): Promise<Outcome<unknown>> {
    if (!Object.hasOwn(operations, operation))
      return refuse('not_found', 'The notifier is older than the front door. Update every service to one version.');
    try {
      const perform = operations[operation as NotifierOperation] as (input: unknown) => Promise<Outcome<unknown>>;
      return await perform(decode(data));
    } catch (error) {
      log.error({ err: error, operation }, 'a call failed');
      return refuse('internal_error', 'The server has a fault. The fault is in the log of the notifier.');
    }
  }

  return {
    async stop() {
      if (!nats.isClosed()) await subscription.drain();
      await Promise.all(underWay);
    },
  };
}
