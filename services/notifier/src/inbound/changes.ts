/** Hears which of the catalog's answers are out of date. A broadcast that is missed costs at most the cache's time to live. */
import type { Changed } from '@parterre/shared/catalog-api';
import type { NatsConnection } from '@parterre/shared/nats';
import { subjects } from '@parterre/shared/subjects';
import { decode } from '@parterre/shared/wire';

export function hearChanges(nats: NatsConnection, drop: (changed: Changed) => void): void {
  nats.subscribe(subjects.changed, {
    callback: (error, message) => {
      if (!error) drop(decode<Changed>(message.data));
    },
  });
}
