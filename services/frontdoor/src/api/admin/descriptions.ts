/** The description of the operator's surface. */
import { type Description, standIn, standInPassword } from '../../openapi/openapi.ts';

const notThere = {
  summary: 'Of an unknown organisation',
  path: { id: 'org_0' },
  answers: 'not_found',
} as const;

const whatIsMinted = (minter: string) =>
  `What a ${minter} gave to others stays valid, and \`left\` lists it: sessions of buyers, consoles and designers, ` +
  'access links, webhooks. With `endSessions=1` the sessions end as fast as the credential, the links are revoked with ' +
  'the sessions that they opened, and the webhooks are paused; `ended` lists them.';

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
    description: 'The organisation starts with a default workspace. `credits` is its first balance, 0 if absent.',
    examples: [
      {
        summary: 'With a hundred credits',
        body: { name: 'Municipal theatre', currency: 'EUR', credits: 100 },
      },
      {
        summary: 'An invalid currency',
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
    examples: [{ summary: 'An organisation' }, notThere],
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
    summary: 'Create a user, who may sign in to the dashboard',
    description:
      'The password has 10 to 200 characters. It is stored as a scrypt hash and never shown. To replace a lost ' +
      'password, delete the user and create a new one.',
    refusals: ['not_found', 'user_exists', 'overloaded'],
    examples: [
      {
        summary: 'A box office manager',
        body: { email: 'Manager@theatre.example', password: standInPassword, role: 'admin' },
      },
      {
        summary: 'A taken email',
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
    summary: 'Delete a user',
    description: `Ends the sessions of the user: every front door refuses them within one second. ${whatIsMinted('user')}`,
    refusals: ['not_found'],
    examples: [
      { summary: 'Delete a user' },
      { summary: 'With all that the user gave to others', query: { endSessions: '1' } },
      { summary: 'An unknown user', path: { userId: 'usr_0' }, answers: 'not_found' },
    ],
  },
  'GET /v1/admin/organisations/{id}/keys': {
    operationId: 'listKeys',
    tag: 'Operator',
    summary: 'The keys of an organisation, oldest first',
    description:
      'The list never shows a key itself: keys are stored as hashes. Revoked keys are included, with the time of ' +
      'their revocation.',
    refusals: ['not_found'],
    examples: [{ summary: 'All of them' }, notThere],
  },
  'POST /v1/admin/organisations/{id}/keys': {
    operationId: 'createKey',
    tag: 'Operator',
    summary: 'Create a secret or publishable key',
    description:
      'The answer shows the key; no later answer does. Only its SHA-256 is stored. A publishable key works from the ' +
      'registered `origins`: exactly `https://host[:port]`, in test mode also `http://localhost[:port]`. `budgets` ' +
      "replaces the deployment's limits for requests with this key, for example for a load test. Each limit is a " +
      'number of requests in a window, or null for no limit. A secret key has `serverHolds` and `seasons`, a ' +
      'publishable key `buyerHolds`, `buyerReads` and `buyerCalls`; requests of a publishable key are still counted ' +
      "by address, apart from other requests. Requests with a session's token have the deployment's limits.",
    refusals: ['not_found', 'workspace_not_found_or_disabled'],
    examples: [
      { summary: 'A secret test key', body: { kind: 'secret', mode: 'test' } },
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
        summary: 'Of an unknown organisation',
        path: { id: 'org_0' },
        body: { kind: 'secret', mode: 'test' },
        answers: 'not_found',
      },
      {
        summary: 'For an unknown workspace',
        body: { kind: 'secret', mode: 'test', workspaceId: 'ws_0' },
        answers: 'workspace_not_found_or_disabled',
      },
    ],
  },
  'DELETE /v1/admin/organisations/{id}/keys/{keyId}': {
    operationId: 'revokeKey',
    tag: 'Operator',
    summary: 'Revoke a key',
    description:
      'Every front door refuses the key within one second, and closes the sockets that were opened with it. The ' +
      `same happens to sessions that were opened with a publishable key. ${whatIsMinted('secret key')} ` +
      'The call can be repeated, so that an operator first looks and then ends.',
    refusals: ['not_found'],
    examples: [
      { summary: 'Revoke it' },
      { summary: 'With all that it gave to others', query: { endSessions: '1' } },
      { summary: 'An unknown key', path: { keyId: 'key_0' }, answers: 'not_found' },
    ],
  },
  'POST /v1/admin/organisations/{id}/credits': {
    operationId: 'addCredits',
    tag: 'Operator',
    summary: 'Add credits, or take them away',
    description: 'Answers the balance: the granted credits minus the units that live events have sold.',
    refusals: ['not_found'],
    examples: [
      { summary: 'Add fifty', body: { delta: 50, reason: 'Invoice 2026-117' } },
      {
        summary: 'To an unknown organisation',
        path: { id: 'org_0' },
        body: { delta: 50, reason: 'Invoice 2026-117' },
        answers: 'not_found',
      },
      { summary: 'Without a reason', body: { delta: 50 }, answers: 'invalid_request' },
    ],
  },
} as const satisfies Record<string, Description>;
