/**
 * Login to the dashboard and logout, and the workspaces of an organisation. Each route checks the rights of a session.
 */

import type { SignInFrom } from '@parterre/shared/protocol/catalog/accounts';
import { done } from '@parterre/shared/protocol/errors';
import { regions } from '@parterre/shared/protocol/vocabulary';
import { z } from 'zod';
import {
  budgets,
  callIdOf,
  countedAddress,
  csrfTokenOf,
  endedCookie,
  networkOf,
  type Request,
  scopeOf,
  sessionCookie,
  sessionTokenOf,
} from '../admission/admission.ts';
import { preparedJson, secretOnce, spell } from '../answers/answers.ts';
import { standIn, standInPassword } from '../openapi/openapi.ts';
import { loginBody } from './admin.ts';
import { type Call, dashboardRoute, openRoute, serverRoute, type WithPath } from './calls/route.ts';
import { emptyBody, epochMs, externalRef, name, ok, optional, organisation, text, user, workspace } from './records.ts';

const session = {
  user,
  organisation,
  csrfToken: z.string().describe('Send this token in X-CSRF-Token with every call that has the cookie, except a GET.'),
  expiresAt: epochMs.describe('When the session expires, 12 hours after the login.'),
};

const logInAnswer = z.object(session);

const logIn = openRoute(
  'POST /v1/dashboard/login',
  {
    budget: budgets.logins,
    answer: logInAnswer,
    body: loginBody,
    description: {
      operationId: 'logIn',
      tag: 'Dashboard',
      summary: 'Sign in with email and password',
      description:
        'A wrong email and a wrong password get the same answer. Five failures with one email from one network (/24 of ' +
        'IPv4, /64 of IPv6) within 15 minutes lock that email for that network for 15 minutes, for the right password ' +
        'too. Other networks are not affected. A success clears the count of its network. The budget `logins` counts ' +
        'the logins of an address, with any email. The session is the cookie. A person of a suspended organisation is refused with reason ' +
        '`organisation_suspended`.',
      headers: ['Set-Cookie'],
      refusals: ['unauthorized', 'login_locked', 'forbidden', 'catalog_unavailable'],
      examples: [
        { summary: 'With the right password', body: { email: standIn.email, password: standInPassword } },
        {
          summary: 'With a wrong password',
          body: { email: standIn.email, password: 'not that one' },
          answers: 'unauthorized',
        },
        {
          summary: 'After five failures',
          body: { email: standIn.lockedEmail, password: standInPassword },
          answers: 'login_locked',
        },
        { summary: 'Without a password', body: { email: standIn.email }, answers: 'invalid_request' },
      ],
    },
  },
  async ({ ports, body, request }) => {
    const opened = await ports.catalog('sessions.create', { ...body, ...signInFrom(request) });
    if (!opened.ok) return opened;
    const { token, expiresAt, ...who } = opened.value;
    const cookie = sessionCookie(token, expiresAt - ports.clock.now());
    return secretOnce({ ...who, csrfToken: csrfTokenOf(token), expiresAt }, 200, [['Set-Cookie', cookie]]);
  },
);

/** The caller of a login as its connection shows it. */
export function signInFrom(request: Pick<Request, 'address' | 'userAgent'>): SignInFrom {
  const from = request.address();
  return { network: networkOf(from), address: countedAddress(from), userAgent: request.userAgent ?? '' };
}

const logOutAnswer = z.object({
  ok,
  issuerLogout: text
    .exactOptional()
    .describe('For a session of OpenID Connect: the page that also ends the session at the issuer.'),
});

const logOut = dashboardRoute(
  'POST /v1/dashboard/logout',
  {
    budget: budgets.serverCalls,
    answer: logOutAnswer,
    body: emptyBody,
    bodyOptional: true,
    description: {
      operationId: 'logOut',
      tag: 'Dashboard',
      summary: 'End this session',
      description: 'Every front door refuses the session within one second, and closes its sockets.',
      headers: ['Set-Cookie'],
      examples: [{ summary: 'Sign out' }],
    },
  },
  async ({ ports, principal }) => {
    const ended = await ports.catalog('sessions.end', { hash: principal.sessionHash });
    if (!ended.ok) return ended;
    ports.principals.drop(principal.sessionHash);
    const issuerLogout = ended.value.via === 'oidc' ? await ports.oidc?.logoutUrl() : null;
    const answer = { ok: true as const, ...(issuerLogout && { issuerLogout }) };
    return done(preparedJson(spell(answer), [['Set-Cookie', endedCookie]]));
  },
);

const getSessionAnswer = z.object(session);

const getSession = dashboardRoute(
  'GET /v1/dashboard/me',
  {
    budget: budgets.serverCalls,
    answer: getSessionAnswer,
    description: {
      operationId: 'getSession',
      tag: 'Dashboard',
      summary: 'The user of this session',
      description: 'Gives the csrfToken again, for a page that was reloaded.',
      examples: [{ summary: 'Of this session' }],
    },
  },
  async ({ ports, principal, request }) => {
    const { organisationId, userId, expiresAt } = principal;
    const found = await ports.catalog('users.get', { organisationId, userId });
    if (!found.ok) return found;
    const csrfToken = csrfTokenOf(sessionTokenOf(request.cookie)!);
    return secretOnce({ ...found.value, csrfToken, expiresAt }, 200);
  },
);

const listWorkspacesAnswer = z.object({ workspaces: z.array(workspace) });

const listWorkspaces = serverRoute(
  'GET /v1/workspaces',
  {
    budget: budgets.serverCalls,
    answer: listWorkspacesAnswer,
    description: {
      operationId: 'listWorkspaces',
      tag: 'Workspaces',
      summary: 'All workspaces',
      description: "The workspaces of the caller's organisation, disabled ones too.",
      examples: [{ summary: 'All of them' }],
    },
  },
  ({ ports, principal }) => ports.catalog('workspaces.list', { scope: scopeOf(principal) }),
);

const one = z.object({ workspace });

const details = { externalRef: optional(externalRef.nullable()), defaultRegion: optional(z.enum(regions)) };

const workspaceBody = z.object({ name, ...details });

const createWorkspace = serverRoute(
  'POST /v1/workspaces',
  {
    budget: budgets.serverCalls,
    answer: one,
    body: workspaceBody,
    idempotent: true,
    status: 201,
    description: {
      operationId: 'createWorkspace',
      tag: 'Workspaces',
      summary: 'Create a workspace',
      description:
        'Charts and events of the workspace are then visible to its own keys alone, and to keys of the whole ' +
        'organisation.',
      refusals: ['forbidden'],
      examples: [
        { summary: 'For a touring company', body: { name: 'On tour', defaultRegion: 'north-america-east' } },
        {
          summary: 'In an unknown region',
          body: { name: 'On tour', defaultRegion: 'moon' },
          answers: 'invalid_request',
        },
      ],
    },
  },
  (call) =>
    call.ports.catalog('workspaces.create', { scope: scopeOf(call.principal), ...call.body, ...callIdOf(call) }),
);

const getWorkspace = serverRoute(
  'GET /v1/workspaces/{id}',
  {
    budget: budgets.serverCalls,
    answer: one,
    description: {
      operationId: 'getWorkspace',
      tag: 'Workspaces',
      summary: 'One workspace',
      description: 'The workspace with its name and status.',
      refusals: ['not_found'],
      examples: [
        { summary: 'The default workspace' },
        { summary: 'An unknown workspace', path: { id: 'ws_0' }, answers: 'not_found' },
      ],
    },
  },
  (call) => call.ports.catalog('workspaces.get', target(call)),
);

function target(call: Call<'server', unknown, null> & WithPath<'id'>) {
  return { scope: scopeOf(call.principal), workspaceId: call.path.id };
}

const workspaceUpdateBody = z.object({
  name: optional(name),
  ...details,
  status: optional(z.enum(['active', 'disabled'])),
  isDefault: optional(z.literal(true)),
});

const updateWorkspace = serverRoute(
  'PATCH /v1/workspaces/{id}',
  {
    budget: budgets.serverCalls,
    answer: one,
    body: workspaceUpdateBody,
    description: {
      operationId: 'updateWorkspace',
      tag: 'Workspaces',
      summary: 'Change a workspace, disable it, or make it the default',
      description:
        'A disabled workspace takes no new charts and events, and its embedded sessions end. The default workspace ' +
        'cannot be disabled.',
      refusals: ['forbidden', 'not_found', 'nothing_to_update', 'default_workspace_required'],
      examples: [
        { summary: 'Another name', body: { name: 'Main house', externalRef: 'house-1' } },
        {
          summary: 'Disable the default workspace',
          body: { status: 'disabled' },
          answers: 'default_workspace_required',
        },
        { summary: 'Without a field', body: {}, answers: 'nothing_to_update' },
        { summary: 'An unknown workspace, without a field', path: { id: 'ws_0' }, body: {}, answers: 'not_found' },
        { summary: 'An unknown workspace', path: { id: 'ws_0' }, body: { name: 'Main house' }, answers: 'not_found' },
      ],
    },
  },
  (call) => call.ports.catalog('workspaces.update', { ...target(call), ...call.body }),
);

export const dashboardRoutes = [logIn, logOut, getSession];

export const workspacesRoutes = [listWorkspaces, createWorkspace, getWorkspace, updateWorkspace];
