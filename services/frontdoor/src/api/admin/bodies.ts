/** The bodies of the operator's surface and of logins (wire contract 2). */
import {
  budgetLimitMax,
  creditsPerCallMax,
  emailLengthMax,
  passwordLengthMax,
  passwordLengthMin,
} from '@parterre/shared/limits';
import { z } from 'zod';
import { currency, environment, id, mode, name, optional, reason } from '../records/body-parts.ts';

export const organisationBody = z.object({
  name,
  currency: currency,
  credits: optional(z.int().min(0).max(creditsPerCallMax)),
});
/** A window's requests; null lifts the budget. */
const requests = optional(z.int().min(1).max(budgetLimitMax).nullable());
const keyBudgets = z.strictObject({
  serverHolds: requests,
  seasons: requests,
  buyerHolds: requests,
  buyerReads: requests,
});

/** The budgets that requests with a key of a kind are counted in. */
const budgetsOfKind = { secret: ['serverHolds', 'seasons'], publishable: ['buyerHolds', 'buyerReads'] };

export const keyBody = z
  .object({
    kind: z.enum(['secret', 'publishable']),
    mode,
    environment: optional(environment.nullable()),
    workspaceId: optional(id.nullable()),
    origins: optional(z.array(z.string().max(300)).max(100)),
    budgets: optional(keyBudgets),
  })
  .superRefine(({ kind, budgets = {} }, context) => {
    for (const name of Object.keys(budgets)) {
      if (budgetsOfKind[kind].includes(name)) continue;
      const message = `A ${kind} key has limits of its own for ${budgetsOfKind[kind].join(' and ')} only.`;
      context.addIssue({ code: 'custom', path: ['budgets', name], message });
    }
  });
export const creditsBody = z.object({ delta: z.int().min(-creditsPerCallMax).max(creditsPerCallMax), reason });

/** As it is kept and compared. */
const email = z.string().trim().toLowerCase().max(emailLengthMax);
const role = z.enum(['admin', 'member']);

export const userBody = z.object({
  email: email.pipe(z.email('An email address.')),
  password: z.string().min(passwordLengthMin).max(passwordLengthMax),
  role,
});
/** Whatever no user can have is answered as what no user has. */
export const loginBody = z.object({ email, password: z.string().max(passwordLengthMax) });
