/**
 * Opens a connection to a receiver. The address is checked here, and the socket gets exactly the checked list: no
 * second look-up can point elsewhere. A name with one refused address is refused whole. A literal address is checked
 * too, in the form that the URL parser gives it: dotted for the hexadecimal, octal and short forms of IPv4. A kept
 * connection needs no second check, since it still leads to the checked address.
 */
import { isIP, type LookupFunction, connect as openTcp, type Socket } from 'node:net';
import { connect as openTls } from 'node:tls';
import { isRefusedAddress } from '@parterre/shared/protocol/addresses';
import { tlsSessionsMax } from '@parterre/shared/protocol/webhook-limits';
import type { buildConnector } from 'undici';
import type { Resolve } from './resolve.ts';
import { NotPublic, Unresolved } from './rules/post-errors.ts';

/** Node's own 250 ms are shorter than a handshake across the world on a bad day. */
const ADDRESS_MS = 2_000;

/** Calls `done` once. The returned function gives up: it frees the socket, and `done` is not called any more. */
export type Dial = (to: buildConnector.Options, done: buildConnector.Callback) => () => void;

export type DialSettings = {
  /** Lets through loopback addresses. */
  loopbackOpen: boolean;
  resolve: Resolve;
  /** Trusted certificate authorities instead of Node's. */
  ca?: string;
};

export function createDial({ loopbackOpen, resolve, ca }: DialSettings): Dial {
  const sessions = createSessions();

  return (to, done) => {
    const host = to.hostname.replace(/^\[|\]$/g, '');
    let hangUp = () => {};
    const open = (addresses: string[]): void => {
      const isRefused = addresses.some((address) => isRefusedAddress(address, loopbackOpen));
      if (addresses.length === 0) done(new Unresolved(host), null);
      else if (isRefused) done(new NotPublic(host), null);
      else hangUp = connect(to, host, addresses, done);
    };
    if (isIP(host)) open([host]);
    else hangUp = resolve(host, open);
    return () => hangUp();
  };

  function connect(to: buildConnector.Options, host: string, checked: string[], done: buildConnector.Callback) {
    const where = { host, lookup: lookupOf(checked), autoSelectFamilyAttemptTimeout: ADDRESS_MS };
    const isSecure = to.protocol === 'https:';
    const port = Number(to.port || (isSecure ? 443 : 80));
    const socket = isSecure ? secure() : openTcp({ ...where, port });
    socket.setNoDelay(true);
    let isSettled = false;
    // A socket may report several errors at its end. An error without a listener ends the process.
    socket.on('error', (error) => {
      if (isSettled) return;
      isSettled = true;
      done(error, null);
    });
    socket.once(isSecure ? 'secureConnect' : 'connect', () => {
      isSettled = true;
      done(null, socket);
    });
    return () => {
      isSettled = true;
      socket.destroy();
    };

    function secure(): Socket {
      // The name without a final dot: certificates name hosts without it.
      const servername = isIP(host) ? '' : host.replace(/\.$/, '');
      const session = sessions.of(host, port);
      const known = { ...(session && { session }), ...(ca !== undefined && { ca }) };
      const tls = openTls({ ...where, ...known, port, servername, ALPNProtocols: ['http/1.1'] });
      return tls.on('session', (ticket) => sessions.keep(host, port, ticket));
    }
  }
}

/** Gives the checked addresses, in both shapes that sockets ask for. */
function lookupOf(checked: string[]): LookupFunction {
  const addresses = checked.map((address) => ({ address, family: isIP(address) }));
  return (_host, options, done) => {
    if (options.all) done(null, addresses);
    else done(null, addresses[0]!.address, addresses[0]!.family);
  };
}

/** TLS sessions for resumption, which spares both sides most of a handshake. Past the bound the oldest goes. */
function createSessions() {
  const sessions = new Map<string, Buffer>();
  return {
    of: (host: string, port: number) => sessions.get(`${host}:${port}`),
    keep(host: string, port: number, session: Buffer) {
      const key = `${host}:${port}`;
      sessions.delete(key);
      sessions.set(key, session);
      if (sessions.size > tlsSessionsMax) sessions.delete(sessions.keys().next().value!);
    },
  };
}
