/**
 * The narrow port by which commands leave and replies come back, and its adapter: a direct link to the owner where one
 * is open (shard-links.ts), NATS everywhere else.
 */
import type { Subscription } from '@nats-io/transport-node';
import type { Beat } from '@parterre/shared/protocol/beat';
import { Fault } from '@parterre/shared/protocol/errors';
import { natsPayloadBytesMin } from '@parterre/shared/protocol/limits';
import { subjects } from '@parterre/shared/protocol/subjects';
import { decode } from '@parterre/shared/protocol/wire';
import { hearing, type NatsConnection, newInbox } from '@parterre/shared/runtime/nats';
import type { ShardLink } from './shard-link.ts';
import type { LinkHandlers, ShardLinks } from './shard-links.ts';

export type CommandBus = {
  /** The largest payload that `send` takes. */
  payloadBytesMax(): number;
  /** The direct link to the partition's owner of this epoch, for this turn. Null where none is open. */
  linkTo(partition: number, epoch: number | null): DirectLink | null;
  /**
   * Sends one batch over NATS to the partition's owner of this epoch, or, if `epoch` is null, to any shard that listens
   * for the partition. `onUndelivered` gets `batch` if no shard listens. Throws when the link is closed.
   */
  send(partition: number, epoch: number | null, batch: number, payload: Uint8Array): void;
  /** Tells the shards that perhaps no shard listens for the partition. */
  reportOrphan(partition: number): void;
  /** Called once, before the first `send`. */
  listen(handlers: CommandBusHandlers): void;
  /** The number of open direct links. */
  openLinks(): number;
  close(): void;
};

/** Takes batches of `encodeShaped`. */
export type DirectLink = Pick<ShardLink, 'send'>;

export type CommandBusHandlers = LinkHandlers & {
  /** The partition has an owner of this epoch. The same message comes again and again, and may be late. */
  onOwner(partition: number, epoch: number): void;
};

/** The status code of NATS' "no responders" message. */
const NO_RESPONDERS = 503;

/**
 * The replies to all batches of this front door come to one wildcard subscription, `<inbox>.<batch>`. The shards' beats
 * tell the owners of partitions. The next beat makes up for a missed beat.
 */
export function createCommandBus(nats: NatsConnection, links: ShardLinks | null = null): CommandBus {
  const inbox = newInbox(nats);
  const subscriptions: Subscription[] = [];
  function reportOrphan(partition: number): void {
    if (!nats.isClosed()) nats.publish(subjects.orphaned(partition));
  }

  return {
    payloadBytesMax: () => nats.info?.max_payload ?? natsPayloadBytesMin,
    linkTo: (partition, epoch) => (epoch === null ? null : (links?.to(partition, epoch) ?? null)),
    send(partition, epoch, batch, payload) {
      const subject = epoch === null ? subjects.commands(partition) : subjects.commandsOfEpoch(partition, epoch);
      nats.publish(subject, payload, { reply: `${inbox}.${batch}` });
    },
    reportOrphan,
    listen(handlers) {
      // The link of a killed shard closes at once. The shards look after it before a command finds nobody.
      const onDoubt = (partition: number): void => {
        reportOrphan(partition);
        handlers.onDoubt(partition);
      };
      links?.listen(inbox, { ...handlers, onDoubt });
      const answers = nats.subscribe(`${inbox}.*`, {
        callback: hearing(({ data, headers, subject }) => {
          if (data.length === 0 && headers?.code === NO_RESPONDERS) {
            handlers.onUndelivered(Number(subject.slice(inbox.length + 1)));
          } else {
            handlers.onReplies(data);
          }
        }),
      });
      const beats = nats.subscribe(subjects.allMembers, {
        callback(error, message) {
          if (error) return;
          // An exception in this callback would silently make the NATS client stop reading the connection.
          try {
            const beat = decode<Beat>(message.data);
            links?.hear(beat);
            for (const [partition, epoch] of beat.owns) handlers.onOwner(partition, epoch);
          } catch (cause) {
            handlers.onFault(new Fault(`read the beat on ${message.subject}`, cause));
          }
        },
      });
      subscriptions.push(answers, beats);
    },
    openLinks: () => links?.open ?? 0,
    close() {
      links?.close();
      for (const subscription of subscriptions) subscription.unsubscribe();
    },
  };
}
