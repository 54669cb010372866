/**
 * The way of a request, top to bottom: who asks (identify), how often (budget), what for (validate), of which event
 * (admit), whether it was answered before (once), then the route's handler, which for a hold goes on to placement and the shard client;
 * and back as an answer.
 * Every step may end it with a refusal.
 *
 * Failure at each await: the key or the event cannot be looked up (`catalog_unavailable`), the owner of the budget or the
 * event does not answer (`shard_unavailable`); both are values. Anything thrown is a bug: logged, answered 500 without a word about it.
 */
import { isUtf8 } from 'node:buffer';
import type { Capability } from '@parterre/shared/catalog/scope';
import { done, type Issue, type Outcome, type Refusal, refuse } from '@parterre/shared/errors';
import type { ZodError } from 'zod';
import { type Answer, answerOf, answerOfRefusal, EventStream } from '../answers/answer.ts';
import type { Ports } from '../ports.ts';
import { type Budget, countedBy, hasOwnLimit, limitedBudget, budgets as table } from './budget.ts';
import type { Budgets } from './budgets.ts';
import { eventInScope, type KnownEvent } from './events-cache.ts';
import { once } from './idempotency.ts';
import type { BuyerPrincipal, ConsolePrincipal, DesignerPrincipal, EditorPrincipal } from './principals.ts';
import type { Call, Credential, PageBody, Request, Route } from './route.ts';
import { tooManyAnswer } from './too-many.ts';

type Asker = true | null | ConsolePrincipal | EditorPrincipal | BuyerPrincipal;

/** Never rejects. */
export async function submit(ports: Ports, route: Route, request: Request): Promise<Answer | EventStream> {
  try {
    const outcome = await run(ports, route, request);
    if ('status' in outcome) return outcome;
    if (outcome.ok && outcome.value instanceof EventStream) return outcome.value;
    return answerOf(outcome, route.status, request.requestId);
  } catch (error) {
    ports.onFault(error, request.requestId);
    const internal = refuse('internal_error', 'Something went wrong here. It has been logged.');
    return answerOfRefusal(internal.refusal, request.requestId);
  }
}

async function run(ports: Ports, route: Route, request: Request): Promise<Outcome<unknown> | Answer> {
  // A body that cannot be read names nobody: it is refused once it was counted.
  const early = route.credential === 'page' ? validate(route, request) : null;
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

  const body = early ?? validate(route, request, isSecretKey(asker.value) ? route.droppedForKeys : []);
  if (!body.ok) return body;

  const event = route.event ? await admit(ports, request, asker.value) : nothing;
  if (!event.ok) return event;

  const carryOut = (callId: string | null) => {
    const call = { ports, request, principal: asker.value, body: body.value, event: event.value, callId };
    return route.handle(call as Call<Credential, unknown, unknown>);
  };
  if (!route.idempotent || request.idempotencyKey === '') return carryOut(null);
  return once(ports, route, request, asker.value as ConsolePrincipal | EditorPrincipal, async (callId) =>
    answerOf(await carryOut(callId), route.status, request.requestId),
  );
}

const nothing = done(null);

/** `body` where the credential may be in it. */
function identify(
  ports: Ports,
  route: Route,
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

/** A page that has configured a token as well never falls back to the key. */
function credentialOfPage({ authorization }: Request, body: PageBody | undefined): string {
  return authorization || (body?.publicKey ? `Bearer ${body.publicKey}` : '');
}

/** All that comes with a manage session has one budget, whatever the route. */
function budgetOf({ budget }: Route, asker: Asker): Budget | null {
  return isManage(asker) ? table.manageSessions : budget;
}

const notForConsoles = refuse('forbidden', 'A manage session has no authority here.');

/** One of these is needed; none: no manage session may. */
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

function mayDesign(
  needed: Route['authority'],
  chartId: string | undefined,
  designer: DesignerPrincipal,
): Outcome<null> {
  if (chartId !== designer.chartId) return refuse('chart_not_found', 'There is no such chart.');
  const reaches = needed !== null && authorities.indexOf(designer.authority) >= authorities.indexOf(needed);
  return reaches ? nothing : refuse('forbidden', `This designer session is for ${designer.authority} only.`);
}

/** What a socket that comes with a manage session is refused with; null where it may go on. */
export async function overConsoleBudget(
  { budgets }: Ports,
  asker: ConsolePrincipal,
  requestId: string,
): Promise<Outcome<never> | Answer | null> {
  if (!budgets || !isManage(asker)) return null;
  return overBudget(budgets, table.manageSessions, { requestId, params: [], address: '' }, asker);
}

/** A manage session on a route that no console may use is refused there, and counted as anywhere. */
async function overBudgetElsewhere(
  { principals, budgets }: Ports,
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

const KEY_FORM = /^[A-Za-z0-9._:-]{1,128}$/;
const JSON_TYPE = /^application\/(?:[a-z0-9.+-]+\+)?json\s*(?:;|$)/i;

/** Content type, JSON, schema: parsed once, trusted from here on. */
function validate(route: Route, request: Request, dropped: readonly string[] = []): Outcome<unknown> {
  if (request.idempotencyKey !== '' && !KEY_FORM.test(request.idempotencyKey)) {
    return refuse('invalid_idempotency_key', 'Idempotency-Key has 1 to 128 letters, digits, dots, _, : or -.');
  }
  if (route.rawBody) return done(request.body);
  if (route.schema === null) return done(undefined);
  const read = readJson(route, request);
  if (!read.ok) return read;
  const parsed = route.schema.safeParse(without(read.value, dropped));
  if (parsed.success) return done(parsed.data);
  const details = { issues: issuesOf(parsed.error) };
  return refuse('invalid_request', 'The body does not fit this route.', { details });
}

function without(value: unknown, dropped: readonly string[]): unknown {
  if (dropped.length === 0 || typeof value !== 'object' || value === null || Array.isArray(value)) return value;
  return Object.fromEntries(Object.entries(value).filter(([name]) => !dropped.includes(name)));
}

function readJson(route: Route, request: Request): Outcome<unknown> {
  const { body } = request;
  if (body.length === 0 && route.bodyOptional) return done({});
  if (body.length > 0 && !route.anyType && !JSON_TYPE.test(request.contentType)) {
    return refuse('unsupported_media_type', 'Send JSON, with Content-Type: application/json.');
  }
  try {
    if (isUtf8(body)) {
      const text = body.toString('utf8');
      const value: unknown = JSON.parse(text);
      if (!HALF_PAIR_PERHAPS.test(text) || isWellFormed(value)) return done(value);
    }
  } catch {
    // Said below: what a parser says of its input helps nobody.
  }
  return refuse('invalid_json', 'The body is not JSON in UTF-8.');
}

/** Only an escape can spell half a surrogate pair in a body that is UTF-8: few bodies have one, and only these are looked through. */
const HALF_PAIR_PERHAPS = /\\u[dD][89a-fA-F]/;
const HALF_PAIR = /\p{Surrogate}/u;

/** Texts that differ in a half pair only would all be the same text once they are stored: two orders would become one. */
function isWellFormed(value: unknown): boolean {
  if (typeof value === 'string') return !HALF_PAIR.test(value);
  if (value === null || typeof value !== 'object') return true;
  return Object.entries(value).every(([name, field]) => !HALF_PAIR.test(name) && isWellFormed(field));
}

const ISSUES_MAX = 100;

function issuesOf(error: ZodError): Issue[] {
  return error.issues.slice(0, ISSUES_MAX).map(({ path, message }) => ({ path: path.join('.'), message }));
}

async function admit(ports: Ports, request: Request, asker: Asker): Promise<Outcome<KnownEvent>> {
  const key = request.params[0]!;
  const found = await ports.events.get(key);
  return eventInScope(found, asker as ConsolePrincipal | BuyerPrincipal);
}
