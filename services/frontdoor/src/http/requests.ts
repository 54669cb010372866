/**
 * HTTP in and out. This file keeps the rules of the server library: the head of a request is read before the first
 * await, `onAborted` is registered before anything else, chunks are copied, writes after an await are corked, and a
 * response whose connection is gone is never written to.
 *
 * States of an exchange: reading → submitted → answered; a large body passes through sending (sending.ts) before
 * answered. If the caller goes away, any state goes to aborted. An aborted exchange finishes its work and sends no
 * answer.
 *
 * An exception is a bug, and ends one exchange: with 500, or with a closed connection once the status line is written
 * (`fail`). No exception leaves a callback of the library, because that would end the process.
 */

import type { HttpRequest, HttpResponse, TemplatedApp } from 'uWebSockets.js';
import type { RefusalCode } from '@parterre/shared/protocol/errors';
import { randomText } from '@parterre/shared/protocol/ids';
import { tracing } from '@parterre/shared/runtime/tracing';
import {
  type AdmissionPorts,
  type Asking,
  type Method,
  type Request,
  type Route,
  type Row,
  submit,
} from '../admission/admission.ts';
import { type Answer, answerOfRefusal, type Header, nothingHere } from '../answers/answers.ts';
import { fail, respond } from './answering.ts';
import { type Flood, IncomingBody, tooManyPieces } from './body.ts';
import { isPageOrigin, preflight } from './cors.ts';
import { type Exchange, guard, type HttpCounters } from './exchange.ts';
import { type Headers, readHeaders } from './framing.ts';
import { addressOf, currentTurn, endWithinRead, isBehindFlood, noteEndOfFlood } from './last-request.ts';
import type { RouteMatch, Router } from './router.ts';
import { beginSpan, endSpan } from './traced.ts';

const REQUEST_ID_FORM = /^[A-Za-z0-9._:-]{1,128}$/;

const processName = randomText(12);

let lastRequest = 0;

export function requestIdOf(headers: Headers): string {
  if (REQUEST_ID_FORM.test(headers.requestId)) return headers.requestId;
  return `${processName}-${++lastRequest}`;
}

export function serveHttp<Ports extends AdmissionPorts>(
  app: TemplatedApp,
  router: Router<Ports>,
  ports: Ports,
  counters: HttpCounters,
): void {
  app.any('/*', (response, request) => {
    let exchange: Exchange | null = null;
    try {
      if (isBehindFlood(response)) {
        response.close();
        return;
      }
      const headers = readHeaders(request);
      const method = request.getMethod().toUpperCase();
      const path = request.getUrl();
      exchange = open(response, headers, path, method, ports, counters);
      onRequest(exchange, request, headers, method, path, router, ports, counters);
    } catch (error) {
      if (exchange !== null) fail(exchange, counters, error);
      else answerUnread(response, ports, error);
    }
  });
}

/** The head could not be read. The library needs an answer within this call. */
function answerUnread(response: HttpResponse, ports: AdmissionPorts, error: unknown): void {
  ports.onFault(error, '');
  response.close();
}

function onRequest(
  exchange: Exchange,
  request: HttpRequest,
  headers: Headers,
  method: string,
  path: string,
  router: Router<AdmissionPorts>,
  ports: AdmissionPorts,
  counters: HttpCounters,
): void {
  if (isFromConsole(path, headers.origin, headers.authorization))
    exchange.cors = corsOfConsole(ports, headers, exchange);
  if (headers.framingFault) {
    turnAway(exchange, counters, 'invalid_framing', headers.framingFault);
    return;
  }
  if (headers.chunked) exchange.body = chunkedBody(ports, exchange, counters);
  else if (exchange.lastOfConnection)
    exchange.body = incomingBody(ports, exchange, counters, headers.contentLength, noFlood);
  if (method === 'OPTIONS' && exchange.origin) {
    respond(exchange, counters, preflight);
    return;
  }
  const found = router(method, path);
  if (method === 'OPTIONS' && found.kind !== 'route') {
    const allowed = consolePreflight(path, router(headers.requestedMethod, path), headers.origin);
    respond(exchange, counters, allowed ?? noRoute(found, exchange.requestId));
    return;
  }
  if (found.kind !== 'route') {
    respond(exchange, counters, noRoute(found, exchange.requestId));
    return;
  }
  const read = requestOf(ports, found, exchange, headers, method, request.getQuery());
  const hasBody = headers.chunked || (headers.contentLength ?? 0) > 0;
  if (hasBody && (found.route.schema !== null || found.route.rawBody)) {
    exchange.body ??= incomingBody(ports, exchange, counters, headers.contentLength, noFlood);
    exchange.body.keep(found.route.bodyBytesMax, !found.route.rawBody && !found.route.idempotent);
    read.incoming = exchange.body;
  }
  exchange.traffic = counters.traffic.of(found.route);
  handOver(ports, counters, exchange, found.route, read);
}

const TOKEN_FORM = /^bearer +[md]se_/i;

/**
 * Cross-origin headers of /v1, for pages that embed a console (mse_) or a designer (dse_). The one origin that the
 * session is bound to may read the answer, even if the session has ended or lacks a right. Without such a session, or
 * from another origin, no page may read anything. Cookies are never allowed.
 *
 * A preflight carries no credential. So it is answered for every origin that a session could be bound to, at the
 * addresses that a session can call, and at unknown addresses, so that a page can read the 404. It grants nothing: a
 * page reads the answer that follows only with a session's token for its own origin.
 *
 * Whether the request comes from a page with the token of an embedded session.
 */
function isFromConsole(path: string, origin: string, authorization: string): boolean {
  return origin !== '' && path.startsWith('/v1/') && TOKEN_FORM.test(authorization);
}

const varies: Header = ['Vary', 'Origin'];

/** Null where no embedded session can call this. `asked` is the route that the preflight asks for. */
function consolePreflight(path: string, asked: RouteMatch<AdmissionPorts>, origin: string): Answer | null {
  const isOpen = asked.kind === 'route' ? isOfSessions(asked.route) : asked.kind === 'unknown';
  if (!isOpen || !path.startsWith('/v1/') || !isPageOrigin(origin)) return null;
  return {
    status: 204,
    headers: [
      ['Access-Control-Allow-Origin', origin],
      ['Access-Control-Allow-Methods', 'GET, POST, PUT, PATCH, DELETE'],
      ['Access-Control-Allow-Headers', 'Authorization, Content-Type, Idempotency-Key, X-Request-ID, If-None-Match'],
      ['Access-Control-Max-Age', '600'],
      varies,
    ],
    body: '',
  };
}

function isOfSessions({ credential }: Row): boolean {
  return credential === 'console' || credential === 'editor' || credential === 'designer';
}

const noFlood: Flood = { begins() {}, ends() {} };

function incomingBody(
  { clock }: AdmissionPorts,
  exchange: Exchange,
  counters: HttpCounters,
  declaredBytes: number | null,
  flood: Flood,
): IncomingBody {
  return new IncomingBody(exchange.response, declaredBytes, clock, flood, (error) => fail(exchange, counters, error));
}

function chunkedBody(ports: AdmissionPorts, exchange: Exchange, counters: HttpCounters): IncomingBody {
  let address = '';
  return incomingBody(ports, exchange, counters, null, {
    begins() {
      if (exchange.gone) return;
      address = addressOf(exchange.response);
      endWithinRead(exchange, counters, answerOfRefusal(tooManyPieces.refusal, exchange.requestId));
    },
    ends: () => noteEndOfFlood(address),
  });
}

/** If the catalog does not tell the session's origin, no page may read the answer. */
async function corsOfConsole(
  ports: AdmissionPorts,
  { origin, authorization, requestId, forwardedFor }: Headers,
  exchange: Exchange,
): Promise<readonly Header[]> {
  try {
    const from = { address: clientAddressOf(ports, exchange, forwardedFor) };
    return consoleCorsHeaders(origin, await ports.principals.boundOrigin(authorization, from));
  } catch (error) {
    ports.onFault(error, requestId);
    return consoleCorsHeaders(origin, null);
  }
}

const exposed: Header = [
  'Access-Control-Expose-Headers',
  'Retry-After, X-Request-ID, ETag, Idempotent-Replayed, Content-Disposition',
];

/** `bound` is the origin that the token's session is bound to; null for an unknown token. */
function consoleCorsHeaders(origin: string, bound: string | null): readonly Header[] {
  return bound === origin ? [['Access-Control-Allow-Origin', origin], exposed, varies] : [varies];
}

function noRoute(found: Exclude<RouteMatch<AdmissionPorts>, { kind: 'route' }>, requestId: string): Answer {
  if (found.kind === 'unknown') return answerOfRefusal(nothingHere.refusal, requestId);
  const message = `This address does not take this method. Send ${found.allow}.`;
  const answer = answerOfRefusal({ code: 'method_not_allowed', message }, requestId);
  return { ...answer, headers: [...answer.headers, ['Allow', found.allow]] };
}

function requestOf(
  ports: AdmissionPorts,
  { route, params }: Extract<RouteMatch<AdmissionPorts>, { kind: 'route' }>,
  exchange: Exchange,
  headers: Headers,
  method: string,
  query: string,
): Request {
  exchange.route = route;
  const read: Request = {
    method: method as Method,
    requestId: exchange.requestId,
    deadlineAt: exchange.startedAt + route.deadlineMs,
    params,
    query: query === '' ? noQuery : new URLSearchParams(query),
    authorization: headers.authorization,
    contentType: headers.contentType,
    idempotencyKey: headers.idempotencyKey,
    origin: headers.origin,
    ifNoneMatch: headers.ifNoneMatch,
    accept: headers.accept,
    acceptEncoding: headers.acceptEncoding,
    host: headers.host,
    forwardedProto: headers.forwardedProto,
    cookie: headers.cookie,
    csrfToken: headers.csrfToken,
    mode: headers.mode,
    userAgent: headers.userAgent,
    address: clientAddressOf(ports, exchange, headers.forwardedFor),
    caller: exchange,
    asker: null,
    span: null,
    incoming: null,
    body: noBody,
  };
  exchange.request = read;
  if (tracing !== null) beginSpan(tracing, exchange, route, read, headers.traceparent);
  return read;
}

function handOver(
  ports: AdmissionPorts,
  counters: HttpCounters,
  exchange: Exchange,
  route: Route<AdmissionPorts>,
  request: Request,
): void {
  const asking: Asking = {
    onAnswer: (answer) => respond(exchange, counters, answer),
    onFault: (error) => fail(exchange, counters, error),
  };
  const { span } = exchange;
  if (span) tracing!.inside(span, () => submit(ports, route, request, asking));
  else submit(ports, route, request, asking);
}

const noQuery = new URLSearchParams();

const noBody = Buffer.alloc(0);

function open(
  response: HttpResponse,
  headers: Headers,
  path: string,
  method: string,
  ports: AdmissionPorts,
  counters: HttpCounters,
): Exchange {
  const exchange: Exchange = {
    response,
    requestId: requestIdOf(headers),
    method,
    route: null,
    request: null,
    startedAt: ports.clock.elapsed(),
    traffic: null,
    span: null,
    origin: path.startsWith('/pub/') ? headers.origin : null,
    cors: null,
    extraHeaders: [],
    headOnly: method === 'HEAD',
    lastOfConnection: headers.chunked || headers.framingFault !== '' || closesBehindBody(headers, counters),
    body: null,
    turn: currentTurn(),
    isBegun: false,
    ended: false,
    gone: false,
    onGone: null,
    hasFailed: false,
    onFault: ports.onFault,
  };
  counters.underWay++;
  response.onAborted(() => {
    exchange.gone = true;
    if (exchange.ended) return;
    exchange.ended = true;
    counters.underWay--;
    if (exchange.span) endSpan(exchange, null);
    guard(
      () => {
        exchange.body?.end(false);
        exchange.onGone?.();
      },
      (error) => ports.onFault(error, exchange.requestId),
    );
  });
  return exchange;
}

/**
 * The body of such a client is passed over before the answer. The client would read nothing from a connection that is
 * closed while it sends.
 */
function closesBehindBody({ closes, contentLength }: Headers, { draining }: HttpCounters): boolean {
  return (closes || draining) && contentLength !== null && contentLength > 0;
}

function turnAway(exchange: Exchange, counters: HttpCounters, code: RefusalCode, message: string): void {
  respond(exchange, counters, answerOfRefusal({ code, message }, exchange.requestId));
}

/** The caller's address, once it is asked for. The library tells it only while the connection is open. */
export function clientAddressOf(
  { clientAddress }: AdmissionPorts,
  caller: Pick<Exchange, 'response' | 'gone'>,
  forwardedFor: string,
): Request['address'] {
  let known: string | undefined;
  return () => {
    known ??= caller.gone ? '' : clientAddress(addressOf(caller.response), forwardedFor);
    return known;
  };
}
