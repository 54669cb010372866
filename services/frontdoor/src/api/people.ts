/**
 * The people of a deployment beyond their creation (admin.ts) and their login (dashboard.ts): their sessions and
 * passwords, the audit of what they changed, and the movements of credits. The operator asks for any organisation. An
 * owner asks for the own one, and every user for the own sessions and password.
 */
import { textCell } from '@parterre/shared/charts/exports/csv-cell';
import type { CreditMovement } from '@parterre/shared/protocol/catalog/accounts';
import { isOwner } from '@parterre/shared/protocol/catalog/scope';
import { done, type Outcome, refuse } from '@parterre/shared/protocol/errors';
import {
  creditMovementsInFileMax,
  passwordLengthMax,
  passwordLengthMin,
  resetTokenLengthMax,
} from '@parterre/shared/protocol/limits';
import { z } from 'zod';
import { budgets, type DashboardPrincipal, unbudgeted } from '../admission/admission.ts';
import { type Header, Prepared, secretOnce } from '../answers/answers.ts';
import { standIn, standInPassword } from '../openapi/openapi.ts';
import type { Ports } from './calls/ports.ts';
import { cursor, limit, pageOf } from './calls/query.ts';
import { type Call, dashboardRoute, openRoute, operatorRoute, type WithPath } from './calls/route.ts';
import { signInFrom } from './dashboard.ts';
import { count, epochMs, nextCursor, ok, text, textOrNull } from './records.ts';

const pageQuery = z.object({
  limit: limit({ usual: 100, most: 200 }, z.string(), 'Entries on one page: 1 to 200, 100 if absent. Clamped.'),
  cursor,
});

const by = {
  kind: z.enum(['root', 'user', 'key', 'session', 'nobody']).describe('`nobody`: a caller before the login.'),
  id: textOrNull.describe('The id of the user, key or session.'),
  address: text.describe("The caller's address, behind trusted proxies."),
};

const auditAnswer = z.object({
  entries: z.array(
    z.object({
      id: text,
      at: epochMs,
      organisationId: textOrNull,
      action: text.describe('For example `key.create`, `login`, `credits.add`.'),
      by: z.object({ ...by, requestId: text, email: textOrNull }),
      subject: text.describe('The id of the changed thing, or the email of a login.'),
      outcome: text.describe('`done`, or the code of the refusal of a login.'),
      facts: z.record(z.string(), z.unknown()).describe('What was changed. Never a secret.'),
    }),
  ),
  nextCursor,
});

const notThere = { summary: 'Of an unknown organisation', path: { id: 'org_0' }, answers: 'not_found' } as const;

const audit = operatorRoute(
  'GET /v1/admin/audit',
  {
    budget: unbudgeted.operator,
    answer: auditAnswer,
    query: pageQuery,
    description: {
      operationId: 'listAudit',
      tag: 'Operator',
      summary: 'The audit of the deployment, newest first',
      description:
        'Who changed an organisation, user, key, budget, credit, webhook or workspace, who signed in or failed to, and ' +
        'who ended sessions: when, from which address, in which request. An entry stays for `PARTERRE_AUDIT_DAYS`.',
      examples: [{ summary: 'The last two', query: { limit: '2' } }],
    },
  },
  ({ ports, query }) => ports.catalog('audit.list', { organisationId: null, page: pageOf(query) }),
);

const organisationAudit = operatorRoute(
  'GET /v1/admin/organisations/{id}/audit',
  {
    budget: unbudgeted.operator,
    answer: auditAnswer,
    query: pageQuery,
    description: {
      operationId: 'listOrganisationAudit',
      tag: 'Operator',
      summary: 'The audit of one organisation, newest first',
      description: 'The entries of the organisation. Logins with an unknown email are in the audit of the deployment.',
      refusals: ['not_found'],
      examples: [{ summary: 'All of them' }, notThere],
    },
  },
  async ({ ports, path, query }) => {
    const found = await ports.catalog('organisations.get', { organisationId: path.id });
    return found.ok ? ports.catalog('audit.list', { organisationId: path.id, page: pageOf(query) }) : found;
  },
);

const ownAudit = dashboardRoute(
  'GET /v1/dashboard/audit',
  {
    budget: budgets.serverCalls,
    answer: auditAnswer,
    query: pageQuery,
    description: {
      operationId: 'listOwnAudit',
      tag: 'Dashboard',
      summary: "The audit of the user's organisation, newest first",
      description: 'For owners (role `admin`).',
      examples: [{ summary: 'The last ten', query: { limit: '10' } }],
    },
  },
  ({ ports, principal, query }) =>
    ports.catalog('audit.list', { organisationId: principal.organisationId, page: pageOf(query) }),
);

const movement = z.object({
  id: text,
  delta: z.int(),
  reason: text,
  by: z.object(by).nullable(),
  at: epochMs,
  balance: z.int().describe('The balance after the movement: granted credits minus sold units at that time.'),
});

export const creditsAnswer = z.object({
  movements: z.array(movement),
  credits: z.int().describe('The balance now.'),
  nextCursor,
});

const listCredits = operatorRoute(
  'GET /v1/admin/organisations/{id}/credits',
  {
    budget: unbudgeted.operator,
    answer: creditsAnswer,
    query: pageQuery,
    description: {
      operationId: 'listCredits',
      tag: 'Operator',
      summary: 'The movements of granted credits, newest first',
      description:
        'Each movement has its reason, its caller and the balance after it. Sales are no movements: they lower the ' +
        'balance between two movements.',
      refusals: ['not_found'],
      examples: [{ summary: 'The last two', query: { limit: '2' } }, notThere],
    },
  },
  ({ ports, path, query }) => ports.catalog('credits.list', { organisationId: path.id, page: pageOf(query) }),
);

const creditsFile = operatorRoute(
  'GET /v1/admin/organisations/{id}/credits.csv',
  {
    budget: unbudgeted.operator,
    answer: null,
    description: {
      operationId: 'getCreditsFile',
      tag: 'Operator',
      summary: 'The movements of granted credits as a CSV file',
      description:
        'A line for each movement, newest first, at most 10,000: at (ISO 8601, UTC), delta, balance, reason, byKind, ' +
        'byId, address, id. A text that a spreadsheet would run as a formula has an apostrophe in front.',
      mediaTypes: ['text/csv'],
      headers: ['Content-Disposition'],
      refusals: ['not_found'],
      examples: [{ summary: 'The file' }, notThere],
    },
  },
  ({ ports, path }) => creditsFileOf(ports, path.id),
);

export async function creditsFileOf(ports: Ports, organisationId: string): Promise<Outcome<Prepared>> {
  const movements = await allMovements(ports, organisationId);
  if (!movements.ok) return movements;
  const lines = movements.value.map(lineOf);
  const headers: Header[] = [
    ['Content-Type', 'text/csv; charset=utf-8'],
    ['Content-Disposition', `attachment; filename="${organisationId}-credits.csv"`],
  ];
  return done(
    new Prepared(200, headers, ['at,delta,balance,reason,byKind,byId,address,id', ...lines, ''].join('\r\n')),
  );
}

const movementsAtOnce = 200;

async function allMovements({ catalog }: Ports, organisationId: string): Promise<Outcome<CreditMovement[]>> {
  const movements: CreditMovement[] = [];
  for (let cursor: string | undefined; ; ) {
    const page = { limit: movementsAtOnce, ...(cursor !== undefined && { cursor }) };
    const found = await catalog('credits.list', { organisationId, page });
    if (!found.ok) return found;
    movements.push(...found.value.movements);
    cursor = found.value.nextCursor;
    if (cursor === undefined || movements.length >= creditMovementsInFileMax) return done(movements);
  }
}

function lineOf({ id, at, delta, balance, reason, by: caller }: CreditMovement): string {
  const who = [caller?.kind ?? '', caller?.id ?? '', caller?.address ?? ''];
  // biome-ignore lint/style/noRestrictedGlobals: spells a given time, and reads no clock.
  return [new Date(at).toISOString(), delta, balance, ...[reason, ...who, id].map(textCell)].join(',');
}

const session = z.object({
  id: text.describe('The name of the session in lists. It opens nothing.'),
  createdAt: epochMs,
  seenAt: epochMs.describe('The last use, to some minutes.'),
  expiresAt: epochMs,
  address: textOrNull.describe('The address of the login.'),
  userAgent: textOrNull.describe('The name that the browser gave itself at the login.'),
  via: z.enum(['password', 'oidc']),
  current: z.boolean().describe('True for the session of this call.'),
});

const sessionsAnswer = z.object({ sessions: z.array(session) });
const endedAnswer = z.object({ ok, ended: count.describe('The sessions that this call has ended.') });
const unknownUser = { summary: 'An unknown user', path: { userId: 'usr_0' }, answers: 'not_found' } as const;
const whenRefused = 'Every front door refuses an ended session within one second, and closes its sockets.';

const userSessions = operatorRoute(
  'GET /v1/admin/organisations/{id}/users/{userId}/sessions',
  {
    budget: unbudgeted.operator,
    answer: sessionsAnswer,
    description: {
      operationId: 'listUserSessions',
      tag: 'Operator',
      summary: 'The dashboard sessions of a user, oldest first',
      description: 'The sessions that have neither ended nor expired.',
      refusals: ['not_found'],
      examples: [{ summary: 'All of them' }, unknownUser],
    },
  },
  ({ ports, path }) => ports.catalog('sessions.list', { organisationId: path.id, userId: path.userId }),
);

const endUserSessions = operatorRoute(
  'DELETE /v1/admin/organisations/{id}/users/{userId}/sessions',
  {
    budget: unbudgeted.operator,
    answer: endedAnswer,
    description: {
      operationId: 'endUserSessions',
      tag: 'Operator',
      summary: 'End all dashboard sessions of a user',
      description: whenRefused,
      refusals: ['not_found'],
      examples: [{ summary: 'All of them' }, unknownUser],
    },
  },
  ({ ports, path }) => ports.catalog('sessions.end-some', { organisationId: path.id, userId: path.userId }),
);

const endUserSession = operatorRoute(
  'DELETE /v1/admin/organisations/{id}/users/{userId}/sessions/{dashboardSessionId}',
  {
    budget: unbudgeted.operator,
    answer: endedAnswer,
    description: {
      operationId: 'endUserSession',
      tag: 'Operator',
      summary: 'End one dashboard session of a user',
      description: whenRefused,
      refusals: ['not_found'],
      examples: [
        { summary: 'One of them' },
        { summary: 'An unknown session', path: { dashboardSessionId: 'dsh_0' }, answers: 'not_found' },
      ],
    },
  },
  ({ ports, path: { id, userId, dashboardSessionId } }) =>
    ports.catalog('sessions.end-some', { organisationId: id, userId, sessionId: dashboardSessionId }),
);

export const resetAnswer = z.object({
  token: text.describe('Sets a new password once. Only its hash is stored.'),
  expiresAt: epochMs.describe('24 hours after the call.'),
});

const beginReset = operatorRoute(
  'POST /v1/admin/organisations/{id}/users/{userId}/password-reset',
  {
    budget: unbudgeted.operator,
    answer: resetAnswer,
    status: 201,
    description: {
      operationId: 'beginPasswordReset',
      tag: 'Operator',
      summary: 'Make a token with which a user sets a new password',
      description:
        'Hand the token over to the user: the server sends no mail. A later token replaces it. The old password and the ' +
        'sessions of the user stay valid until the token is used.',
      refusals: ['not_found'],
      examples: [{ summary: 'A token' }, unknownUser],
    },
  },
  async ({ ports, path }) => resetOf(ports, path.id, path.userId),
);

export async function resetOf(ports: Ports, organisationId: string, userId: string) {
  const begun = await ports.catalog('passwords.begin-reset', { organisationId, userId });
  return begun.ok ? secretOnce(begun.value) : begun;
}

const ownersOnly = refuse('forbidden', 'Only an owner of the organisation may do this. Ask an owner, or the operator.');

type UserCall = Call<'dashboard', unknown, null> & WithPath<'userId'>;

/** A user asks for the own user, an owner for every user of the organisation. */
function targetOf({ principal, path: { userId } }: UserCall): Outcome<{ organisationId: string; userId: string }> {
  const isOwn = principal.userId === userId;
  return isOwn || isOwner(principal.role) ? done({ organisationId: principal.organisationId, userId }) : ownersOnly;
}

const keptSession = ({ userId, sessionHash }: DashboardPrincipal, target: { userId: string }) =>
  userId === target.userId ? { keepHash: sessionHash } : {};

const ownSessions = dashboardRoute(
  'GET /v1/dashboard/users/{userId}/sessions',
  {
    budget: budgets.serverCalls,
    answer: sessionsAnswer,
    description: {
      operationId: 'listOwnSessions',
      tag: 'Dashboard',
      summary: 'The sessions of this user, oldest first',
      description: 'An owner may ask for every user of the organisation, another user for the own sessions.',
      refusals: ['not_found'],
      examples: [{ summary: 'All of them' }, unknownUser],
    },
  },
  async (call) => {
    const target = targetOf(call);
    if (!target.ok) return target;
    return call.ports.catalog('sessions.list', { ...target.value, currentHash: call.principal.sessionHash });
  },
);

const endOwnSessions = dashboardRoute(
  'DELETE /v1/dashboard/users/{userId}/sessions',
  {
    budget: budgets.serverCalls,
    answer: endedAnswer,
    description: {
      operationId: 'endOwnSessions',
      tag: 'Dashboard',
      summary: "End a user's sessions, but not the session of this call",
      description: `An owner may end the sessions of every user of the organisation. ${whenRefused}`,
      refusals: ['not_found'],
      examples: [{ summary: 'All others' }, unknownUser],
    },
  },
  async (call) => {
    const target = targetOf(call);
    if (!target.ok) return target;
    return call.ports.catalog('sessions.end-some', { ...target.value, ...keptSession(call.principal, target.value) });
  },
);

const endOwnSession = dashboardRoute(
  'DELETE /v1/dashboard/users/{userId}/sessions/{dashboardSessionId}',
  {
    budget: budgets.serverCalls,
    answer: endedAnswer,
    description: {
      operationId: 'endOwnSession',
      tag: 'Dashboard',
      summary: 'End one session of a user',
      description: `An owner may end a session of every user of the organisation. ${whenRefused}`,
      refusals: ['not_found'],
      examples: [
        { summary: 'One of them' },
        { summary: 'An unknown session', path: { dashboardSessionId: 'dsh_0' }, answers: 'not_found' },
      ],
    },
  },
  async (call) => {
    const target = targetOf(call);
    if (!target.ok) return target;
    const sessionId = (call.path as Record<string, string>).dashboardSessionId!;
    return call.ports.catalog('sessions.end-some', { ...target.value, sessionId });
  },
);

const ownerReset = dashboardRoute(
  'POST /v1/dashboard/users/{userId}/password-reset',
  {
    budget: budgets.serverCalls,
    answer: resetAnswer,
    status: 201,
    description: {
      operationId: 'beginPasswordResetAsOwner',
      tag: 'Dashboard',
      summary: 'Make a token with which a user of the organisation sets a new password',
      description: 'For owners. Hand the token over to the user: the server sends no mail. A later token replaces it.',
      refusals: ['not_found'],
      examples: [{ summary: 'A token' }, unknownUser],
    },
  },
  ({ ports, principal, path }) => resetOf(ports, principal.organisationId, path.userId),
);

const newPassword = z.string().min(passwordLengthMin).max(passwordLengthMax);

const changePassword = dashboardRoute(
  'POST /v1/dashboard/password',
  {
    budget: budgets.logins,
    answer: endedAnswer,
    body: z.object({ oldPassword: z.string().max(passwordLengthMax), password: newPassword }),
    description: {
      operationId: 'changePassword',
      tag: 'Dashboard',
      summary: "Change the user's own password",
      description:
        'Asks for the old password, and counts it as a login: five wrong ones lock the login. The other sessions of the ' +
        'user end. This session goes on.',
      refusals: ['login_locked', 'overloaded', 'not_found'],
      examples: [
        { summary: 'A new password', body: { oldPassword: standInPassword, password: 'eight seats in row D' } },
        {
          summary: 'With a wrong old password',
          body: { oldPassword: 'not that one', password: 'eight seats in row D' },
          answers: 'forbidden',
        },
        {
          summary: 'A short password',
          body: { oldPassword: standInPassword, password: 'short' },
          answers: 'invalid_request',
        },
      ],
    },
  },
  async ({ ports, principal, body, request }) => {
    const { organisationId, userId, sessionHash } = principal;
    const who = { organisationId, userId, sessionHash };
    return ports.catalog('passwords.change', { ...who, ...body, ...signInFrom(request) });
  },
);

const resetPassword = openRoute(
  'POST /v1/dashboard/password-reset',
  {
    budget: budgets.logins,
    answer: endedAnswer,
    body: z.object({ token: z.string().max(resetTokenLengthMax), password: newPassword }),
    description: {
      operationId: 'resetPassword',
      tag: 'Dashboard',
      summary: 'Set a new password with a token',
      description: 'The token works once. All sessions of the user end. Sign in with the new password afterwards.',
      refusals: ['unauthorized', 'overloaded', 'catalog_unavailable'],
      examples: [
        { summary: 'A new password', body: { token: standIn.resetToken, password: 'eight seats in row D' } },
        {
          summary: 'With an unknown token',
          body: { token: 'prt_0', password: 'eight seats in row D' },
          answers: 'unauthorized',
        },
      ],
    },
  },
  async ({ ports, body, request }) => {
    const set = await ports.catalog('passwords.reset', { ...body, ...signInFrom(request) });
    return set.ok ? done({ ok: true as const, ended: set.value.ended }) : set;
  },
);

export const peopleRoutes = [
  audit,
  organisationAudit,
  ownAudit,
  listCredits,
  creditsFile,
  userSessions,
  endUserSessions,
  endUserSession,
  beginReset,
  ownSessions,
  endOwnSessions,
  endOwnSession,
  ownerReset,
  changePassword,
  resetPassword,
];
