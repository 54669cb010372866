/** Request bodies of the operator's surface and of logins. */
import {
  budgetLimitMax,
  creditsPerCallMax,
  emailLengthMax,
  passwordLengthMax,
  passwordLengthMin,
} from '@parterre/shared/limits';
import { z } from 'zod';
import { currencyCode, environment, id, mode, name, optional, publicSaleBody, reason } from '../records/records.ts';

export const organisationBody = z.object({
  name,
  currency: currencyCode,
  credits: optional(z.int().min(0).max(creditsPerCallMax)),
});
export const organisationChangesBody = z.object({ publicSale: publicSaleBody });

/** The requests of one window; null lifts the budget. */
const requests = optional(z.int().min(1).max(budgetLimitMax).nullable());
const keyBudgets = z.strictObject({
  serverHolds: requests,
  seasons: requests,
  buyerHolds: requests,
  buyerReads: requests,
  buyerCalls: requests,
});

/** The budgets that count requests with a key of each kind. */
const budgetsOfKind = { secret: ['serverHolds', 'seasons'], publishable: ['buyerHolds', 'buyerReads', 'buyerCalls'] };

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
      const message = `A ${kind} key can only have its own limits for ${budgetsOfKind[kind].join(', ')}.`;
      context.addIssue({ code: 'custom', path: ['budgets', name], message });
    }
  });
export const creditsBody = z.object({ delta: z.int().min(-creditsPerCallMax).max(creditsPerCallMax), reason });

/** Emails are stored and compared in lower case, without outer spaces. */
const email = z.string().trim().toLowerCase().max(emailLengthMax);
const role = z.enum(['admin', 'member']);

export const userBody = z.object({
  email: email.pipe(z.email('Must be an email address.')),
  password: z.string().min(passwordLengthMin).max(passwordLengthMax),
  role,
});
/** An impossible email or password gets the same answer as an unknown one. */
export const loginBody = z.object({ email, password: z.string().max(passwordLengthMax) });
