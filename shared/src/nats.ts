/**
 * The NATS connection of a service. It reconnects for ever, and pings often, so that a dead link is noticed within
 * seconds. While disconnected, nats.js keeps an unbounded outbound buffer, which it discards on reconnect: a publisher
 * of anything important has a deadline of its own and treats silence as "unknown".
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
  /** Shown in the server's monitoring, for example `inventory-shard-1`. */
  name: string;
};

/**
 * Connects, waits for a server without a time limit, and logs every loss and return of the connection. Throws a `Fault`
 * when the server's message limit is below the system's needs.
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
 * Wraps a subscription's callback. An exception in `hear` ends the process, as any bug does. Inside the client an
 * exception would silently end the reading of the whole connection. Errors of the subscription itself are ignored.
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
