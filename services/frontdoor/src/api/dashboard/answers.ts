/** Answers of dashboard sessions. */
import { z } from 'zod';
import { epochMs, ok, organisation, user } from '../records/records.ts';

const session = {
  user,
  organisation,
  csrfToken: z.string().describe('Send this token in X-CSRF-Token with every call that has the cookie, except a GET.'),
  expiresAt: epochMs.describe('When the session expires, 12 hours after the login.'),
};

export const logInAnswer = z.object(session);

export const logOutAnswer = z.object({ ok });

export const getSessionAnswer = z.object(session);
