/**
 * HTTP in and out. This file keeps the rules of the server library: the head of a request is read before the first
 * await, `onAborted` is registered before anything else, chunks are copied, writes after an await are corked, and a
 * response whose connection is gone is never written to.
 *
 * States of an exchange: reading → submitted → answered; a large body passes through sending (sending.ts) before
 * answered. The only failure is that the caller goes away: then any state goes to aborted. An aborted exchange finishes
 * its work and sends no answer.
 */
import type { HttpRequest, HttpResponse, TemplatedApp } from 'uWebSockets.js';
import type { RefusalCode } from '@parterre/shared/errors';
import { randomText } from '@parterre/shared/ids';
import {
  type AdmissionPorts,
  countsAddress,
  type Method,
  type Request,
  type Route,
  submit,
} from '../admission/admission.ts';
import { type Answer, answerOfRefusal, EventStream, type Header, nothingHere } from '../answers/answers.ts';
import { IncomingBody } from './body.ts';
import { consoleCorsHeaders, consolePreflight, isFromConsole } from './console-cors.ts';
import { corsHeaders, preflight } from './cors.ts';
import type { Exchange, HttpCounters } from './exchange.ts';
import { type Headers, readHeaders } from './framing.ts';
import { sendAndClose, whenAnswerable } from './last-request.ts';
import type { Found, Router } from './router.ts';
import { asParts, bodyToSend, sendPieces } from './sending.ts';
import { statusLine } from './status-line.ts';
import { startStream } from './stream.ts';

const REQUEST_ID_FORM = /^[A-Za-z0-9._:-]{1,128}$/;
const processName = randomText(12);
let lastRequest = 0;

export function requestIdOf(headers: Headers): string {
  if (REQUEST_ID_FORM.test(headers.requestId)) return headers.requestId;
  return `${processName}-${(++lastRequest).toString(36)}`;
}

export function serveHttp<Ports extends AdmissionPorts>(
  app: TemplatedApp,
  router: Router<Ports>,
  ports: Ports,
  counters: HttpCounters,
): void {
  app.any('/*', (response, request) => onRequest(response, request, router, ports, counters));
}

function onRequest(
  response: HttpResponse,
  request: HttpRequest,
  router: Router<AdmissionPorts>,
  ports: AdmissionPorts,
  counters: HttpCounters,
): void {
  const headers = readHeaders(request);
  const method = request.getMethod().toUpperCase();
  const path = request.getUrl();
  const exchange = open(response, headers, path, method, counters);
  if (isFromConsole(path, headers.origin, headers.authorization)) exchange.cors = corsOfConsole(ports, headers);
  if (headers.framingFault) {
    turnAway(exchange, counters, 'invalid_framing', headers.framingFault);
    return;
  }
  if (headers.chunked) exchange.body = new IncomingBody(response, null);
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
    exchange.body ??= new IncomingBody(response, headers.contentLength);
    exchange.body.keep(found.route.bodyBytesMax);
    read.incoming = exchange.body;
  }
  handOver(ports, counters, exchange, found.route, read);
}

/** If the catalog does not tell the session's origin, no page may read the answer. */
async function corsOfConsole(
  { principals, onFault }: AdmissionPorts,
  { origin, authorization, requestId }: Headers,
): Promise<readonly Header[]> {
  try {
    return consoleCorsHeaders(origin, await principals.boundOrigin(authorization));
  } catch (error) {
    onFault(error, requestId);
    return consoleCorsHeaders(origin, null);
  }
}

function noRoute(found: Exclude<Found<AdmissionPorts>, { kind: 'route' }>, requestId: string): Answer {
  if (found.kind === 'unknown') return answerOfRefusal(nothingHere.refusal, requestId);
  const message = `This address does not take this method. It takes ${found.allow}.`;
  const answer = answerOfRefusal({ code: 'method_not_allowed', message }, requestId);
  return { ...answer, headers: [...answer.headers, ['Allow', found.allow]] };
}

function requestOf(
  ports: AdmissionPorts,
  { route, params }: Extract<Found<AdmissionPorts>, { kind: 'route' }>,
  { response, requestId }: Exchange,
  headers: Headers,
  method: string,
  query: string,
): Request {
  return {
    method: method as Method,
    requestId,
    params,
    query: query === '' ? noQuery : new URLSearchParams(query),
    authorization: headers.authorization,
    contentType: headers.contentType,
    idempotencyKey: headers.idempotencyKey,
    origin: headers.origin,
    ifNoneMatch: headers.ifNoneMatch,
    accept: headers.accept,
    host: headers.host,
    forwardedProto: headers.forwardedProto,
    cookie: headers.cookie,
    csrfToken: headers.csrfToken,
    address: countsAddress(route.budget) ? ports.clientAddress(addressOf(response), headers.forwardedFor) : '',
    incoming: null,
    body: noBody,
  };
}

function handOver(
  ports: AdmissionPorts,
  counters: HttpCounters,
  exchange: Exchange,
  route: Route<AdmissionPorts>,
  request: Request,
): void {
  submit(ports, route, request).then(
    (answer) => finish(exchange, counters, answer),
    (error) => ports.onFault(error, exchange.requestId),
  );
}

const noQuery = new URLSearchParams();
const noBody = Buffer.alloc(0);

function open(
  response: HttpResponse,
  headers: Headers,
  path: string,
  method: string,
  counters: HttpCounters,
): Exchange {
  const exchange: Exchange = {
    response,
    requestId: requestIdOf(headers),
    origin: path.startsWith('/pub/') ? headers.origin : null,
    cors: null,
    extraHeaders: [],
    headOnly: method === 'HEAD',
    lastOfConnection: headers.chunked || headers.framingFault !== '',
    body: null,
    ended: false,
    gone: false,
    onGone: null,
  };
  counters.underWay++;
  response.onAborted(() => {
    exchange.gone = true;
    if (exchange.ended) return;
    exchange.ended = true;
    counters.underWay--;
    exchange.body?.end(false);
    exchange.onGone?.();
  });
  return exchange;
}

function turnAway(exchange: Exchange, counters: HttpCounters, code: RefusalCode, message: string): void {
  respond(exchange, counters, answerOfRefusal({ code, message }, exchange.requestId));
}

function finish(exchange: Exchange, counters: HttpCounters, answer: Answer | EventStream): void {
  if (exchange.ended) return;
  if (!(answer instanceof EventStream)) respond(exchange, counters, answer);
  else afterCors(exchange, () => startStream(exchange, counters, answer));
}

/** Runs `then` when the answer may be written and the headers for the page of an embedded session are known. */
function afterCors(exchange: Exchange, then: () => void): void {
  const { cors } = exchange;
  if (cors === null) {
    whenAnswerable(exchange, then);
    return;
  }
  void cors.then((headers) => {
    exchange.extraHeaders = headers;
    if (!exchange.ended) whenAnswerable(exchange, then);
  });
}

function respond(exchange: Exchange, counters: HttpCounters, answer: Answer): void {
  if (!exchange.ended) afterCors(exchange, () => write(exchange, counters, answer));
}

function write(exchange: Exchange, counters: HttpCounters, answer: Answer): void {
  counters.answered.set(answer.status, (counters.answered.get(answer.status) ?? 0) + 1);
  const { response } = exchange;
  exchange.body?.end(true);
  const hasBody = !exchange.headOnly && answer.status !== 204 && answer.status !== 304;
  const body = hasBody ? bodyToSend(answer.body) : '';
  const answered = () => {
    exchange.ended = true;
    counters.underWay--;
  };
  response.cork(() => {
    response.writeStatus(statusLine(answer.status));
    response.writeHeader('X-Request-ID', exchange.requestId);
    for (const [name, value] of answer.headers) response.writeHeader(name, value);
    for (const [name, value] of exchange.extraHeaders) response.writeHeader(name, value);
    if (exchange.origin !== null) {
      for (const [name, value] of corsHeaders(exchange.origin)) response.writeHeader(name, value);
    }
    const close = exchange.lastOfConnection || counters.draining;
    const isWhole = !exchange.lastOfConnection && !Array.isArray(body);
    // Where the library ends the answer itself, it writes this header.
    if (close && body.length > 0 && !isWhole) response.writeHeader('Connection', 'close');
    if (exchange.lastOfConnection && body.length > 0) {
      sendAndClose(exchange, asParts(body), answered);
      return;
    }
    if (Array.isArray(body)) {
      sendPieces(response, body, answered);
      return;
    }
    answered();
    // Without arguments the library writes no Content-Length, which is right for 204 and 304. With `undefined` it
    // writes a wrong one.
    if (hasBody) response.end(body as string | Uint8Array, close);
    else if (close) response.endWithoutBody(0, true);
    else response.endWithoutBody();
  });
}

function addressOf(response: HttpResponse): string {
  return Buffer.from(response.getRemoteAddressAsText()).toString();
}
