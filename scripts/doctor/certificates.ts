/**
 * The certificates of the servers that a deployment talks to. They are read, and not believed: an expired one is told.
 *
 * Failure at each await: no connection, no handshake or no certificate within `dialMs` → a fact with the problem.
 */
import { connect, type Socket } from 'node:net';
import { connect as connectTls, type TLSSocket } from 'node:tls';
import type { CertificateFact } from './rules/findings.ts';

const dialMs = 5_000;

/** `greets`: the server speaks first, and TLS begins behind its first line, as NATS does. */
export async function certificateOf(
  name: string,
  host: string,
  port: number,
  ca: string | undefined,
  greets = false,
): Promise<CertificateFact> {
  let socket: Socket | null = null;
  try {
    socket = await dial(host, port);
    if (greets) await firstLine(socket);
    const secure = await handshake(socket, host, ca);
    const { valid_to } = secure.getPeerCertificate();
    const expiresAt = Date.parse(valid_to);
    const isLate = secure.authorizationError?.toString().includes('EXPIRED');
    const problem =
      secure.authorized || isLate ? null : `its certificate is not believed (${secure.authorizationError})`;
    return { of: name, expiresAt: Number.isNaN(expiresAt) ? null : expiresAt, problem };
  } catch (error) {
    return { of: name, expiresAt: null, problem: (error as Error).message };
  } finally {
    socket?.destroy();
  }
}

function dial(host: string, port: number): Promise<Socket> {
  return new Promise((resolve, reject) => {
    const socket = connect({ host, port });
    socket.setTimeout(dialMs, () => socket.destroy(new Error('it does not answer')));
    socket.once('connect', () => resolve(socket));
    socket.once('error', reject);
  });
}

function firstLine(socket: Socket): Promise<void> {
  return new Promise((resolve, reject) => {
    socket.once('error', reject);
    socket.once('data', () => {
      // A paused socket hands its bytes to TLS.
      socket.pause();
      socket.removeAllListeners('data');
      resolve();
    });
  });
}

function handshake(socket: Socket, host: string, ca: string | undefined): Promise<TLSSocket> {
  return new Promise((resolve, reject) => {
    const secure = connectTls({ socket, servername: host, rejectUnauthorized: false, ...(ca && { ca }) });
    secure.once('secureConnect', () => resolve(secure));
    secure.once('error', reject);
    socket.once('close', () => reject(new Error('it breaks the handshake off')));
  });
}
