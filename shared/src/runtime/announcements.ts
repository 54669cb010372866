/**
 * What the catalogs announce: `changed` messages, which drop a changed thing from the caches of all services. A missed
 * announcement would let a revoked key go on, so each listener notices what it missed.
 *
 * A catalog numbers its announcements, and each of its beats names the number of the last one. A message and a beat of
 * one catalog come over one connection, in order. States of a catalog at a listener: unknown (0) → heard up to a
 * number. A number that jumps, or a beat above it, means that announcements were lost: on their way between servers of
 * NATS that were cut off from each other, or in a catalog whose connection broke. The listener then forgets everything
 * (`onMissed`). A listener whose own connection was gone does so as well.
 *
 * What is left: a listener that hears no catalog at all, while NATS hears both, misses announcements until it hears a
 * beat again. It cannot tell a catalog that hangs from one that is cut off. Caches end after `staleAnswerMsMax` at the
 * latest.
 *
 * Catalogs of an earlier release number nothing, and are believed as before.
 */
import { LRUCache } from 'lru-cache';
import type { CatalogBeat } from '../protocol/beat.ts';
import type { Changed } from '../protocol/catalog-api.ts';
import { catalogsHeardMax } from '../protocol/limits.ts';
import { subjects } from '../protocol/subjects.ts';
import { decode, encode } from '../protocol/wire.ts';
import type { NatsConnection } from './nats.ts';

type Numbered = { by?: string; nth?: number };

export class Announcer {
  readonly #nats: NatsConnection;
  readonly #id: string;
  #count = 0;

  constructor(nats: NatsConnection, id: string) {
    this.#nats = nats;
    this.#id = id;
  }

  announce(changed: Changed): void {
    // Counted first: an announcement that cannot be sent is a missed one.
    const numbered: Changed & Numbered = { ...changed, by: this.#id, nth: ++this.#count };
    this.#nats.publish(subjects.changed, encode(numbered));
  }

  /** The number of the last announcement, for the beats. */
  get count(): number {
    return this.#count;
  }
}

export type AnnouncementHandlers = {
  onChanged(changed: Changed): void;
  onMissed(): void;
  onBeat?(catalog: string, beat: CatalogBeat): void;
  /** The message cannot be read, or a handler has thrown. */
  onFault(error: unknown): void;
};

/** Calls the handlers until the connection closes. */
export function followAnnouncements(nats: NatsConnection, handlers: AnnouncementHandlers): void {
  const gaps = new AnnouncementGaps();
  const idAt = subjects.catalogBeat('').length;
  const hear = (subject: string, onMessage: (subject: string, data: Uint8Array) => void) =>
    nats.subscribe(subject, {
      // An exception in the callback would make the NATS client stop reading the connection.
      callback(error, message) {
        try {
          if (error) throw error;
          onMessage(message.subject, message.data);
        } catch (cause) {
          handlers.onFault(cause);
        }
      },
    });
  hear(subjects.changed, (_, data) => {
    const { by, nth, ...changed } = decode<Changed & Numbered>(data);
    if (by !== undefined && nth !== undefined && gaps.missedBefore(by, nth)) handlers.onMissed();
    handlers.onChanged(changed);
  });
  hear(subjects.allCatalogBeats, (subject, data) => {
    if (data.length === 0) return;
    const beat = decode<CatalogBeat>(data);
    const catalog = subject.slice(idAt);
    if (gaps.missedUpTo(catalog, beat.announced)) handlers.onMissed();
    handlers.onBeat?.(catalog, beat);
  });
}

/** The number of the last announcement of each catalog. */
export class AnnouncementGaps {
  readonly #heard = new LRUCache<string, number>({ max: catalogsHeardMax });

  /** Notes the announcement. True if others came before it that were not heard. */
  missedBefore(id: string, nth: number): boolean {
    const hasMissed = this.missedUpTo(id, nth - 1);
    this.missedUpTo(id, nth);
    return hasMissed;
  }

  /** True if one of the announcements up to `count` was not heard. From now on they count as heard. */
  missedUpTo(id: string, count: number): boolean {
    if (count <= (this.#heard.get(id) ?? 0)) return false;
    this.#heard.set(id, count);
    return true;
  }
}
