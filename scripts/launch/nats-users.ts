/**
 * The users of a NATS that the launcher runs, with the rights of deploy/nats-users.conf and a new password for each at
 * every start: another user of this machine reaches the port too, and could else write to the journal.
 */
import { randomBytes } from 'node:crypto';
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { root } from './root.ts';
import type { ServiceName } from './service-process.ts';

type User = ServiceName | 'operator';

export type NatsUsers = {
  /** Lines for nats.conf. They hold passwords. */
  config: string;
  /** The settings of a service that enters this NATS and no other. */
  environmentOf(service: ServiceName): NodeJS.ProcessEnv;
  /** The address with the credentials of the user who may do everything. */
  operatorUrl(url: string): string;
};

const users: User[] = ['operator', 'frontdoor', 'inventory-shard', 'catalog', 'notifier'];
const passwordBytes = 24;
/** The line that gets the variables. nats.conf of the launcher stands elsewhere, and has them itself. */
const passwordsInclude = /^include nats-passwords\.conf$/m;
const usersFile = join(root, 'deploy', 'nats-users.conf');

/** Credentials that the launcher's own environment may carry are for another NATS. */
const otherCredentials = Object.fromEntries(
  ['NATS_URL', 'NATS_PASSWORD', 'NATS_TOKEN', 'NATS_NKEY', 'NATS_CREDS']
    .flatMap((name) => [name, `${name}_FILE`])
    .concat('NATS_TLS_CA_FILE', 'NATS_TLS_CERT_FILE', 'NATS_TLS_KEY_FILE')
    .map((name) => [name, '']),
);

export function makeNatsUsers(): NatsUsers {
  const passwords = Object.fromEntries(users.map((user) => [user, newPassword()])) as Record<User, string>;
  const variables = users.map((user) => `${variableOf(user)}: ${JSON.stringify(passwords[user])}`);
  return {
    config: readFileSync(usersFile, 'utf8').replace(passwordsInclude, variables.join('\n')),
    environmentOf: (service) => ({ ...otherCredentials, NATS_USER: service, NATS_PASSWORD: passwords[service] }),
    operatorUrl: (url) => url.replace('://', `://operator:${passwords.operator}@`),
  };
}

/** Letters and digits alone, which need no escape in an address or in nats.conf. */
export function newPassword(): string {
  return randomBytes(passwordBytes).toString('hex');
}

function variableOf(user: User): string {
  return `PARTERRE_NATS_${user.toUpperCase().replaceAll('-', '_')}`;
}
