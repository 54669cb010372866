/**
 * The operator's calls, with the root token. The token stays in the memory of this page: it is in no storage, address,
 * cookie or log, and a reload forgets it. A refused token (401) is forgotten too.
 */
import type { Clock } from '../../src/sale/clock.ts';
import { createServer, type Server } from '../server/calls.ts';

/** Its paths stand under `/v1/admin`. */
export function rootServer(token: string, clock: Clock, onRefused: () => void): Server {
  const session = {
    bearer: () => token,
    csrfToken: () => '',
    onSignedOut: async () => {
      onRefused();
      return false;
    },
  };
  const { now, origin, get, news, send, upload } = createServer(clock, session, () => null);
  const under = (path: string): string => `admin/${path}`;
  return {
    now,
    origin,
    get: (path, signal) => get(under(path), signal),
    news: (path, known, signal) => news(under(path), known, signal),
    send: (method, path, sent) => send(method, under(path), sent),
    upload: (path, file) => upload(under(path), file),
  };
}
