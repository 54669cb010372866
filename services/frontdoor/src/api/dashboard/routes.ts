/** Login to the dashboard, and logout. Each route checks the rights of a session. */
import { done } from '@parterre/shared/errors';
import {
  budgets,
  countedAddress,
  csrfTokenOf,
  endedCookie,
  networkOf,
  sessionCookie,
  sessionTokenOf,
} from '../../admission/admission.ts';
import { preparedJson, secretOnce, spell } from '../../answers/answers.ts';
import { loginBody } from '../admin/admin.ts';
import { dashboardRoute, openRoute } from '../calls/calls.ts';
import { emptyBody } from '../records/records.ts';
import { getSessionAnswer, logInAnswer, logOutAnswer } from './answers.ts';

const logins = { budget: budgets.logins };
const counted = { budget: budgets.serverCalls };

export const dashboardRoutes = [
  openRoute(
    'POST /v1/dashboard/login',
    { ...logins, answer: logInAnswer, body: loginBody },
    async ({ ports, body, request }) => {
      const from = request.address();
      const caller = { network: networkOf(from), address: countedAddress(from) };
      const opened = await ports.catalog('sessions.create', { ...body, ...caller });
      if (!opened.ok) return opened;
      const { token, expiresAt, ...who } = opened.value;
      const cookie = sessionCookie(token, expiresAt - ports.clock.now());
      return secretOnce({ ...who, csrfToken: csrfTokenOf(token), expiresAt }, 200, [['Set-Cookie', cookie]]);
    },
  ),

  dashboardRoute(
    'POST /v1/dashboard/logout',
    { ...counted, answer: logOutAnswer, body: emptyBody, bodyOptional: true },
    async ({ ports, principal }) => {
      const ended = await ports.catalog('sessions.end', { hash: principal.sessionHash });
      if (!ended.ok) return ended;
      ports.principals.drop(principal.sessionHash);
      return done(preparedJson(spell(ended.value), [['Set-Cookie', endedCookie]]));
    },
  ),

  dashboardRoute(
    'GET /v1/dashboard/me',
    { ...counted, answer: getSessionAnswer },
    async ({ ports, principal, request }) => {
      const { organisationId, userId, expiresAt } = principal;
      const found = await ports.catalog('users.get', { organisationId, userId });
      if (!found.ok) return found;
      const csrfToken = csrfTokenOf(sessionTokenOf(request.cookie)!);
      return secretOnce({ ...found.value, csrfToken, expiresAt }, 200);
    },
  ),
];
