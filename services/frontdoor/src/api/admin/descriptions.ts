import type { Description } from '../../openapi/description.ts';
import { standIn, standInPassword } from '../../openapi/stand-ins.ts';

const notThere = {
  summary: 'Of an organisation that is not there',
  path: { id: 'org_0' },
  answers: 'not_found',
} as const;

export const adminDescriptions = {
  'GET /v1/admin/organisations': {
    operationId: 'listOrganisations',
    tag: 'Operator',
    summary: 'The organisations, oldest first',
    examples: [{ summary: 'The first two', query: { limit: '2' } }],
  },
  'POST /v1/admin/organisations': {
    operationId: 'createOrganisation',
    tag: 'Operator',
    summary: 'Create an organisation',
    description: 'It comes with a default workspace. `credits` is its first balance, 0 where absent.',
    examples: [
      {
        summary: 'With a hundred credits',
        body: { name: 'Municipal theatre', currency: 'EUR', credits: 100 },
      },
      {
        summary: 'A currency that is none',
        body: { name: 'Municipal theatre', currency: 'euro' },
        answers: 'invalid_request',
      },
    ],
  },
  'GET /v1/admin/organisations/{id}': {
    operationId: 'getOrganisation',
    tag: 'Operator',
    summary: 'One organisation, with its balance of credits',
    refusals: ['not_found'],
    examples: [{ summary: 'One of them' }, notThere],
  },
  'GET /v1/admin/organisations/{id}/users': {
    operationId: 'listUsers',
    tag: 'Operator',
    summary: 'The users of an organisation, oldest first',
    refusals: ['not_found'],
    examples: [{ summary: 'All of them' }, notThere],
  },
  'POST /v1/admin/organisations/{id}/users': {
    operationId: 'createUser',
    tag: 'Operator',
    summary: 'Let somebody sign in to the dashboard',
    description:
      'The password has 10 to 200 characters and is kept as scrypt makes it; it is never shown. Whoever has lost one is removed ' +
      'and created again.',
    refusals: ['not_found', 'user_exists', 'overloaded'],
    examples: [
      {
        summary: 'A box office manager',
        body: { email: 'Manager@theatre.example', password: standInPassword, role: 'admin' },
      },
      {
        summary: 'An email that somebody has',
        body: { email: standIn.email, password: standInPassword, role: 'member' },
        answers: 'user_exists',
      },
      {
        summary: 'A short password',
        body: { email: 'manager@theatre.example', password: 'short', role: 'admin' },
        answers: 'invalid_request',
      },
      { ...notThere, body: { email: 'nobody@theatre.example', password: standInPassword, role: 'admin' } },
    ],
  },
  'DELETE /v1/admin/organisations/{id}/users/{userId}': {
    operationId: 'deleteUser',
    tag: 'Operator',
    summary: 'Remove a user',
    description: 'Ends the sessions of that user: every front door refuses them within one second.',
    refusals: ['not_found'],
    examples: [
      { summary: 'Remove one' },
      { summary: 'One that is not there', path: { userId: 'usr_0' }, answers: 'not_found' },
    ],
  },
  'GET /v1/admin/organisations/{id}/keys': {
    operationId: 'listKeys',
    tag: 'Operator',
    summary: 'The keys of an organisation, oldest first',
    description: 'Without the keys themselves, which nobody has any more. The revoked ones too, with the time.',
    refusals: ['not_found'],
    examples: [{ summary: 'All of them' }, notThere],
  },
  'POST /v1/admin/organisations/{id}/keys': {
    operationId: 'createKey',
    tag: 'Operator',
    summary: 'Make a secret or publishable key',
    description:
      'The key itself is shown in this answer only; what is kept of it is its SHA-256. A publishable key works from the registered ' +
      '`origins`: `https://host[:port]` exactly, in test mode `http://localhost[:port]` too. `budgets` are limits of request ' +
      "budgets that stand for requests with this key instead of the deployment's, so that a load test can lift them: a number of " +
      "requests in a window, or null for none. A secret key's are `serverHolds` and `seasons`, a publishable key's `buyerHolds` " +
      "and `buyerReads`: what it lets through is still counted by address, apart from that of others. Requests with a session's " +
      "token have the deployment's limits.",
    headers: ['Cache-Control'],
    refusals: ['not_found'],
    examples: [
      { summary: 'A secret key for tests', body: { kind: 'secret', mode: 'test' } },
      {
        summary: 'A key for a load test',
        body: { kind: 'secret', mode: 'test', budgets: { serverHolds: 100_000, seasons: null } },
      },
      {
        summary: 'A publishable key for one shop',
        body: { kind: 'publishable', mode: 'live', origins: ['https://shop.example'] },
      },
      {
        summary: 'An origin with a path',
        body: { kind: 'publishable', mode: 'live', origins: ['https://shop.example/tickets'] },
        answers: 'invalid_request',
      },
      {
        summary: 'Of an organisation that is not there',
        path: { id: 'org_0' },
        body: { kind: 'secret', mode: 'test' },
        answers: 'not_found',
      },
    ],
  },
  'DELETE /v1/admin/organisations/{id}/keys/{keyId}': {
    operationId: 'revokeKey',
    tag: 'Operator',
    summary: 'Revoke a key',
    description:
      'Every front door refuses it within one second, and sockets opened with it are closed; so it is with the sessions that pages ' +
      'were given for a publishable key.',
    refusals: ['not_found'],
    examples: [
      { summary: 'Revoke it' },
      { summary: 'A key that is not there', path: { keyId: 'key_0' }, answers: 'not_found' },
    ],
  },
  'POST /v1/admin/organisations/{id}/credits': {
    operationId: 'addCredits',
    tag: 'Operator',
    summary: 'Add credits, or take them away',
    description: 'Answers the balance: what was granted less what live events have sold.',
    refusals: ['not_found'],
    examples: [
      { summary: 'Add fifty', body: { delta: 50, reason: 'Invoice 2026-117' } },
      {
        summary: 'To an organisation that is not there',
        path: { id: 'org_0' },
        body: { delta: 50, reason: 'Invoice 2026-117' },
        answers: 'not_found',
      },
      { summary: 'Without a reason', body: { delta: 50 }, answers: 'invalid_request' },
    ],
  },
} as const satisfies Record<string, Description>;
