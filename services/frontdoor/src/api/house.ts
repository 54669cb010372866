/**
 * What an owner does for the own organisation: its keys, its users with their roles, and its credits. The operator does
 * the same for every organisation (admin.ts, people.ts). Every call needs the right `administer` (role-rights.ts) and a
 * dashboard session: a key can make neither keys nor users. The audit has an entry of each change.
 *
 * Nobody changes or deletes the own user, so nobody raises the own role, and the owner who calls stays. Two owners who
 * take each other away at once: the catalog refuses the second (`last_owner`). An owner gives no key a larger budget
 * than the deployment gives every key: such a budget is the operator's, for it protects the other organisations.
 */

import type { KeyBudgets } from '@parterre/shared/protocol/catalog/scope';
import { done, type Outcome, refuse } from '@parterre/shared/protocol/errors';
import { randomText } from '@parterre/shared/protocol/ids';
import { z } from 'zod';
import { budgets, budgetsOfEveryKey, type DashboardPrincipal } from '../admission/admission.ts';
import { secretOnce } from '../answers/answers.ts';
import { standIn } from '../openapi/openapi.ts';
import {
  changeKeyAnswer,
  createKeyAnswer,
  email,
  endOfMinter,
  endOfMinterQuery,
  keyBody,
  keyChangesBody,
  listKeysAnswer,
  listUsersAnswer,
  pageQuery,
  role,
  whatIsMinted,
  whatKeyChanges,
} from './admin.ts';
import type { Ports } from './calls/ports.ts';
import { pageOf } from './calls/query.ts';
import { dashboardRoute } from './calls/route.ts';
import { creditsAnswer, creditsFileOf, resetAnswer } from './people.ts';
import { user } from './records.ts';

const budget = budgets.serverCalls;
const forOwners = 'For owners.';
const noMoreThanUsual =
  'A budget above that of the deployment is refused with reason `above_deployment`: only the operator sets it.';

const listOwnKeys = dashboardRoute(
  'GET /v1/dashboard/keys',
  {
    budget,
    answer: listKeysAnswer,
    query: pageQuery,
    description: {
      operationId: 'listOwnKeys',
      tag: 'Dashboard',
      summary: 'The keys of the organisation, oldest first',
      description: `${forOwners} The list never shows a key itself. Revoked keys are included.`,
      examples: [{ summary: 'All of them' }],
    },
  },
  ({ ports, principal, query }) =>
    ports.catalog('keys.list', { organisationId: principal.organisationId, page: pageOf(query) }),
);

const createOwnKey = dashboardRoute(
  'POST /v1/dashboard/keys',
  {
    budget,
    answer: createKeyAnswer,
    body: keyBody,
    status: 201,
    description: {
      operationId: 'createOwnKey',
      tag: 'Dashboard',
      summary: 'Create a secret or publishable key of the organisation',
      description: `${forOwners} The answer shows the key; no later answer does. ${noMoreThanUsual} The fields are those of \`createKey\`.`,
      refusals: ['workspace_not_found_or_disabled'],
      examples: [
        { summary: 'For a shop', body: { kind: 'publishable', mode: 'live', origins: ['https://shop.example'] } },
        {
          summary: 'An origin with a path',
          body: { kind: 'publishable', mode: 'live', origins: ['https://shop.example/tickets'] },
          answers: 'invalid_request',
        },
        {
          summary: 'For an unknown workspace',
          body: { kind: 'secret', mode: 'test', workspaceId: 'ws_0' },
          answers: 'workspace_not_found_or_disabled',
        },
      ],
    },
  },
  async ({ ports, principal, body }) => {
    const { organisationId } = principal;
    const made = await ports.catalog('keys.create', { organisationId, ...body, ...upToDeployment(ports) });
    return made.ok ? secretOnce(made.value) : made;
  },
);

const changeOwnKey = dashboardRoute(
  'PATCH /v1/dashboard/keys/{keyId}',
  {
    budget,
    answer: changeKeyAnswer,
    body: keyChangesBody,
    description: {
      operationId: 'changeOwnKey',
      tag: 'Dashboard',
      summary: 'Set the budgets and the origins of a key of the organisation',
      description: `${forOwners} ${noMoreThanUsual} ${whatKeyChanges}`,
      refusals: ['not_found', 'nothing_to_update'],
      examples: [
        { summary: "The deployment's limits", body: { budgets: null } },
        { summary: 'Without a field', body: {}, answers: 'nothing_to_update' },
        { summary: 'An unknown key', path: { keyId: 'key_0' }, body: { budgets: null }, answers: 'not_found' },
      ],
    },
  },
  ({ ports, principal: { organisationId }, path: { keyId }, body }) =>
    ports.catalog('keys.change', { organisationId, keyId, ...body, ...upToDeployment(ports) }),
);

/** No bound where the deployment counts no budgets. */
function upToDeployment({ budgets }: Ports): { budgetsUpTo?: KeyBudgets } {
  return budgets === null ? {} : { budgetsUpTo: budgetsOfEveryKey(budgets.limits) };
}

const revokeOwnKey = dashboardRoute(
  'DELETE /v1/dashboard/keys/{keyId}',
  {
    budget,
    answer: endOfMinter,
    query: endOfMinterQuery,
    description: {
      operationId: 'revokeOwnKey',
      tag: 'Dashboard',
      summary: 'Revoke a key of the organisation',
      description: `${forOwners} Every front door refuses the key within one second. ${whatIsMinted('secret key')}`,
      refusals: ['not_found'],
      examples: [
        { summary: 'Revoke it' },
        { summary: 'An unknown key', path: { keyId: 'key_0' }, answers: 'not_found' },
      ],
    },
  },
  ({ ports, principal, path, query }) =>
    ports.catalog('keys.revoke', {
      organisationId: principal.organisationId,
      keyId: path.keyId,
      endsMinted: query.endSessions,
    }),
);

const listOwnUsers = dashboardRoute(
  'GET /v1/dashboard/users',
  {
    budget,
    answer: listUsersAnswer,
    query: pageQuery,
    description: {
      operationId: 'listOwnUsers',
      tag: 'Dashboard',
      summary: 'The users of the organisation, oldest first',
      description: forOwners,
      examples: [{ summary: 'All of them' }],
    },
  },
  ({ ports, principal, query }) =>
    ports.catalog('users.list', { organisationId: principal.organisationId, page: pageOf(query) }),
);

const inviteAnswer = resetAnswer.extend({ user });
const unguessableLength = 48;

const inviteUser = dashboardRoute(
  'POST /v1/dashboard/users',
  {
    budget: budgets.logins,
    answer: inviteAnswer,
    body: z.object({ email: email.pipe(z.email('Must be an email address.')), role }),
    status: 201,
    description: {
      operationId: 'inviteUser',
      tag: 'Dashboard',
      summary: 'Make a user of the organisation, who sets the own password',
      description:
        `${forOwners} The user has a password that nobody knows, until \`token\` sets one. Hand the token over to the ` +
        'person: the server sends no mail. If the answer is lost, list the users and make another token ' +
        '(`beginPasswordResetAsOwner`).',
      refusals: ['user_exists', 'overloaded'],
      examples: [
        { summary: 'For the box office', body: { email: 'Counter@theatre.example', role: 'box_office' } },
        {
          summary: 'A taken email',
          body: { email: standIn.email, role: 'box_office' },
          answers: 'user_exists',
        },
        { summary: 'No address', body: { email: 'counter', role: 'box_office' }, answers: 'invalid_request' },
      ],
    },
  },
  async ({ ports, principal: { organisationId }, body }) => {
    const password = randomText(unguessableLength);
    const made = await ports.catalog('users.create', { organisationId, password, ...body });
    if (!made.ok) return made;
    const begun = await ports.catalog('passwords.begin-reset', { organisationId, userId: made.value.user.id });
    return begun.ok ? secretOnce({ ...begun.value, user: made.value.user }) : begun;
  },
);

/** The refusal of a change to the caller's own user. */
function notOwn(principal: DashboardPrincipal, userId: string): Outcome<{ organisationId: string; userId: string }> {
  const { organisationId } = principal;
  if (principal.userId !== userId) return done({ organisationId, userId });
  return refuse('forbidden', 'Nobody changes or deletes the own user. Ask another owner.', { reason: 'own_user' });
}

const ownUser = 'The own user is refused with reason `own_user`, and the last owner with `last_owner`.';

const changeUserRole = dashboardRoute(
  'PATCH /v1/dashboard/users/{userId}',
  {
    budget,
    answer: z.object({ user }),
    body: z.object({ role }),
    description: {
      operationId: 'changeUserRole',
      tag: 'Dashboard',
      summary: 'Give a user of the organisation another role',
      description: `${forOwners} The sessions of the user have the new role within a second. ${ownUser}`,
      refusals: ['not_found'],
      examples: [
        { summary: 'To the door', body: { role: 'door' } },
        { summary: 'An unknown role', body: { role: 'king' }, answers: 'invalid_request' },
        { summary: 'An unknown user', path: { userId: 'usr_0' }, body: { role: 'door' }, answers: 'not_found' },
      ],
    },
  },
  async ({ ports, principal, path, body }) => {
    const target = notOwn(principal, path.userId);
    return target.ok ? ports.catalog('users.change-role', { ...target.value, ...body }) : target;
  },
);

const removeUser = dashboardRoute(
  'DELETE /v1/dashboard/users/{userId}',
  {
    budget,
    answer: endOfMinter,
    query: endOfMinterQuery,
    description: {
      operationId: 'removeUser',
      tag: 'Dashboard',
      summary: 'Delete a user of the organisation',
      description: `${forOwners} Every front door refuses the user within one second. ${ownUser} ${whatIsMinted('user')}`,
      refusals: ['not_found'],
      examples: [
        { summary: 'Delete a user' },
        { summary: 'An unknown user', path: { userId: 'usr_0' }, answers: 'not_found' },
      ],
    },
  },
  async ({ ports, principal, path, query }) => {
    const target = notOwn(principal, path.userId);
    if (!target.ok) return target;
    return ports.catalog('users.delete', { ...target.value, endsMinted: query.endSessions, keepsOwner: true });
  },
);

const listOwnCredits = dashboardRoute(
  'GET /v1/dashboard/credits',
  {
    budget,
    answer: creditsAnswer,
    query: pageQuery,
    description: {
      operationId: 'listOwnCredits',
      tag: 'Dashboard',
      summary: "The movements of the organisation's credits, newest first",
      description: `${forOwners} Sales are no movements: they lower the balance between two movements.`,
      examples: [{ summary: 'The last two', query: { limit: '2' } }],
    },
  },
  ({ ports, principal, query }) =>
    ports.catalog('credits.list', { organisationId: principal.organisationId, page: pageOf(query) }),
);

const ownCreditsFile = dashboardRoute(
  'GET /v1/dashboard/credits.csv',
  {
    budget,
    answer: null,
    description: {
      operationId: 'getOwnCreditsFile',
      tag: 'Dashboard',
      summary: "The movements of the organisation's credits as a CSV file",
      description: `${forOwners} The columns are those of \`getCreditsFile\`.`,
      mediaTypes: ['text/csv'],
      headers: ['Content-Disposition'],
      examples: [{ summary: 'The file' }],
    },
  },
  ({ ports, principal }) => creditsFileOf(ports, principal.organisationId),
);

export const houseRoutes = [
  listOwnKeys,
  createOwnKey,
  changeOwnKey,
  revokeOwnKey,
  listOwnUsers,
  inviteUser,
  changeUserRole,
  removeUser,
  listOwnCredits,
  ownCreditsFile,
];
