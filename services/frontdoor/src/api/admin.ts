/**
 * The operator's surface, with the root token: organisations, their keys, users and credits, and the catalog's
 * projections of the journal with their rebuild. Owners do the same with their own keys and users (house.ts).
 */

import { budgetIssues, roles } from '@parterre/shared/protocol/catalog/scope';
import { done } from '@parterre/shared/protocol/errors';
import {
  budgetLimitMax,
  creditsPerCallMax,
  emailLengthMax,
  passwordLengthMax,
  passwordLengthMin,
} from '@parterre/shared/protocol/limits';
import { z } from 'zod';
import { unbudgeted } from '../admission/admission.ts';
import { secretOnce } from '../answers/answers.ts';
import type { DeploymentStatus } from '../deployment-status.ts';
import { standIn, standInPassword } from '../openapi/openapi.ts';
import { mintedAccess } from './access.ts';
import { cursor, isOne, limit, pageOf } from './calls/query.ts';
import { operatorRoute } from './calls/route.ts';
import {
  count,
  currencyCode,
  environment,
  epochMs,
  id,
  keyInfo,
  mode,
  name,
  nextCursor,
  ok,
  optional,
  organisation,
  publicSaleBody,
  readinessChecks,
  reason,
  text,
  user,
} from './records.ts';

const listOrganisationsAnswer = z.object({ organisations: z.array(organisation), nextCursor });

export const pageQuery = z.object({
  limit: limit({ usual: 100, most: 200 }, z.string(), 'Entries on one page: 1 to 200, 100 if absent. Clamped.'),
  cursor,
});

const listOrganisations = operatorRoute(
  'GET /v1/admin/organisations',
  {
    budget: unbudgeted.operator,
    answer: listOrganisationsAnswer,
    query: pageQuery,
    description: {
      operationId: 'listOrganisations',
      tag: 'Operator',
      summary: 'The organisations, oldest first',
      description:
        'Each organisation has its balance of credits. The list has pages: `cursor` is the `nextCursor` of the ' +
        'page before.',
      examples: [{ summary: 'The first two', query: { limit: '2' } }],
    },
  },
  ({ ports, query }) => ports.catalog('organisations.list', { page: pageOf(query) }),
);

const createOrganisationAnswer = z.object({ organisation });

const organisationBody = z.object({
  name,
  currency: currencyCode,
  credits: optional(z.int().min(0).max(creditsPerCallMax)),
});

const createOrganisation = operatorRoute(
  'POST /v1/admin/organisations',
  {
    budget: unbudgeted.operator,
    answer: createOrganisationAnswer,
    body: organisationBody,
    status: 201,
    description: {
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
  },
  ({ ports, body }) => ports.catalog('organisations.create', body),
);

const getOrganisationAnswer = z.object({ organisation });

const notThere = {
  summary: 'Of an unknown organisation',
  path: { id: 'org_0' },
  answers: 'not_found',
} as const;

const getOrganisation = operatorRoute(
  'GET /v1/admin/organisations/{id}',
  {
    budget: unbudgeted.operator,
    answer: getOrganisationAnswer,
    description: {
      operationId: 'getOrganisation',
      tag: 'Operator',
      summary: 'One organisation, with its balance of credits',
      description:
        'The organisation with its settings. `credits` counts the places that it may still sell in live events.',
      refusals: ['not_found'],
      examples: [{ summary: 'An organisation' }, notThere],
    },
  },
  ({ ports, path }) => ports.catalog('organisations.get', { organisationId: path.id }),
);

const changeOrganisationAnswer = z.object({ organisation });

const organisationChangesBody = z.object({ publicSale: optional(publicSaleBody), suspended: optional(z.boolean()) });

const changeOrganisation = operatorRoute(
  'PATCH /v1/admin/organisations/{id}',
  {
    budget: unbudgeted.operator,
    answer: changeOrganisationAnswer,
    body: organisationChangesBody,
    description: {
      operationId: 'changeOrganisation',
      tag: 'Operator',
      summary: "Set an organisation's bounds of public sale, or suspend it",
      description:
        '`suspended` true refuses the keys and users of the organisation within a second, and false lets them go on. ' +
        'Nothing is deleted: holds, bookings and webhooks go on. Sessions of buyers, consoles and designers, and open ' +
        'sockets, last until they expire. ' +
        '`publicSale` replaces all bounds of the organisation, and null removes them. Its events inherit each bound that ' +
        'they do not set themselves. A change binds new holds of every front door within a second.',
      refusals: ['not_found', 'nothing_to_update'],
      examples: [
        { summary: 'Eight places a buyer', body: { publicSale: { maxPerHold: 8, maxHeldPerSession: 8 } } },
        { summary: "The deployment's bounds", body: { publicSale: null } },
        { summary: 'Suspend it', body: { suspended: true } },
        { summary: 'Without a field', body: {}, answers: 'nothing_to_update' },
        { summary: 'No place at all', body: { publicSale: { maxPerHold: 0 } }, answers: 'invalid_request' },
        { ...notThere, body: { publicSale: null } },
      ],
    },
  },
  ({ ports, path, body }) => ports.catalog('organisations.change', { organisationId: path.id, ...body }),
);

const addCreditsAnswer = z.object({ organisation });

const creditsBody = z.object({ delta: z.int().min(-creditsPerCallMax).max(creditsPerCallMax), reason });

const addCredits = operatorRoute(
  'POST /v1/admin/organisations/{id}/credits',
  {
    budget: unbudgeted.operator,
    answer: addCreditsAnswer,
    body: creditsBody,
    description: {
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
  },
  ({ ports, path, body }) => ports.catalog('organisations.add-credits', { organisationId: path.id, ...body }),
);

export const listUsersAnswer = z.object({ users: z.array(user), nextCursor });

const listUsers = operatorRoute(
  'GET /v1/admin/organisations/{id}/users',
  {
    budget: unbudgeted.operator,
    answer: listUsersAnswer,
    query: pageQuery,
    description: {
      operationId: 'listUsers',
      tag: 'Operator',
      summary: 'The users of an organisation, oldest first',
      description: 'The users who sign in with a password. No answer has a password or its hash.',
      refusals: ['not_found'],
      examples: [{ summary: 'All of them' }, notThere],
    },
  },
  ({ ports, path, query }) => ports.catalog('users.list', { organisationId: path.id, page: pageOf(query) }),
);

const createUserAnswer = z.object({ user });

/** Emails are stored and compared in lower case, without outer spaces. */
export const email = z.string().trim().toLowerCase().max(emailLengthMax);

export const role = z.enum(roles);

const userBody = z.object({
  email: email.pipe(z.email('Must be an email address.')),
  password: z.string().min(passwordLengthMin).max(passwordLengthMax),
  role,
});

const createUser = operatorRoute(
  'POST /v1/admin/organisations/{id}/users',
  {
    budget: unbudgeted.operator,
    answer: createUserAnswer,
    body: userBody,
    status: 201,
    description: {
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
  },
  ({ ports, path, body }) => ports.catalog('users.create', { organisationId: path.id, ...body }),
);

/** The access that a revoked key or a deleted user gave to others. */
export const endOfMinter = z.object({
  ok,
  ended: mintedAccess.describe('What this call has ended. A webhook is paused, a link is revoked.'),
  left: mintedAccess.describe('What is still valid, until it expires or is ended.'),
});

export const endOfMinterQuery = z.object({
  endSessions: isOne('1 also ends what the key or user gave to others: sessions and links end, webhooks are paused.'),
});

export const whatIsMinted = (minter: string) =>
  `What a ${minter} gave to others stays valid, and \`left\` lists it: sessions of buyers, consoles and designers, ` +
  'access links, webhooks. With `endSessions=1` the sessions end as fast as the credential, the links are revoked with ' +
  'the sessions that they opened, and the webhooks are paused; `ended` lists them.';

const deleteUser = operatorRoute(
  'DELETE /v1/admin/organisations/{id}/users/{userId}',
  {
    budget: unbudgeted.operator,
    answer: endOfMinter,
    query: endOfMinterQuery,
    description: {
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
  },
  ({ ports, query, path }) =>
    ports.catalog('users.delete', {
      organisationId: path.id,
      userId: path.userId,
      endsMinted: query.endSessions,
    }),
);

export const listKeysAnswer = z.object({ keys: z.array(keyInfo), nextCursor });

const listKeys = operatorRoute(
  'GET /v1/admin/organisations/{id}/keys',
  {
    budget: unbudgeted.operator,
    answer: listKeysAnswer,
    query: pageQuery,
    description: {
      operationId: 'listKeys',
      tag: 'Operator',
      summary: 'The keys of an organisation, oldest first',
      description:
        'The list never shows a key itself: keys are stored as hashes. Revoked keys are included, with the time of ' +
        'their revocation.',
      refusals: ['not_found'],
      examples: [{ summary: 'All of them' }, notThere],
    },
  },
  ({ ports, path, query }) => ports.catalog('keys.list', { organisationId: path.id, page: pageOf(query) }),
);

export const createKeyAnswer = z.object({ key: keyInfo, secret: z.string() });

/** The requests of one window; null lifts the budget. */
const requests = optional(z.int().min(1).max(budgetLimitMax).nullable());

const keyBudgets = z.strictObject({
  serverHolds: requests,
  seasons: requests,
  buyerHolds: requests,
  buyerReads: requests,
  buyerCalls: requests,
});

const origins = z.array(z.string().max(300)).max(100);

export const keyBody = z
  .object({
    kind: z.enum(['secret', 'publishable']),
    mode,
    environment: optional(environment.nullable()),
    workspaceId: optional(id.nullable()),
    origins: optional(origins),
    budgets: optional(keyBudgets),
  })
  .superRefine(({ kind, budgets = {} }, context) => {
    for (const { path, message } of budgetIssues(kind, budgets))
      context.addIssue({ code: 'custom', path: path.split('.'), message });
  });

const createKey = operatorRoute(
  'POST /v1/admin/organisations/{id}/keys',
  {
    budget: unbudgeted.operator,
    answer: createKeyAnswer,
    body: keyBody,
    status: 201,
    description: {
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
  },
  async (call) => {
    const made = await call.ports.catalog('keys.create', { organisationId: call.path.id, ...call.body });
    return made.ok ? secretOnce(made.value) : made;
  },
);

export const changeKeyAnswer = z.object({ key: keyInfo });

export const keyChangesBody = z.object({ budgets: optional(keyBudgets.nullable()), origins: optional(origins) });

export const whatKeyChanges =
  "`budgets` replaces all budgets of the key, and null gives the key the deployment's limits again. Every front " +
  'door counts by the new limits within a second. A secret key has `serverHolds` and `seasons`, a publishable key ' +
  '`buyerHolds`, `buyerReads` and `buyerCalls`. Sessions that a publishable key has opened keep the limits of ' +
  'their beginning.' +
  ' `origins` replaces all origins of a publishable key: pages of an origin that is left out are refused within a second. ' +
  'Sessions of buyers go on from the origin of their beginning.';

const changeKey = operatorRoute(
  'PATCH /v1/admin/organisations/{id}/keys/{keyId}',
  {
    budget: unbudgeted.operator,
    answer: changeKeyAnswer,
    body: keyChangesBody,
    description: {
      operationId: 'changeKey',
      tag: 'Operator',
      summary: 'Set the budgets and the origins of a key',
      description: whatKeyChanges,
      refusals: ['not_found', 'nothing_to_update'],
      examples: [
        { summary: 'A hundred holds a second', body: { budgets: { serverHolds: 6_000 } } },
        { summary: "The deployment's limits", body: { budgets: null } },
        { summary: 'Without a field', body: {}, answers: 'nothing_to_update' },
        { summary: 'A budget of buyers', body: { budgets: { buyerHolds: 500 } }, answers: 'invalid_request' },
        { summary: 'An unknown key', path: { keyId: 'key_0' }, body: { budgets: null }, answers: 'not_found' },
      ],
    },
  },
  ({ ports, path, body }) => ports.catalog('keys.change', { organisationId: path.id, keyId: path.keyId, ...body }),
);

const revokeKey = operatorRoute(
  'DELETE /v1/admin/organisations/{id}/keys/{keyId}',
  {
    budget: unbudgeted.operator,
    answer: endOfMinter,
    query: endOfMinterQuery,
    description: {
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
  },
  ({ ports, query, path }) =>
    ports.catalog('keys.revoke', {
      organisationId: path.id,
      keyId: path.keyId,
      endsMinted: query.endSessions,
    }),
);

const projectionState = z.object({
  generation: z.int().min(1).describe('The generation that is read. It grows by one with each rebuild.'),
  building: z
    .int()
    .nullable()
    .describe('The generation that is being built. It replaces the current generation when it has counted as far.'),
  partitions: z
    .array(
      z.object({
        stream: text,
        counted: count,
        rebuilt: count.nullable(),
        behind: count.nullable().describe('Messages that are not counted yet. Null where NATS does not tell.'),
        oldestAt: epochMs.nullable().describe('The time of the oldest of them.'),
        halted: z
          .boolean()
          .describe('True where the journal lacks records that were counted. It is counted no further.'),
      }),
    )
    .describe("How far each journal is counted, in sequences of the journal's stream."),
});

const getProjections = operatorRoute(
  'GET /v1/admin/projections',
  {
    budget: unbudgeted.operator,
    answer: projectionState,
    description: {
      operationId: 'getProjections',
      tag: 'Operator',
      summary: 'How far sold counts, bookings, logs and credits have been counted',
      description:
        'One entry for each partition: the position that the catalog has counted, and how far it is behind the ' +
        'journal. A partition that has halted has the reason.',
      examples: [{ summary: 'The state' }],
    },
  },
  ({ ports }) => ports.catalog('projections.state', {}),
);

const halted = z.object({ eventKey: text, reason: text });

const deploymentStatus = z.object({
  at: epochMs,
  sellable: z.boolean(),
  checks: readinessChecks,
  haltedEvents: count,
  members: z.array(
    z.object({
      service: z.enum(['frontdoor', 'inventory-shard', 'catalog', 'notifier']),
      id: text,
      version: text,
      node: text,
      host: text,
      pid: count,
      startedAt: epochMs,
      memoryBytes: count,
      disk: z
        .object({ usedShare: z.number(), bytesFree: count })
        .nullable()
        .describe('Of the data folder. Null for a member without one.'),
      nats: z.object({ server: text, version: text }).nullable(),
    }),
  ),
  partitions: z.array(
    z.object({
      partition: count,
      owner: text.nullable().describe('The id of the shard. Null where no shard claims the partition.'),
      epoch: count.nullable(),
      state: text.describe('opening, serving, recovering, halted; `silent`: its owner does not answer; `unowned`.'),
      haltedBy: text.nullable().describe('Why the whole partition is halted.'),
      haltedEvents: count,
      events: z.array(halted).describe('The first halted events.'),
    }),
  ),
}) satisfies z.ZodType<DeploymentStatus>;

const getStatus = operatorRoute(
  'GET /v1/admin/status',
  {
    budget: unbudgeted.operator,
    answer: deploymentStatus,
    description: {
      operationId: 'getStatus',
      tag: 'Operator',
      summary: 'What runs, and how it is: members, partitions with their owners, halted events',
      description:
        'A roll call, which takes a second. A member that does not answer in this time is missing. How far projections ' +
        'are, `getProjections` tells; copies of streams and webhooks that wait, `npx parterre status` tells.',
      examples: [{ summary: 'Everything' }],
    },
  },
  async ({ ports }) => {
    const [{ sellable, health, haltedEvents }, heard] = await Promise.all([ports.readiness.look(), ports.status()]);
    return done({ ...heard, sellable, checks: health, haltedEvents });
  },
);

const rebuildProjections = operatorRoute(
  'POST /v1/admin/projections/rebuild',
  {
    budget: unbudgeted.operator,
    answer: projectionState,
    status: 202,
    description: {
      operationId: 'rebuildProjections',
      tag: 'Operator',
      summary: 'Rebuild sold counts, bookings, logs and credits from the first record of every journal',
      description:
        'The current projections stay in use until the new projections have counted as far. A call during a rebuild ' +
        'does not start another rebuild. Where a journal lacks records that were counted, the new projections count the ' +
        'journal that is there.',
      examples: [{ summary: 'Begin' }],
    },
  },
  ({ ports }) => ports.catalog('projections.rebuild', {}),
);

/** An impossible email or password gets the same answer as an unknown one. */
export const loginBody = z.object({ email, password: z.string().max(passwordLengthMax) });

export const adminRoutes = [
  listOrganisations,
  createOrganisation,
  getOrganisation,
  changeOrganisation,
  addCredits,
  listUsers,
  createUser,
  deleteUser,
  listKeys,
  createKey,
  changeKey,
  revokeKey,
  getProjections,
  rebuildProjections,
  getStatus,
];
