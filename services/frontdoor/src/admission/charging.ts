/**
 * Charges a request to its budget, and a request with a refused credential to its caller's address. Has the 429
 * answers, whose form differs by route: each budget names its form (`refusal`, budget.ts).
 *
 * Failure at each await: the owner of the budget does not answer → its refusal (budgets.ts); the catalog does not
 * answer about a credential that was refused → the refusal stays, and the address is charged.
 */
import { type Outcome, type Refusal, statusByCode } from '@parterre/shared/protocol/errors';
import type { Spent } from '@parterre/shared/runtime/fixed-windows';
import { type Answer, type Header, jsonType } from '../answers/answers.ts';
import { type Budgets, secondsOf } from './budgets.ts';
import { type Asker, type ConsoleAsking, type ConsolePrincipal, isManage } from './principal.ts';
import type { AdmissionPorts, Request, Row } from './route.ts';
import { type Budget, countedBy, countsAddress, hasOwnLimit, limitedBudget, budgets as table } from './rules/budget.ts';

/** The parts of a request that budgets read. */
type Charged = Pick<Request, 'requestId' | 'deadlineAt' | 'params' | 'address'>;

/** All requests of a manage session share one budget over all routes. */
export function budgetOf({ budget }: Row, asker: Asker): Budget | null {
  return isManage(asker) ? table.manageSessions : budget;
}

/** The refusal of a request; null if it may go on. */
type Refused = Outcome<never> | Answer | null;

/**
 * Counts the request, as `weight` requests. Its refusal if the budget is used up or cannot be counted; null if it may
 * go on.
 */
export function overBudget(
  budgets: Budgets,
  budget: Budget,
  request: Charged,
  asker: Asker,
  weight = 1,
): Refused | Promise<Refused> {
  const principal = asker === true ? null : asker;
  const key = principal !== null && 'keyId' in principal ? principal : null;
  const limited = limitedBudget(budget, budgets.limits, key?.budgets);
  if (limited === null) return null;
  const countedAs = countedBy(limited, {
    keyId: key?.keyId ?? null,
    token: principal !== null && 'keyHash' in principal ? principal.keyHash : null,
    userId: principal !== null && 'userId' in principal ? principal.userId : null,
    organisationId: principal?.organisationId ?? null,
    address: countsAddress(budget) ? request.address() : '',
    pathKey: request.params[0] ?? '',
    ...(key && hasOwnLimit(budget, key.budgets) ? { limitedKey: key.keyId } : {}),
  });
  if (countedAs === null) return null;
  const spending = budgets.spend(limited, countedAs, principal?.organisationId ?? '', request.deadlineAt, weight);
  const refusalOf = (spent: Outcome<Spent>): Refused => {
    if (!spent.ok) return spent;
    budgets.uses.note(limited, countedAs, principal, spent.value);
    if (spent.value.allowed) return null;
    if (principal) budgets.refused.noteCaller(limited, key?.keyId ?? '', principal.organisationId);
    return tooManyAnswer(limited, spent.value, request.requestId);
  };
  return spending instanceof Promise ? spending.then(refusalOf) : refusalOf(spending);
}

/** The refusal of a socket whose caller is over its budget; null if it may open. */
export async function overSocketBudget(
  { budgets }: AdmissionPorts,
  asker: ConsolePrincipal,
  request: Charged,
): Promise<Outcome<never> | Answer | null> {
  if (!budgets) return null;
  return overBudget(budgets, isManage(asker) ? table.manageSessions : table.serverCalls, request, asker);
}

/**
 * The answer to a request whose credential was refused. The request is charged to a manage session that may not use
 * this route, else to its address (budgets.ts).
 */
export async function refusedCredential(
  { principals, budgets }: AdmissionPorts,
  request: Charged & ConsoleAsking,
  refused: { ok: false; refusal: Refusal },
): Promise<Outcome<never> | Answer> {
  if (!budgets || !isOfCredential(refused.refusal)) return refused;
  if (refused.refusal.code === 'forbidden') {
    const asker = await principals.console(request);
    if (asker.ok && isManage(asker.value))
      return (await overBudget(budgets, table.manageSessions, request, asker.value)) ?? refused;
  }
  return budgets.overFailures(request.address()) ?? refused;
}

/** False where the credential could not be checked, or its check was refused. */
function isOfCredential({ code }: Refusal): boolean {
  const status = statusByCode[code];
  return status === 401 || status === 403 || status === 404;
}

const MESSAGE = 'Too many requests. This request did nothing. Wait, then repeat it.';

export function tooManyAnswer(budget: Budget, { remaining, resetAfterMs }: Spent, requestId: string): Answer {
  const refusal: Refusal = {
    code: 'rate_limited',
    message: MESSAGE,
    details: { budget: `${budget.name}: ${budget.limit} in ${budget.windowMs / 1000} s` },
  };
  if (budget.refusal === 'error only') {
    return { status: 429, headers: [jsonType], body: JSON.stringify({ error: 'rate_limited' }), refusal };
  }
  const seconds = secondsOf(resetAfterMs);
  const body = {
    error: 'rate_limited',
    ...(budget.refusal === 'without code' ? {} : { code: 'rate_limited' }),
    message: MESSAGE,
    requestId,
    retryAfterSeconds: seconds,
  };
  const headers: Header[] = [jsonType, ['Retry-After', String(seconds)]];
  if (budget.refusal !== 'Retry-After only') {
    headers.push(
      ['RateLimit-Limit', String(budget.limit)],
      ['RateLimit-Remaining', String(remaining)],
      ['RateLimit-Reset', String(seconds)],
      ['RateLimit-Policy', `${budget.limit};w=${budget.windowMs / 1000}`],
    );
  }
  return { status: 429, headers, body: JSON.stringify(body), refusal };
}
