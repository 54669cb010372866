/**
 * The way of a request, top to bottom: the credential (identify), the budget, the rights, the body, which is received
 * only now, the event (admit), the query, a kept answer (once), then the route's handler. For a hold the handler goes
 * on to placement and the shard client. The result becomes an answer on the way back. Every step may end the request
 * with a refusal.
 *
 * All steps share the request's deadline (`deadlineAt`), so that no step begins a wait of its own length. The body
 * alone moves the deadline on, by the time in which the body arrives: a slow sender has a bound in http/body.ts, and
 * takes no time from the steps behind the body. The credential is looked up first and for at most `catalogDeadlineMs`,
 * which is no longer than any deadline.
 *
 * A step whose answer is known here gives it without a promise, and only a promise is awaited: a hold waits for its
 * body and for its event's actor.
 *
 * Failure at each await: if the key or the event cannot be looked up, `catalog_unavailable`; if the owner of the budget
 * or the event does not answer by the deadline, `shard_unavailable`; if the body exceeds a bound, `payload_too_large`
 * or `overloaded`; if the caller goes away before the end of the body, a refusal without a listener. All are values. An
 * exception is a bug and rejects: http/answering.ts logs it, and answers 500 without details.
 */
import type { Capability } from '@parterre/shared/protocol/catalog/scope';
import { done, type Outcome, refuse } from '@parterre/shared/protocol/errors';
import { largeBodyBytesMin } from '@parterre/shared/protocol/limits';
import { tracing } from '@parterre/shared/runtime/tracing';
import { type Answer, answerOf, EventStream } from '../answers/answers.ts';
import { countedLabels, turnOfLabels } from './bulk-calls.ts';
import { budgetOf, overBudget, refusedCredential } from './charging.ts';
import { eventInScope, type KnownEvent, knownInTime } from './events-cache.ts';
import { once } from './idempotency.ts';
import { bodyBytesMaxOf, overBytes, partyOf } from './large-bodies.ts';
import {
  type Asker,
  type BuyerAsking,
  type BuyerPrincipal,
  type ConsolePrincipal,
  type DesignerPrincipal,
  type EditorPrincipal,
  isManage,
} from './principal.ts';
import { designerAlone } from './principals.ts';
import { readBody, readQuery } from './reading.ts';
import type { AdmissionPorts, Call, Credential, Judge, Judged, Lease, PageBody, Request, Route, Row } from './route.ts';
import { mayPerform } from './rules/role-rights.ts';

/** Takes the end of a request: an answer, or an exception. One of the two is called once. */
export type Asking = {
  onAnswer(answer: Answer | EventStream): void;
  onFault(error: unknown): void;
};

/** Throws an exception of the first steps, which run at once. Every later exception goes to `asking`. */
export function submit<Ports extends AdmissionPorts>(
  ports: Ports,
  route: Route<Ports>,
  request: Request,
  asking: Asking,
): void {
  new Submission(ports, route, request, asking).begin();
}

class Submission<Ports extends AdmissionPorts> {
  readonly #ports: Ports;
  readonly #route: Route<Ports>;
  readonly #request: Request;
  readonly #asking: Asking;
  #asker: Asker = null;
  /** The body that was received before the credential was known. */
  #early: Outcome<unknown> | null = null;
  #waitsFrom = 0;
  #body: unknown = undefined;
  /** The turns of a large body and of a call with many labels, until the end of the request. */
  #bodyTurn: Lease | null = null;
  #labelsTurn: Lease | null = null;
  /** The bytes that a large body in chunks was charged with when it turned out to be large. */
  #chargedBytes = 0;
  #isOver = false;

  constructor(ports: Ports, route: Route<Ports>, request: Request, asking: Asking) {
    this.#ports = ports;
    this.#route = route;
    this.#request = request;
    this.#asking = asking;
  }

  /**
   * The body may carry the credential, so it is short (anonymousBodyBytesMax). An unreadable body carries none: the
   * request is charged to its address, then refused.
   */
  begin(): void {
    if (this.#route.credential === 'page') this.#receive();
    else this.#identify(undefined);
  }

  #identify(body: PageBody | undefined): void {
    const asker = this.#early?.ok === false ? nothing : identify(this.#ports, this.#route, this.#request, body);
    if (asker instanceof Promise) this.#await(asker, this.#onAsker);
    else this.#onAsker(asker);
  }

  #onAsker(asker: Outcome<Asker>): void {
    if (!asker.ok) {
      this.#await(refusedCredential(this.#ports, this.#request, asker), this.#end);
      return;
    }
    this.#asker = asker.value;
    this.#request.asker = asker.value;
    const { budgets } = this.#ports;
    const budget = budgetOf(this.#route, asker.value);
    const counted = budget && budgets ? overBudget(budgets, budget, this.#request, asker.value) : null;
    if (counted instanceof Promise) this.#await(counted, this.#onCounted);
    else this.#onCounted(counted);
  }

  #onCounted(refused: Outcome<never> | Answer | null): void {
    if (refused) {
      this.#end(refused);
      return;
    }
    const allowed = this.#mayCall();
    if (!allowed.ok) this.#end(allowed);
    else if (this.#early) this.#onBody(this.#early);
    else this.#receive();
  }

  #mayCall(): Outcome<null> {
    const asker = this.#asker;
    if (isDesigner(asker)) return mayDesign(this.#route, this.#request.params[0], asker);
    if (asker !== null && asker !== true && asker.kind === 'dashboard') return mayPerform(asker.role, this.#route);
    return mayUse(this.#route.capabilities, asker);
  }

  #receive(): void {
    const { incoming } = this.#request;
    if (incoming === null) {
      this.#read();
      return;
    }
    this.#waitsFrom = this.#ports.clock.elapsed();
    if (incoming.declaredBytes !== null && incoming.declaredBytes > largeBodyBytesMin) {
      this.#takeTurn(incoming.declaredBytes, () => incoming.whole(this));
    } else {
      incoming.whole(this);
    }
  }

  /** Called by a body in chunks that turns out to be large. */
  onLarge(bytes: number): void {
    this.#chargedBytes = bytes;
    this.#takeTurn(bytes, () => this.#request.incoming?.goOn());
  }

  /** A refused body counts as long as its route allows, for its session: the rest of it was dropped. */
  #chargeRest(received: Outcome<Buffer>): void {
    const rest = (received.ok ? received.value.length : this.#route.bodyBytesMax) - this.#chargedBytes;
    if (rest > 0) overBytes(this.#ports.budgets, partyOf(this.#asker, this.#request), rest, !received.ok);
  }

  /** `bytes` of the body are declared, or have come. The wait for the turn is time of this request, not of its body. */
  #takeTurn(bytes: number, then: () => void): void {
    const { clock, budgets, largeBodies } = this.#ports;
    const party = partyOf(this.#asker, this.#request);
    const bytesMax = Math.min(bodyBytesMaxOf(this.#asker), this.#route.bodyBytesMax);
    const over = overBytes(budgets, party, bytes, bytes > bytesMax);
    if (over) {
      this.#end(over);
      return;
    }
    this.#request.incoming!.bound(bytesMax);
    if (bytes > bytesMax) {
      then();
      return;
    }
    const from = clock.elapsed();
    this.#await(largeBodies.receiving.acquire(party.tenant, party.session, this.#request.deadlineAt), (lease) => {
      this.#waitsFrom += clock.elapsed() - from;
      if (this.#isOver) {
        if (lease.ok) lease.value.release();
      } else if (lease.ok) {
        this.#bodyTurn = lease.value;
        then();
      } else {
        this.#end(lease);
      }
    });
  }

  /** Called by the body, perhaps within `whole`. `body` may be gone after this call. */
  onWhole(received: Outcome<Buffer>): void {
    try {
      const request = this.#request;
      request.deadlineAt += this.#ports.clock.elapsed() - this.#waitsFrom;
      if (this.#chargedBytes > 0) this.#chargeRest(received);
      if (!received.ok) {
        this.#onRead(received);
        return;
      }
      request.incoming = null;
      request.body = received.value;
      this.#read();
    } catch (error) {
      this.#fault(error);
    }
  }

  #read(): void {
    const isLarge = this.#request.body.length > largeBodyBytesMin && !this.#route.rawBody;
    if (isLarge) this.#await(this.#readLarge(), this.#onRead);
    else this.#onRead(readBody(this.#route, this.#request, this.#dropped()));
  }

  /** One body of a tenant at a time. */
  async #readLarge(): Promise<Outcome<unknown>> {
    const request = this.#request;
    const { largeBodies } = this.#ports;
    const { tenant, session } = partyOf(this.#asker, request);
    const lease = await largeBodies.work.acquire(tenant, session, request.deadlineAt);
    if (!lease.ok) return lease;
    try {
      const read = await largeBodies.read(tenant, this.#route, request, this.#dropped(), this.#judge());
      if (!read.ok) return read;
      request.fingerprint = read.value.fingerprint;
      return done(read.value.value);
    } finally {
      lease.value.release();
    }
  }

  #dropped(): readonly string[] {
    return isSecretKey(this.#asker) ? this.#route.droppedForKeys : [];
  }

  #judge(): Judge | null {
    const route = this.#route;
    if (!route.judgeFields || this.#request.idempotencyKey !== '') return null;
    const request = this.#request;
    const call = { ports: this.#ports, request, path: pathOf(route, request), principal: this.#asker };
    return (fields) => route.judgeFields!({ ...call, fields } as Judged<Ports>);
  }

  #onRead(body: Outcome<unknown>): void {
    if (this.#route.credential !== 'page') {
      this.#onBody(body);
      return;
    }
    this.#early = body;
    this.#identify(body.ok ? (body.value as PageBody) : undefined);
  }

  #onBody(body: Outcome<unknown>): void {
    if (!body.ok) {
      this.#end(body);
      return;
    }
    this.#body = body.value;
    const labels = this.#route.labelsIn === null ? 0 : this.#route.labelsIn(body.value as never);
    const counted = labels === 0 ? 0 : countedLabels(labels, this.#asker);
    if (counted === 0) this.#admit();
    else this.#await(turnOfLabels(this.#ports, this.#request, this.#asker, counted), this.#onTurn);
  }

  #onTurn(turn: Outcome<Lease> | Answer): void {
    if ('status' in turn || !turn.ok) {
      this.#end(turn);
      return;
    }
    this.#labelsTurn = turn.value;
    this.#admit();
  }

  #admit(): void {
    const event = this.#route.event ? admit(this.#ports, this.#request, this.#asker) : nothing;
    if (event instanceof Promise) this.#await(event, this.#onEvent);
    else this.#onEvent(event);
  }

  #onEvent(event: Outcome<KnownEvent | null>): void {
    const query = event.ok ? readQuery(this.#route, this.#request) : event;
    if (!event.ok || !query.ok) {
      this.#end(query);
      return;
    }
    const call = {
      ports: this.#ports,
      request: this.#request,
      path: pathOf(this.#route, this.#request),
      principal: this.#asker,
      body: this.#body,
      query: query.value,
      event: event.value,
      callId: null,
    } as AnyCall<Ports>;
    const { span } = this.#request;
    // The body has come by a callback of native code, without the span.
    if (span) tracing!.inside(span, () => this.#carryOut(call));
    else this.#carryOut(call);
  }

  #carryOut(call: AnyCall<Ports>): void {
    const route = this.#route;
    if (route.idempotent && this.#request.idempotencyKey !== '') {
      this.#await(carryOutOnce(route, call), this.#end);
      return;
    }
    const told = route.handle(call);
    if (told instanceof Promise) this.#await(told, this.#end);
    else if ('hear' in told) told.hear((outcome) => this.#onTold(outcome));
    else this.#end(told);
  }

  /** Called in the middle of other requests' answers, so no exception leaves. */
  #onTold(outcome: Outcome<unknown>): void {
    try {
      this.#end(outcome);
    } catch (error) {
      this.#fault(error);
    }
  }

  #end(outcome: Outcome<unknown> | Answer): void {
    this.#release();
    if ('status' in outcome) this.#asking.onAnswer(outcome);
    else if (outcome.ok && outcome.value instanceof EventStream) this.#asking.onAnswer(outcome.value);
    else this.#asking.onAnswer(answerOf(outcome, this.#route.status, this.#request.requestId));
  }

  #await<T>(step: Promise<T>, then: (this: Submission<Ports>, value: T) => void): void {
    step.then((value) => then.call(this, value)).catch((error) => this.#fault(error));
  }

  #fault(error: unknown): void {
    this.#release();
    this.#asking.onFault(error);
  }

  #release(): void {
    this.#isOver = true;
    this.#bodyTurn?.release();
    this.#labelsTurn?.release();
  }
}

/** The parameters of the path, by name. */
function pathOf({ parameters }: Row, { params }: Request): Record<string, string> {
  const path: Record<string, string> = {};
  for (let index = 0; index < parameters.length; index++) path[parameters[index]!] = params[index]!;
  return path;
}

type AnyCall<Ports> = Call<Ports, Credential, unknown, unknown, unknown>;

function carryOutOnce<Ports extends AdmissionPorts>(route: Route<Ports>, call: AnyCall<Ports>): Promise<Answer> {
  const { ports, request, principal } = call;
  return once(ports, route, request, principal as ConsolePrincipal | EditorPrincipal, async (callId) => {
    call.callId = callId;
    return answerOf(repeatable(await settled(route.handle(call))), route.status, request.requestId);
  });
}

type RouteAnswer = ReturnType<Route<AdmissionPorts>['handle']>;

function settled(told: RouteAnswer): Promise<Outcome<unknown>> | Outcome<unknown> {
  return 'hear' in told ? new Promise((resolve) => told.hear(resolve)) : told;
}

/** The caller's Idempotency-Key names the call, so a repetition does no harm, even if the call was carried out. */
function repeatable(outcome: Outcome<unknown>): Outcome<unknown> {
  if (outcome.ok || outcome.refusal.outcome !== 'unknown') return outcome;
  const { code, message } = outcome.refusal;
  return refuse(code, `${message} With the same Idempotency-Key a repeat is harmless.`, { retryable: true });
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
    case 'designer':
      return designerOf(ports, request);
    case 'buyer':
      return ports.principals.buyer(request);
    case 'group-buyer':
      return ports.principals.ownerBuyer(request, { kind: 'group', key: request.params[0]! });
    case 'season-buyer':
      return ports.principals.ownerBuyer(request, { kind: 'season', key: request.params[0]! });
    case 'page':
      return ports.principals.buyer(pageAsking(request, body));
  }
}

async function designerOf({ principals }: AdmissionPorts, request: Request): Promise<Outcome<Asker>> {
  return designerAlone(await principals.editor(request));
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

/** A route of `designer` is about the session itself. */
function mayDesign(
  { credential, authority: needed }: Row,
  chartId: string | undefined,
  designer: DesignerPrincipal,
): Outcome<null> {
  if (credential === 'designer') return nothing;
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
