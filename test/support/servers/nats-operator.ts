/**
 * Decentralised users of NATS: an operator signs an account, and the account signs a user. The tokens have the form of
 * NATS's JWT library, version 2.
 */
import { nkeys } from '@nats-io/transport-node';

type KeyPair = ReturnType<typeof nkeys.createUser>;

export type NatsOperator = {
  /** Lines for nats.conf, with which the server takes the users of this operator and no others. */
  config: string;
  /** The text of a creds file of a new user. `lifeMs` is from now. */
  creds(lifeMs?: number): string;
};

const encoder = new TextEncoder();
const unlimited = { subs: -1, data: -1, payload: -1 };
const accountLimits = {
  ...unlimited,
  conn: -1,
  leaf: -1,
  imports: -1,
  exports: -1,
  wildcards: true,
  mem_storage: -1,
  disk_storage: -1,
  streams: -1,
  consumer: -1,
};

export function createNatsOperator(): NatsOperator {
  const operator = nkeys.createOperator();
  const account = nkeys.createAccount();
  const system = nkeys.createAccount();
  const accountToken = (pair: KeyPair, limits: object): string =>
    token(operator, pair, 'account', { limits, default_permissions: { pub: {}, sub: {} } });
  return {
    config: [
      `operator: ${token(operator, operator, 'operator', {})}`,
      `system_account: ${system.getPublicKey()}`,
      'resolver: MEMORY',
      'resolver_preload: {',
      `  ${account.getPublicKey()}: ${accountToken(account, accountLimits)}`,
      `  ${system.getPublicKey()}: ${accountToken(system, { ...accountLimits, mem_storage: 0, disk_storage: 0 })}`,
      '}',
    ].join('\n'),
    creds(lifeMs) {
      const user = nkeys.createUser();
      const expires = lifeMs === undefined ? {} : { exp: Math.floor((Date.now() + lifeMs) / 1000) };
      const seed = new TextDecoder().decode(user.getSeed());
      return [
        '-----BEGIN NATS USER JWT-----',
        token(account, user, 'user', { pub: {}, sub: {}, ...unlimited }, expires),
        '------END NATS USER JWT------',
        '',
        '-----BEGIN USER NKEY SEED-----',
        seed,
        '------END USER NKEY SEED------',
        '',
      ].join('\n');
    },
  };
}

function token(signer: KeyPair, subject: KeyPair, type: string, claims: object, more: object = {}): string {
  const iss = signer.getPublicKey();
  const sub = subject.getPublicKey();
  const iat = Math.floor(Date.now() / 1000);
  const nats = { ...claims, type, version: 2 };
  const parts = [
    { typ: 'JWT', alg: 'ed25519-nkey' },
    { jti: sub, iat, iss, sub, name: type, nats, ...more },
  ];
  const text = parts.map((part) => base64Url(encoder.encode(JSON.stringify(part)))).join('.');
  return `${text}.${base64Url(signer.sign(encoder.encode(text)))}`;
}

function base64Url(bytes: Uint8Array): string {
  return Buffer.from(bytes).toString('base64url');
}
