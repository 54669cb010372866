/**
 * The NATS connection of a service. It reconnects for ever, and pings often, so that a dead link or a hung server is
 * noticed within two seconds. While disconnected, nats.js keeps an unbounded outbound buffer, which it discards on
 * reconnect: a publisher of anything important has a deadline of its own and treats silence as "unknown".
 */

import { setTimeout as pause } from 'node:timers/promises';
import {
  type ConnectionOptions,
  connect,
  createInbox,
  errors,
  type Msg,
  type MsgHdrs,
  type NatsConnection,
  type Server,
} from '@nats-io/transport-node';
import { Fault } from '../protocol/errors.ts';
import { layoutPatienceMs, natsPayloadBytesMin } from '../protocol/limits.ts';
import { SettingFault } from './environment.ts';
import type { Logger } from './log.ts';
import { type NatsAccess, type NatsAddresses, natsAddresses } from './nats-access.ts';

export type { MsgHdrs as MessageHeaders, NatsConnection };

/** A server that hangs is left in the third interval after its last answer: within 1.8 s. */
const PING_INTERVAL_MS = 600;
const PINGS_OUT_MAX = 2;
/** A hung server still takes connections in, and says nothing. */
const DIAL_MS_MAX = 2_000;
const RECONNECT_WAIT_MS = 100;
const FIRST_ANSWER_MS = 5_000;
/** So many connections in a row that the server breaks off after a client certificate are no accident. */
const RESETS_MAX = 5;
const DENIAL_LOG_MS = 1_000;

export type NatsSettings = Pick<NatsAccess, 'url'> &
  Partial<NatsAccess> & {
    /**
     * Shown in the server's monitoring. Answers come to `_INBOX.<name>.…`, so that a server can give each service the
     * right to hear its own answers alone.
     */
    name: string;
  };

/**
 * Connects, waits for a server without a time limit, and logs every loss and return of the connection. Throws a
 * `SettingFault` when a server refuses the credentials or has the wrong certificate, and a `Fault` when the server's
 * message limit is below the system's needs.
 */
export async function connectNats(settings: NatsSettings, log: Logger): Promise<NatsConnection> {
  const addresses = natsAddresses(settings.url);
  const authenticator = settings.authenticator ?? addresses.credentials;
  const access: ConnectionOptions = {
    name: settings.name,
    inboxPrefix: `_INBOX.${settings.name}`,
    ...(authenticator && { authenticator }),
    ...(settings.tls && { tls: settings.tls }),
  };
  await enter(addresses, access, log);
  const connection = await connect({
    ...access,
    servers: addresses.servers,
    maxReconnectAttempts: -1,
    reconnectTimeWait: RECONNECT_WAIT_MS,
    pingInterval: PING_INTERVAL_MS,
    maxPingOut: PINGS_OUT_MAX,
    timeout: DIAL_MS_MAX,
    reconnectToServer: leastRecent,
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
 * The server that was dialed least recently: never the one that has just been left, if there is another. By default the
 * client dials the left server first, and a hung server takes the connection in. Servers that the cluster names come
 * last: they may be the left server under another name.
 */
function leastRecent(servers: readonly Server[]): Server | null {
  const first = [...servers].sort(
    (one, other) => one.lastConnect - other.lastConnect || Number(one.gossiped) - Number(other.gossiped),
  );
  return first[0] ?? null;
}

/** A new subject for answers. The library's own function does not know the connection's prefix. */
export function newInbox(nats: NatsConnection): string {
  const { options } = nats as NatsConnection & { options?: ConnectionOptions };
  return createInbox(options?.inboxPrefix);
}

/**
 * Resolves when one server has let a first connection in. The connection that stays cannot tell a wrong password: it
 * tries for ever, since a running service must outlive a mistake of its servers.
 */
async function enter({ servers, hosts }: NatsAddresses, access: ConnectionOptions, log: Logger): Promise<void> {
  let patientUntil = performance.now() + layoutPatienceMs;
  for (let attempt = 0, resets = 0; ; attempt++) {
    const index = attempt % servers.length;
    try {
      const first = await connect({ ...access, servers: servers[index]!, reconnect: false, timeout: FIRST_ANSWER_MS });
      return await first.close();
    } catch (error) {
      resets = access.tls?.certFile && codeOf(error) === 'ECONNRESET' ? resets + 1 : 0;
      const refused = refusal(error, resets);
      if (refused) throw new SettingFault(`enter NATS at ${hosts[index]}: ${refused}`);
      if (performance.now() >= patientUntil) {
        patientUntil = performance.now() + layoutPatienceMs;
        log.warn({ problem: wordsOf(error) }, `still waiting for NATS at ${hosts.join(', ')}`);
      }
    }
    await pause(RECONNECT_WAIT_MS);
  }
}

/** Codes of Node and OpenSSL for a certificate that one of both sides does not accept. */
const CERTIFICATE_CODES =
  /^(ERR_SSL_|ERR_TLS_|ERR_OSSL_|CERT_|SELF_SIGNED|DEPTH_ZERO|UNABLE_TO_|INVALID_|HOSTNAME_MISMATCH)/;

/** Why it is no use to try again; null for a server that is not there, or not yet ready. */
function refusal(error: unknown, resets: number): string | null {
  if (error instanceof errors.AuthorizationError || error instanceof errors.UserAuthenticationExpiredError) {
    return /timeout/i.test(error.message) ? null : `the server refuses the credentials (${error.message})`;
  }
  const code = codeOf(error);
  // The server's alert may come without OpenSSL's words.
  const alert = /alert [a-z ]+/.exec(wordsOf(error))?.[0];
  if (alert) return `the server does not accept the client certificate (${alert})`;
  if (resets >= RESETS_MAX) return 'the server breaks every connection off. Does it accept the client certificate?';
  if (CERTIFICATE_CODES.test(code)) return `the certificates do not fit (${wordsOf(error)})`;
  return /not support 'tls'|not available on this server/.test(wordsOf(error)) ? 'the server has no TLS' : null;
}

function codeOf(error: unknown): string {
  const { code, cause } = error as { code?: string; cause?: { code?: string } };
  return code ?? cause?.code ?? '';
}

function wordsOf(error: unknown): string {
  return error instanceof Error ? error.message : String(error);
}

/**
 * Whether a request failed because nobody answered it: no process listens, the time is over, or the link to NATS is
 * gone. Every other cause is a bug, a missing permission, or an answer that cannot be read.
 */
export function isSilence(error: unknown): boolean {
  if (error instanceof errors.RequestError) return error.cause === undefined || error.isNoResponders();
  return (
    error instanceof errors.TimeoutError ||
    error instanceof errors.ClosedConnectionError ||
    error instanceof errors.DrainingConnectionError
  );
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
  let told = '';
  let deniedAt = -DENIAL_LOG_MS;
  for await (const status of connection.status()) {
    if (status.type === 'disconnect') log.warn('NATS connection lost');
    if (status.type === 'reconnect') {
      told = '';
      log.info('NATS connection restored');
    }
    if (status.type !== 'error') continue;
    if (status.error instanceof errors.PermissionViolationError) {
      // A missing right may be asked for thousands of times a second.
      if (performance.now() - deniedAt < DENIAL_LOG_MS) continue;
      deniedAt = performance.now();
      log.error(`NATS denies this service a right: ${status.error.message}`);
    } else if (refusal(status.error, 0) && status.error.message !== told) {
      told = status.error.message;
      log.error(`NATS refuses the credentials of this service, trying again: ${told}`);
    }
  }
}
