/** Hears which of the catalog's answers are out of date. A missed broadcast costs at most the cache's time to live. */
import type { Changed } from '@parterre/shared/protocol/catalog-api';
import { subjects } from '@parterre/shared/protocol/subjects';
import { decode } from '@parterre/shared/protocol/wire';
import type { Logger } from '@parterre/shared/runtime/log';
import type { NatsConnection } from '@parterre/shared/runtime/nats';

export function dropOnChanges(nats: NatsConnection, drop: (changed: Changed) => void, log: Logger): void {
  nats.subscribe(subjects.changed, {
    callback(error, message) {
      // An error that escapes from here would silently end the client's reading of the whole connection.
      try {
        if (error) throw error;
        drop(decode<Changed>(message.data));
      } catch (cause) {
        log.warn({ err: cause }, 'a broadcast of a change could not be read');
      }
    },
  });
}
