/** The description of dashboard sessions. */
import { type Description, standIn, standInPassword } from '../../openapi/openapi.ts';

export const dashboardDescriptions = {
  'POST /v1/dashboard/login': {
    operationId: 'logIn',
    tag: 'Dashboard',
    summary: 'Sign in with email and password',
    description:
      'A wrong email and a wrong password get the same answer. Five failures with one email from one network (/24 of ' +
      'IPv4, /64 of IPv6) within 15 minutes lock that email for that network for 15 minutes, for the right password ' +
      'too. Other networks are not affected. A success clears the count of its network. The budget `logins` counts ' +
      'the logins of an address, with any email. The session is the cookie.',
    headers: ['Set-Cookie'],
    refusals: ['unauthorized', 'login_locked', 'catalog_unavailable'],
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
  'POST /v1/dashboard/logout': {
    operationId: 'logOut',
    tag: 'Dashboard',
    summary: 'End this session',
    description: 'Every front door refuses the session within one second, and closes its sockets.',
    headers: ['Set-Cookie'],
    examples: [{ summary: 'Sign out' }],
  },
  'GET /v1/dashboard/me': {
    operationId: 'getSession',
    tag: 'Dashboard',
    summary: 'The user of this session',
    description: 'Gives the csrfToken again, for a page that was reloaded.',
    examples: [{ summary: 'Of this session' }],
  },
} as const satisfies Record<string, Description>;
