/**
 * The NATS connection of a service. Reconnects for ever; pings short, so that a dead link is known within seconds.
 * nats.js keeps an unbounded outbound buffer while it is disconnected and throws it away on reconnect: whoever
 * publishes something that matters has a deadline of its own and treats silence as "unknown".
 */
import { connect, type Msg, type NatsConnection } from '@nats-io/transport-node';
import { Fault } from './errors.ts';
import { natsPayloadBytesMin } from './limits.ts';
import type { Logger } from './log.ts';

export type { NatsConnection };

const PING_INTERVAL_MS = 2_000;
const RECONNECT_WAIT_MS = 100;

export type NatsSettings = {
  /** One or more addresses, comma-separated. May carry credentials: never logged. */
  url: string;
  /** Seen in the server's monitoring, for example `inventory-shard-1`. */
  name: string;
};

/**
 * Connects, waiting for a server as long as it takes, and logs every loss and return of the connection. Throws a
 * `Fault` when the server takes only messages smaller than ours may be.
 */
export async function connectNats(settings: NatsSettings, log: Logger): Promise<NatsConnection> {
  const connection = await connect({
    servers: settings.url.split(','),
    name: settings.name,
    maxReconnectAttempts: -1,
    reconnectTimeWait: RECONNECT_WAIT_MS,
    pingInterval: PING_INTERVAL_MS,
    maxPingOut: 2,
    waitOnFirstConnect: true,
    ignoreAuthErrorAbort: true,
  });
  const room = connection.info?.max_payload ?? 0;
  if (room < natsPayloadBytesMin) {
    await connection.close();
    throw new Fault(`use this NATS server: its max_payload is ${room}, and must be ${natsPayloadBytesMin} or more`);
  }
  void logStatus(connection, log);
  return connection;
}

/**
 * A subscription's callback. What it throws ends the process, as a bug does anywhere else: thrown into the client it would
 * end the client's reading of the whole connection, without a word. Errors of the subscription itself are passed over.
 */
export function hearing(hear: (message: Msg) => void): (error: Error | null, message: Msg) => void {
  return (error, message) => {
    if (error) return;
    try {
      hear(message);
    } catch (cause) {
      queueMicrotask(() => {
        throw cause;
      });
    }
  };
}

async function logStatus(connection: NatsConnection, log: Logger): Promise<void> {
  for await (const status of connection.status()) {
    if (status.type === 'disconnect') log.warn('NATS connection lost');
    if (status.type === 'reconnect') log.info('NATS connection restored');
  }
}
