/**
 * The way of a request, top to bottom: the credential (identify), the budget, the rights, the body, which is received
 * only now, the event (admit), the query, a kept answer (once), then the route's handler. For a hold the handler goes on
 * to placement and the shard client. The result becomes an answer on the way back. Every step may end the request with a
 * refusal.
 *
 * All steps share the request's deadline (`deadlineAt`), so that no step begins a wait of its own length. The body alone
 * moves the deadline on, by the time in which the body arrives: a slow sender has a bound in http/body.ts, and takes no
 * time from the steps behind the body. The credential is looked up first and for at most `catalogDeadlineMs`, which is
 * no longer than any deadline.
 *
 * A step whose answer is known here gives it without a promise, and only a promise is awaited: a hold waits for its body
 * and for its event's actor.
 *
 * Failure at each await: if the key or the event cannot be looked up, `catalog_unavailable`; if the owner of the budget
 * or the event does not answer by the deadline, `shard_unavailable`; if the body exceeds a bound, `payload_too_large`
 * or `overloaded`; if the caller goes away before the end of the body, a refusal without a listener. All are values. An
 * exception is a bug and rejects: http/answering.ts logs it, and answers 500 without details.
 */
import type { Capability } from '@parterre/shared/catalog/scope';
import { done, type Outcome, refuse } from '@parterre/shared/errors';
import { type Answer, answerOf, EventStream } from '../answers/answers.ts';
import { budgetOf, overBudget, refusedCredential } from './charging.ts';
import { eventInScope, type KnownEvent, knownInTime } from './events-cache.ts';
import { once } from './idempotency.ts';
import {
  type Asker,
  type BuyerAsking,
  type BuyerPrincipal,
  type ConsolePrincipal,
  type DesignerPrincipal,
  type EditorPrincipal,
  isManage,
} from './principal.ts';
import { readBody, readQuery } from './reading.ts';
import type { AdmissionPorts, Call, Credential, PageBody, Request, Route, Row } from './route.ts';

/** Rejects only for an exception, which the HTTP side answers. */
export function submit<Ports extends AdmissionPorts>(
  ports: Ports,
  route: Route<Ports>,
  request: Request,
): Promise<Answer | EventStream> {
  return run(ports, route, request).then((outcome) => {
    if ('status' in outcome) return outcome;
    if (outcome.ok && outcome.value instanceof EventStream) return outcome.value;
    return answerOf(outcome, route.status, request.requestId);
  });
}

async function run<Ports extends AdmissionPorts>(
  ports: Ports,
  route: Route<Ports>,
  request: Request,
): Promise<Outcome<unknown> | Answer> {
  // The body may carry the credential, so it is short (anonymousBodyBytesMax). An unreadable body carries none: the
  // request is charged to its address, then refused.
  const early = route.credential === 'page' ? await receiveBody(ports, route, request) : null;
  const identified = early?.ok === false ? nothing : identify(ports, route, request, early?.value as PageBody);
  const asker = identified instanceof Promise ? await identified : identified;
  if (!asker.ok) return refusedCredential(ports, request, asker);

  const { budgets } = ports;
  const budget = budgetOf(route, asker.value);
  if (budget && budgets) {
    const counted = overBudget(budgets, budget, request, asker.value);
    const refused = counted instanceof Promise ? await counted : counted;
    if (refused) return refused;
  }

  const allowed = isDesigner(asker.value)
    ? mayDesign(route.authority, request.params[0], asker.value)
    : mayUse(route.capabilities, asker.value);
  if (!allowed.ok) return allowed;

  const dropped = isSecretKey(asker.value) ? route.droppedForKeys : [];
  const received = early ?? receiveBody(ports, route, request, dropped);
  const body = received instanceof Promise ? await received : received;
  if (!body.ok) return body;

  const admitted = route.event ? admit(ports, request, asker.value) : nothing;
  const event = admitted instanceof Promise ? await admitted : admitted;
  if (!event.ok) return event;

  const query = readQuery(route, request);
  if (!query.ok) return query;

  const call = {
    ports,
    request,
    principal: asker.value,
    body: body.value,
    query: query.value,
    event: event.value,
    callId: null,
  } as AnyCall<Ports>;
  return await (route.idempotent && request.idempotencyKey !== '' ? carryOutOnce(route, call) : route.handle(call));
}

type AnyCall<Ports> = Call<Ports, Credential, unknown, unknown, unknown>;

function carryOutOnce<Ports extends AdmissionPorts>(route: Route<Ports>, call: AnyCall<Ports>): Promise<Answer> {
  const { ports, request, principal } = call;
  return once(ports, route, request, principal as ConsolePrincipal | EditorPrincipal, async (callId) => {
    call.callId = callId;
    return answerOf(repeatable(await route.handle(call)), route.status, request.requestId);
  });
}

/** The caller's Idempotency-Key names the call, so a repetition does no harm, even if the call was carried out. */
function repeatable(outcome: Outcome<unknown>): Outcome<unknown> {
  if (outcome.ok || outcome.refusal.outcome !== 'unknown') return outcome;
  const { code, message } = outcome.refusal;
  return refuse(code, `${message} With the same Idempotency-Key a repeat is harmless.`, { retryable: true });
}

function receiveBody(
  { clock }: AdmissionPorts,
  route: Row,
  request: Request,
  dropped?: readonly string[],
): Outcome<unknown> | Promise<Outcome<unknown>> {
  if (!request.incoming) return readBody(route, request, dropped);
  const waitsFrom = clock.elapsed();
  return request.incoming.whole().then((received) => {
    request.deadlineAt += clock.elapsed() - waitsFrom;
    if (!received.ok) return received;
    request.incoming = null;
    request.body = received.value;
    return readBody(route, request, dropped);
  });
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
      return ports.principals.buyer(request);
    case 'page':
      return ports.principals.buyer(pageAsking(request, body));
  }
}

/** A page with a bearer token never falls back to the key in the body. */
function pageAsking({ authorization, origin, address }: Request, body: PageBody | undefined): BuyerAsking {
  return { authorization: authorization || (body?.publicKey ? `Bearer ${body.publicKey}` : ''), origin, address };
}

const notForConsoles = refuse('forbidden', 'A manage session cannot be used here. Use a secret key on your server.');

/** A manage session needs one of `capabilities`. An empty list admits no manage session. */
export function mayUse(capabilities: readonly Capability[], asker: Asker): Outcome<null> {
  if (!isManage(asker)) return nothing;
  const [capability] = capabilities;
  if (capability === undefined) return notForConsoles;
  if (capabilities.some((one) => asker.capabilities.includes(one))) return nothing;
  return refuse(
    'capability_required',
    `This manage session lacks ${capability}. Ask for it in capabilities when you create the session.`,
    { details: { capability } },
  );
}

function isSecretKey(asker: Asker): boolean {
  return asker !== null && asker !== true && asker.kind === 'secret';
}

function isDesigner(asker: Asker): asker is DesignerPrincipal {
  return asker !== null && asker !== true && asker.kind === 'designer';
}

const authorities = ['read-only', 'edit', 'publish'] as const;

function mayDesign(needed: Row['authority'], chartId: string | undefined, designer: DesignerPrincipal): Outcome<null> {
  if (chartId !== designer.chartId)
    return refuse('chart_not_found', 'This designer session is for another chart. Create a session for this chart.');
  const reaches = needed !== null && authorities.indexOf(designer.authority) >= authorities.indexOf(needed);
  return reaches
    ? nothing
    : refuse(
        'forbidden',
        `The authority of this designer session is ${designer.authority}. Create a session with a higher authority.`,
      );
}

function admit(
  ports: AdmissionPorts,
  request: Request,
  asker: Asker,
): Outcome<KnownEvent> | Promise<Outcome<KnownEvent>> {
  const caller = asker as ConsolePrincipal | BuyerPrincipal;
  const found = knownInTime(ports, request.params[0]!, request.deadlineAt);
  return found instanceof Promise ? found.then((known) => eventInScope(known, caller)) : eventInScope(found, caller);
}
