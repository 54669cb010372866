/**
 * The way of a request, top to bottom: the credential (identify), the budget, the rights, the body, which is received
 * only now, the event (admit), the query, a kept answer (once), then the route's handler. For a hold the handler goes on
 * to placement and the shard client. The result becomes an answer on the way back. Every step may end the request with a
 * refusal.
 *
 * Failure at each await: if the key or the event cannot be looked up, `catalog_unavailable`; if the owner of the budget
 * or the event does not answer, `shard_unavailable`; if the body exceeds a bound, `payload_too_large` or `overloaded`;
 * if the caller goes away before the end of the body, a refusal without a listener. All are values. An exception is a
 * bug: the front door logs it, and answers 500 without details.
 */
import type { Capability } from '@parterre/shared/catalog/scope';
import { done, type Outcome, type Refusal, refuse } from '@parterre/shared/errors';
import { type Answer, answerOf, answerOfRefusal, EventStream } from '../answers/answers.ts';
import { type Budget, countedBy, hasOwnLimit, limitedBudget, budgets as table } from './budget.ts';
import type { Budgets } from './budgets.ts';
import { eventInScope, type KnownEvent } from './events-cache.ts';
import { once } from './idempotency.ts';
import type { BuyerPrincipal, ConsolePrincipal, DesignerPrincipal, EditorPrincipal } from './principal.ts';
import { readBody, readQuery } from './reading.ts';
import type { AdmissionPorts, Call, Credential, PageBody, Request, Route, Row } from './route.ts';
import { tooManyAnswer } from './too-many.ts';

type Asker = true | null | ConsolePrincipal | EditorPrincipal | BuyerPrincipal;

/** Never rejects. */
export async function submit<Ports extends AdmissionPorts>(
  ports: Ports,
  route: Route<Ports>,
  request: Request,
): Promise<Answer | EventStream> {
  try {
    const outcome = await run(ports, route, request);
    if ('status' in outcome) return outcome;
    if (outcome.ok && outcome.value instanceof EventStream) return outcome.value;
    return answerOf(outcome, route.status, request.requestId);
  } catch (error) {
    ports.onFault(error, request.requestId);
    const internal = refuse(
      'internal_error',
      'The server has a fault. The fault is logged under the requestId of this answer.',
    );
    return answerOfRefusal(internal.refusal, request.requestId);
  }
}

async function run<Ports extends AdmissionPorts>(
  ports: Ports,
  route: Route<Ports>,
  request: Request,
): Promise<Outcome<unknown> | Answer> {
  // The body may carry the credential, so it is short (anonymousBodyBytesMax). An unreadable body carries none: the
  // request is charged to its address, then refused.
  const early = route.credential === 'page' ? await receiveBody(route, request) : null;
  const asker = early?.ok === false ? nothing : await identify(ports, route, request, early?.value as PageBody);
  if (!asker.ok) return (await overBudgetElsewhere(ports, request, asker.refusal)) ?? asker;

  const { budgets } = ports;
  const budget = budgetOf(route, asker.value);
  const refused = budget && budgets ? await overBudget(budgets, budget, request, asker.value) : null;
  if (refused) return refused;

  const allowed = isDesigner(asker.value)
    ? mayDesign(route.authority, request.params[0], asker.value)
    : mayUse(route.capabilities, asker.value);
  if (!allowed.ok) return allowed;

  const dropped = isSecretKey(asker.value) ? route.droppedForKeys : [];
  const body = early ?? (await receiveBody(route, request, dropped));
  if (!body.ok) return body;

  const event = route.event ? await admit(ports, request, asker.value) : nothing;
  if (!event.ok) return event;

  const query = readQuery(route, request);
  if (!query.ok) return query;

  const carryOut = (callId: string | null) => {
    const call = {
      ports,
      request,
      principal: asker.value,
      body: body.value,
      query: query.value,
      event: event.value,
      callId,
    };
    return route.handle(call as Call<Ports, Credential, unknown, unknown, unknown>);
  };
  if (!route.idempotent || request.idempotencyKey === '') return carryOut(null);
  return once(ports, route, request, asker.value as ConsolePrincipal | EditorPrincipal, async (callId) =>
    answerOf(await carryOut(callId), route.status, request.requestId),
  );
}

async function receiveBody(route: Row, request: Request, dropped?: readonly string[]): Promise<Outcome<unknown>> {
  if (request.incoming) {
    const received = await request.incoming.whole();
    if (!received.ok) return received;
    request.incoming = null;
    request.body = received.value;
  }
  return readBody(route, request, dropped);
}

const nothing = done(null);

/** `body` is given if the route's body may carry the credential. */
function identify(
  ports: AdmissionPorts,
  route: Row,
  request: Request,
  body: PageBody | undefined,
): Outcome<Asker> | Promise<Outcome<Asker>> {
  switch (route.credential) {
    case 'none':
      return nothing;
    case 'operator':
      return ports.principals.operator(request.authorization);
    case 'server':
      return ports.principals.server(request);
    case 'dashboard':
      return ports.principals.dashboard(request);
    case 'console':
      return ports.principals.console(request);
    case 'editor':
      return ports.principals.editor(request);
    case 'buyer':
      return ports.principals.buyer(request.authorization, request.origin);
    case 'page':
      return ports.principals.buyer(credentialOfPage(request, body), request.origin);
  }
}

/** A page with a bearer token never falls back to the key in the body. */
function credentialOfPage({ authorization }: Request, body: PageBody | undefined): string {
  return authorization || (body?.publicKey ? `Bearer ${body.publicKey}` : '');
}

/** All requests of a manage session share one budget over all routes. */
function budgetOf({ budget }: Row, asker: Asker): Budget | null {
  return isManage(asker) ? table.manageSessions : budget;
}

const notForConsoles = refuse('forbidden', 'A manage session cannot be used here.');

/** A manage session needs one of `capabilities`. An empty list admits no manage session. */
export function mayUse(capabilities: readonly Capability[], asker: Asker): Outcome<null> {
  if (!isManage(asker)) return nothing;
  const [capability] = capabilities;
  if (capability === undefined) return notForConsoles;
  if (capabilities.some((one) => asker.capabilities.includes(one))) return nothing;
  return refuse('capability_required', `This manage session lacks ${capability}.`, { details: { capability } });
}

function isManage(asker: Asker): asker is Extract<ConsolePrincipal, { kind: 'manage' }> {
  return asker !== null && asker !== true && asker.kind === 'manage';
}

function isSecretKey(asker: Asker): boolean {
  return asker !== null && asker !== true && asker.kind === 'secret';
}

function isDesigner(asker: Asker): asker is DesignerPrincipal {
  return asker !== null && asker !== true && asker.kind === 'designer';
}

const authorities = ['read-only', 'edit', 'publish'] as const;

function mayDesign(needed: Row['authority'], chartId: string | undefined, designer: DesignerPrincipal): Outcome<null> {
  if (chartId !== designer.chartId) return refuse('chart_not_found', 'There is no such chart.');
  const reaches = needed !== null && authorities.indexOf(designer.authority) >= authorities.indexOf(needed);
  return reaches ? nothing : refuse('forbidden', `This designer session is for ${designer.authority} only.`);
}

/** The refusal of a socket whose manage session is over its budget; null if it may go on. */
export async function overConsoleBudget(
  { budgets }: AdmissionPorts,
  asker: ConsolePrincipal,
  requestId: string,
): Promise<Outcome<never> | Answer | null> {
  if (!budgets || !isManage(asker)) return null;
  return overBudget(budgets, table.manageSessions, { requestId, params: [], address: '' }, asker);
}

/** A manage session is refused on a route for other credentials. The request still counts in the session's budget. */
async function overBudgetElsewhere(
  { principals, budgets }: AdmissionPorts,
  request: Request,
  { code }: Refusal,
): Promise<Outcome<never> | Answer | null> {
  if (!budgets || code !== 'forbidden') return null;
  const asker = await principals.console(request);
  return asker.ok && isManage(asker.value) ? overBudget(budgets, table.manageSessions, request, asker.value) : null;
}

async function overBudget(
  budgets: Budgets,
  budget: Budget,
  request: Pick<Request, 'requestId' | 'params' | 'address'>,
  asker: Asker,
): Promise<Outcome<never> | Answer | null> {
  const principal = asker === true ? null : asker;
  const key = principal !== null && 'keyId' in principal ? principal : null;
  const limited = limitedBudget(budget, budgets.limits, key?.budgets);
  if (limited === null) return null;
  const countedAs = countedBy(limited, {
    keyId: key?.keyId ?? null,
    token: principal !== null && 'keyHash' in principal ? principal.keyHash : null,
    organisationId: principal?.organisationId ?? null,
    address: request.address,
    pathKey: request.params[0] ?? '',
    ...(key && hasOwnLimit(budget, key.budgets) ? { limitedKey: key.keyId } : {}),
  });
  if (countedAs === null) return null;
  const spent = await budgets.spend(limited, countedAs);
  if (!spent.ok) return spent;
  return spent.value.allowed ? null : tooManyAnswer(limited, spent.value, request.requestId);
}

async function admit(ports: AdmissionPorts, request: Request, asker: Asker): Promise<Outcome<KnownEvent>> {
  const key = request.params[0]!;
  const found = await ports.events.get(key);
  return eventInScope(found, asker as ConsolePrincipal | BuyerPrincipal);
}
