/**
 * Connections to receivers. Each is an undici client with one post at a time, so a failure of one connection concerns
 * one attempt. A connection is dialled for its first post. It then stays open for a while for the next post to its
 * origin.
 *
 *   dialling → busy ⇄ idle → dropped
 *
 * No post waits for a connection. The slots bound the busy connections. `idleConnectionsMax` bounds the idle ones; the
 * longest unused goes first (I8). A connection that ends while it is idle is forgotten at once. A connection that ends
 * while it is busy tells its post, which drops it.
 */
import { idleConnectionMs, idleConnectionsMax } from '@parterre/shared/protocol/webhook-limits';
import { Client, type Dispatcher } from 'undici';
import type { Dial } from './dial.ts';

const ANSWER_HEADERS_BYTES_MAX = 16_384;

export type Connection = {
  readonly origin: string;
  /** The connection has carried a post before. Its receiver may have closed it at this very moment. */
  readonly isKept: boolean;
  dispatch(options: Dispatcher.DispatchOptions, handler: Dispatcher.DispatchHandler): void;
  /** The post has its whole answer. The next post may take the connection. */
  giveBack(): void;
  /** Closes the connection in any state. */
  drop(): void;
};

export type Connections = {
  /** Gives an idle connection where there is one, unless `isFresh` asks for a new one. */
  take(origin: string, isFresh: boolean): Connection;
  close(): void;
};

export function createConnections(dial: Dial): Connections {
  const all = new Set<Connection>();
  /** The longest unused first. */
  const idle = new Set<Connection>();
  const idleByOrigin = new Map<string, Connection[]>();

  function rest(connection: Connection): void {
    idle.add(connection);
    const beside = idleByOrigin.get(connection.origin);
    if (beside) beside.push(connection);
    else idleByOrigin.set(connection.origin, [connection]);
    if (idle.size > idleConnectionsMax) idle.values().next().value!.drop();
  }

  /** The connection that was used last. The others then grow old and go. */
  function wake(origin: string): Connection | undefined {
    const beside = idleByOrigin.get(origin);
    const connection = beside?.pop();
    if (beside?.length === 0) idleByOrigin.delete(origin);
    if (connection) idle.delete(connection);
    return connection;
  }

  function forget(connection: Connection): void {
    all.delete(connection);
    if (!idle.delete(connection)) return;
    const others = idleByOrigin.get(connection.origin)!.filter((each) => each !== connection);
    if (others.length === 0) idleByOrigin.delete(connection.origin);
    else idleByOrigin.set(connection.origin, others);
  }

  function open(origin: string): Connection {
    let hangUp = () => {};
    let isKept = false;
    const client = new Client(origin, {
      connect: (to, done) => {
        isKept = false;
        hangUp = dial(to, done);
      },
      pipelining: 1,
      keepAliveTimeout: idleConnectionMs,
      // A receiver may ask for less time, not for more.
      keepAliveMaxTimeout: idleConnectionMs,
      maxHeaderSize: ANSWER_HEADERS_BYTES_MAX,
      // One deadline covers the whole post.
      headersTimeout: 0,
      bodyTimeout: 0,
    });
    const connection: Connection = {
      origin,
      get isKept() {
        return isKept;
      },
      dispatch: (options, handler) => void client.dispatch(options, handler),
      giveBack() {
        isKept = true;
        rest(connection);
      },
      drop() {
        forget(connection);
        client.destroy(null, () => {});
        hangUp();
      },
    };
    client.on('disconnect', () => {
      if (idle.has(connection)) connection.drop();
    });
    all.add(connection);
    return connection;
  }

  return {
    take: (origin, isFresh) => (isFresh ? undefined : wake(origin)) ?? open(origin),
    close() {
      for (const connection of all) connection.drop();
    },
  };
}
