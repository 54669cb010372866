/**
 * One request under way, and the counters of all requests. Plain answers (requests.ts) and streams (stream.ts) use
 * both.
 */
import type { HttpResponse } from 'uWebSockets.js';
import type { Clock } from '@parterre/shared/runtime/clock';
import type { Span } from '@parterre/shared/runtime/tracing';
import type { AccessedRequest, AccessLog } from '../access-log/access-log.ts';
import { type Answer, answerLines, forEveryOrigin, type Header, linesOf } from '../answers/answers.ts';
import type { IncomingBody } from './body.ts';
import { corsHeaders } from './cors.ts';
import { statusLine } from './status-line.ts';
import { endSpan } from './traced.ts';
import { type RouteTraffic, Traffic } from './traffic.ts';

export type Exchange = Omit<AccessedRequest, 'route' | 'request'> & {
  /** Set once the request has a route. */
  route: AccessedRequest['route'];
  request: AccessedRequest['request'];
  /** Of a traced request, until its answer. */
  span: Span | null;
  readonly response: HttpResponse;
  /** Null for a request without a route. */
  traffic: RouteTraffic | null;
  /** On /pub the origin that the answer is for, empty if the request had none; null elsewhere. */
  readonly origin: string | null;
  /** The headers that let the page of an embedded session read the answer; null without such a session. */
  cors: Promise<readonly Header[]> | null;
  extraHeaders: readonly Header[];
  readonly headOnly: boolean;
  /**
   * The connection ends after this answer, because the framing is faulty or chunked, or because the client or the end
   * of this process asks for it behind a body. The end of a chunked body is a matter of opinion: the server library
   * takes the bytes of a trailer for the next request (last-request.ts).
   */
  readonly lastOfConnection: boolean;
  /** The body that is on its way; null if there is none, or if nobody reads it. */
  body: IncomingBody | null;
  /** The turn of the loop in which the request's head was read (last-request.ts). */
  readonly turn: number;
  /** The status line is written. A fault from now on closes the connection. */
  isBegun: boolean;
  /** The answer is written, or the caller is gone. */
  ended: boolean;
  /** The connection is closed, or the library closes it by itself. */
  gone: boolean;
  /** Called when the caller goes away before the answer is written. */
  onGone: (() => void) | null;
  /** The exchange met an exception before, and its answer is a 500. */
  hasFailed: boolean;
  readonly onFault: (error: unknown, requestId: string) => void;
};

/**
 * Runs `run`, and hands its exception to `onError`. An exception that left a callback of the library would end the
 * process.
 */
export function guard(run: () => void, onError: (error: unknown) => void): void {
  try {
    run();
  } catch (error) {
    onError(error);
  }
}

export type HttpCounters = {
  underWay: number;
  draining: boolean;
  answered: Map<number, number>;
  traffic: Traffic;
  accessLog: AccessLog | null;
};

export function newHttpCounters(clock: Pick<Clock, 'elapsed'>, accessLog: AccessLog | null = null): HttpCounters {
  return { underWay: 0, draining: false, answered: new Map(), traffic: new Traffic(clock), accessLog };
}

/**
 * Writes status and headers. Call this once, in the cork of the answer's first bytes. Every call of the library crosses
 * into native code, so the whole head is one text, which the library takes as the status line. As in a call for each
 * header, nobody escapes line ends in it: names and values never come from a request unchecked.
 */
export function writeHead(exchange: Exchange, counters: HttpCounters, answer: Omit<Answer, 'body'>): void {
  const { response, origin } = exchange;
  const { status, headers } = answer;
  counters.accessLog?.note(exchange, answer);
  if (exchange.span) endSpan(exchange, answer);
  let head = `${statusLine(status)}\r\nX-Request-ID: ${exchange.requestId}${answerLines(headers)}`;
  if (exchange.extraHeaders.length > 0) head += linesOf(exchange.extraHeaders);
  if (origin !== null && !headers.includes(forEveryOrigin)) head += linesOf(corsHeaders(origin));
  counters.answered.set(status, (counters.answered.get(status) ?? 0) + 1);
  counters.traffic.note(exchange, answer);
  // The exchange outlives its answer by a moment. The request would be copied with it by the collector.
  exchange.request = null;
  exchange.isBegun = true;
  response.writeStatus(head);
}
