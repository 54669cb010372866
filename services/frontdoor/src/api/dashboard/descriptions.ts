/** Sessions of the dashboard, as the description has them. */
import type { Description } from '../../openapi/description.ts';
import { standIn, standInPassword } from '../../openapi/stand-ins.ts';

export const dashboardDescriptions = {
  'POST /v1/dashboard/login': {
    operationId: 'logIn',
    tag: 'Dashboard',
    summary: 'Sign in with email and password',
    description:
      'A wrong email and a wrong password are answered alike. Five failures with one email within 15 minutes lock it for 15 ' +
      'minutes, for the right password too; a success forgets them. The session is the cookie.',
    headers: ['Set-Cookie', 'Cache-Control'],
    refusals: ['unauthorized', 'login_locked', 'catalog_unavailable'],
    examples: [
      { summary: 'With the right password', body: { email: standIn.email, password: standInPassword } },
      {
        summary: 'With another one',
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
  'POST /v1/dashboard/logout': {
    operationId: 'logOut',
    tag: 'Dashboard',
    summary: 'End this session',
    description: 'Every front door refuses it within one second, and its sockets are closed.',
    headers: ['Set-Cookie', 'Cache-Control'],
    examples: [{ summary: 'Sign out' }],
  },
  'GET /v1/dashboard/me': {
    operationId: 'getSession',
    tag: 'Dashboard',
    summary: 'Who is signed in',
    description: 'Gives the csrfToken again, for a page that was loaded anew.',
    headers: ['Cache-Control'],
    examples: [{ summary: 'Of this session' }],
  },
} as const satisfies Record<string, Description>;
