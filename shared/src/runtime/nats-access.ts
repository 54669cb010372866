/**
 * How a service gets into NATS, from its environment: addresses, credentials and certificates. Every secret may stand
 * in a file. The file is read again for each connection, so a changed password or an extended creds file is used from
 * the next reconnect on. A file that cannot be read then leaves the last good credentials in use.
 */

import { isIP } from 'node:net';
import {
  type Authenticator,
  credsAuthenticator,
  nkeyAuthenticator,
  type TlsOptions,
  tokenAuthenticator,
  usernamePasswordAuthenticator,
} from '@nats-io/transport-node';
import { checkReadable, type SecretSource, SettingFault, secretOf, secretSource } from './environment.ts';

export type NatsAccess = {
  /** One or more addresses, comma-separated. May carry credentials: never logged. */
  url: string;
  /** Null: only the credentials of `url`, if any. */
  authenticator: Authenticator | null;
  /** Null leaves TLS to the server. Otherwise a server without TLS is refused. */
  tls: TlsOptions | null;
};

const URL_DEFAULT = 'nats://127.0.0.1:4222';

/** Throws a `SettingFault` that names the variable at fault, never a secret. */
export function readNatsAccess(environment: NodeJS.ProcessEnv): NatsAccess {
  const url = secretOf(environment, 'NATS_URL') ?? URL_DEFAULT;
  const addresses = natsAddresses(url);
  const authenticator = authenticatorOf(environment);
  if (authenticator && addresses.credentials) {
    throw new SettingFault('read NATS_URL: it carries credentials, and so does another NATS_ variable');
  }
  const tls = tlsOf(environment, /(^|,)\s*tls:\/\//i.test(url));
  // The client library checks the certificate of a server without a host name against the name "localhost".
  if (tls && addresses.hosts.some((host) => isIP(host) !== 0)) {
    throw new SettingFault('read NATS_URL: with TLS each address needs a host name, which the certificate must have');
  }
  return { url, authenticator, tls };
}

export type NatsAddresses = {
  /** Without credentials. */
  servers: string[];
  hosts: string[];
  /** Of the first address with any. */
  credentials: Authenticator | null;
};

/**
 * Takes `nats://user:password@host:port` and `nats://token@host:port` apart: the client library ignores credentials.
 */
export function natsAddresses(url: string): NatsAddresses {
  const read = url.split(',').map(addressOf);
  return {
    servers: read.map(({ server }) => server),
    hosts: read.map(({ host }) => host),
    credentials: read.find(({ credentials }) => credentials)?.credentials ?? null,
  };
}

function addressOf(address: string): { server: string; host: string; credentials: Authenticator | null } {
  const text = address.trim();
  const full = text.includes('://') ? text : `nats://${text}`;
  if (!URL.canParse(full)) throw new SettingFault('read NATS_URL: one of its addresses cannot be read');
  const { protocol, host, hostname, username, password } = new URL(full);
  const user = decodeURIComponent(username);
  const credentials = password
    ? usernamePasswordAuthenticator(user, decodeURIComponent(password))
    : user && tokenAuthenticator(user);
  return { server: `${protocol}//${host}`, host: hostname.replace(/^\[|\]$/g, ''), credentials: credentials || null };
}

function authenticatorOf(environment: NodeJS.ProcessEnv): Authenticator | null {
  const user = environment.NATS_USER || null;
  const password = secretSource(environment, 'NATS_PASSWORD');
  if ((user === null) !== (password === null)) {
    throw new SettingFault('read NATS_USER: NATS_USER and NATS_PASSWORD belong together, and one of them is not set');
  }
  const made = [
    password && current('NATS_PASSWORD', password, (secret) => usernamePasswordAuthenticator(user!, secret)),
    authenticatorFrom(environment, 'NATS_TOKEN', tokenAuthenticator),
    authenticatorFrom(environment, 'NATS_NKEY', (seed) => nkeyAuthenticator(new TextEncoder().encode(seed))),
    // The library looks for the line feed that ends the file.
    authenticatorFrom(environment, 'NATS_CREDS', (creds) => credsAuthenticator(new TextEncoder().encode(`${creds}\n`))),
  ].filter((authenticator) => authenticator !== null);
  if (made.length > 1) {
    throw new SettingFault('read NATS_USER: only one of NATS_USER, NATS_TOKEN, NATS_NKEY and NATS_CREDS may be set');
  }
  return made[0] ?? null;
}

type Make = (secret: string) => Authenticator;

function authenticatorFrom(environment: NodeJS.ProcessEnv, name: string, make: Make): Authenticator | null {
  const source = secretSource(environment, name);
  return source && current(name, source, make);
}

/** Reads the source for each connection. Throws a `SettingFault` when the first secret has the wrong form. */
function current(name: string, source: SecretSource, make: Make): Authenticator {
  let last = make(source.read());
  try {
    last('a nonce');
  } catch {
    // The cause may quote the secret.
    throw new SettingFault(`read ${name}: its form is wrong`);
  }
  return (nonce) => {
    try {
      const next = make(source.read());
      const auth = next(nonce);
      last = next;
      return auth;
    } catch {
      // The file is gone or half written. An exception here would close the connection for ever.
      return last(nonce);
    }
  };
}

/** The library reads the files again for each connection. */
function tlsOf(environment: NodeJS.ProcessEnv, asked: boolean): TlsOptions | null {
  const { NATS_TLS_CA_FILE: caFile, NATS_TLS_CERT_FILE: certFile, NATS_TLS_KEY_FILE: keyFile } = environment;
  if (!certFile !== !keyFile) {
    throw new SettingFault('read NATS_TLS_CERT_FILE: a certificate and NATS_TLS_KEY_FILE belong together');
  }
  if (caFile) checkReadable(caFile, 'NATS_TLS_CA_FILE');
  if (certFile) checkReadable(certFile, 'NATS_TLS_CERT_FILE');
  if (keyFile) checkReadable(keyFile, 'NATS_TLS_KEY_FILE');
  if (!asked && !caFile && !certFile) return null;
  return { ...(caFile && { caFile }), ...(certFile && { certFile }), ...(keyFile && { keyFile }) };
}
