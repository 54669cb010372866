/**
 * Follows announcements on NATS. An announcement of the catalog drops entries of the caches. After a loss of the link
 * announcements may have been missed, so all caches start over, and feeds are checked (I7).
 */
import type { Changed } from '@parterre/shared/catalog-api';
import { Fault } from '@parterre/shared/errors';
import type { Logger } from '@parterre/shared/log';
import type { NatsConnection } from '@parterre/shared/nats';
import { subjects } from '@parterre/shared/subjects';
import { decode } from '@parterre/shared/wire';
import type { Ports } from './api/calls/calls.ts';

const linked = new WeakMap<NatsConnection, boolean>();

/** False while the link to NATS is gone. */
export function isLinked(nats: NatsConnection): boolean {
  return linked.get(nats) ?? true;
}

/** Calls `hear` for every message on the subject. The result ends it. An unreadable message is a fault. */
export function listen<T>(
  nats: NatsConnection,
  subject: string,
  hear: (message: T) => void,
  onFault: (error: unknown) => void,
): () => void {
  const subscription = nats.subscribe(subject, {
    callback(error, message) {
      try {
        if (error) throw error;
        hear(decode<T>(message.data));
      } catch (cause) {
        onFault(new Fault(`follow ${subject}`, cause));
      }
    },
  });
  return () => subscription.unsubscribe();
}

/**
 * Drops changed entries from the caches as soon as the catalog announces the change. A revoked key stops working
 * everywhere within a second.
 */
export function followChanges(nats: NatsConnection, ports: Ports, log: Logger): void {
  nats.subscribe(subjects.changed, {
    callback(error, message) {
      if (error) return log.error({ err: error }, 'cannot follow changes');
      const changed = readChanged(message.data, log);
      if (!changed) return;
      if (changed.kind === 'event') ports.events.drop(changed.eventKey);
      if (changed.kind !== 'key') return;
      ports.principals.drop(changed.hash);
      ports.feeds.onKeyChanged(changed.hash).catch((fault) => ports.onFault(fault, ''));
    },
  });
}

/**
 * Null for an unreadable message. An exception from a callback would end the client's reading of the whole connection.
 */
function readChanged(payload: Uint8Array, log: Logger): Changed | null {
  try {
    return decode<Changed>(payload);
  } catch (error) {
    log.error({ err: error }, 'an announced change could not be read');
    return null;
  }
}

/** Changes that were announced while the link was gone were not heard here. So all caches start over. */
export async function followLink(nats: NatsConnection, ports: Ports): Promise<void> {
  for await (const status of nats.status()) {
    if (status.type === 'disconnect') linked.set(nats, false);
    if (status.type !== 'reconnect') continue;
    linked.set(nats, true);
    ports.principals.clear();
    ports.events.clear();
    ports.feeds.resync();
  }
}
