/**
 * Follows the catalog's announcements and the operator's questions on NATS, and drops the changed entries from the
 * caches. A front door misses announcements while its link to NATS is gone. When the link is back, all caches start
 * empty, and feeds are checked (I7). The same happens when it notices that it missed announcements in another way
 * (runtime/announcements.ts).
 */
import type { Changed } from '@parterre/shared/protocol/catalog-api';
import { Fault } from '@parterre/shared/protocol/errors';
import type { RefusalsAsked } from '@parterre/shared/protocol/refused-requests';
import { subjects } from '@parterre/shared/protocol/subjects';
import { decode, encode } from '@parterre/shared/protocol/wire';
import { followAnnouncements } from '@parterre/shared/runtime/announcements';
import type { Logger } from '@parterre/shared/runtime/log';
import { type NatsConnection, newInbox } from '@parterre/shared/runtime/nats';
import type { AccessLog } from './access-log/access-log.ts';
import type { Ports } from './api/calls/ports.ts';
import type { DoorFigures, FiguresAsked, FiguresTold } from './control-room/control-room.ts';

const linked = new WeakMap<NatsConnection, boolean>();

/** False while the link to NATS is gone. */
export function isLinked(nats: NatsConnection): boolean {
  return linked.get(nats) ?? true;
}

/**
 * Calls `hear` for every message on the subject, and `onFault` for an unreadable message. The returned function ends
 * the subscription.
 */
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

/** Answers the question of `npx parterre why` about a refused request. Every front door answers it. */
export function answerWhy(nats: NatsConnection, accessLog: AccessLog, log: Logger): void {
  nats.subscribe(subjects.refusals, {
    callback(error, message) {
      try {
        // A NATS without this right (deploy/nats-users.conf) leaves the question unanswered.
        if (error) throw error;
        const { requestId } = decode<RefusalsAsked>(message.data);
        message.respond(encode(accessLog.find(requestId)));
      } catch (cause) {
        log.warn({ err: cause }, 'the question for a refused request could not be answered');
      }
    },
  });
}

/**
 * Answers the questions of other front doors' control rooms. Returns the function that asks all front doors: `hear`
 * gets their answers, this front door's own too.
 */
export function tellFigures(
  nats: NatsConnection,
  own: (asked: FiguresAsked) => DoorFigures,
  hear: (told: FiguresTold) => void,
  onFault: (error: unknown) => void,
): (asked: FiguresAsked) => void {
  const answers = newInbox(nats);
  listen(nats, answers, hear, onFault);
  nats.subscribe(subjects.doorFigures, {
    callback(error, message) {
      try {
        // A NATS without this right (deploy/nats-users.conf) leaves the question unanswered.
        if (error) throw error;
        const asked = decode<FiguresAsked>(message.data);
        message.respond(encode({ ...own(asked), eventKey: asked.eventKey }));
      } catch (cause) {
        onFault(new Fault('tell the figures of this front door', cause));
      }
    },
  });
  return (asked) => nats.publish(subjects.doorFigures, encode(asked), { reply: answers });
}

/**
 * Drops changed entries from the caches as soon as the catalog announces the change. So a revoked key stops working at
 * every front door within a second.
 */
export function followChanges(nats: NatsConnection, ports: Ports, log: Logger): void {
  followAnnouncements(nats, {
    onChanged: (changed) => onChanged(changed, ports),
    onMissed: () => forgetAll(ports),
    onBeat: (catalog, beat) => ports.readiness.hearCatalog(catalog, beat),
    onFault: (error) => log.error({ err: error }, 'an announced change could not be followed'),
  });
}

function onChanged(changed: Changed, ports: Ports): void {
  if (changed.kind === 'event') ports.events.drop(changed.eventKey);
  // Rare, and a cache of events is filled again by its readers.
  if (changed.kind === 'organisation') ports.events.clear();
  if (changed.kind === 'group') ports.groups.drop(changed.groupKey);
  if (changed.kind === 'season') ports.seasons.drop(changed.seasonKey);
  // The sessions of a disabled workspace end. They are announced one by one as well, which may take a while.
  if (changed.kind === 'workspace' || changed.kind === 'suspension') ports.principals.clear();
  if (changed.kind !== 'key') return;
  ports.principals.drop(changed.hash);
  ports.feeds.onKeyChanged(changed.hash).catch((fault) => ports.onFault(fault, ''));
}

/** After a reconnect all caches start empty, because announcements were missed while the link was gone. */
export async function followLink(nats: NatsConnection, ports: Ports): Promise<void> {
  for await (const status of nats.status()) {
    if (status.type === 'disconnect') linked.set(nats, false);
    if (status.type !== 'reconnect') continue;
    linked.set(nats, true);
    try {
      forgetAll(ports);
    } catch (error) {
      ports.onFault(error, '');
    }
  }
}

/** Announcements were missed: each kept answer may be older than its revocation. */
function forgetAll({ principals, events, groups, seasons, feeds }: Ports): void {
  principals.clear();
  events.clear();
  groups.clear();
  seasons.clear();
  feeds.resync();
}
