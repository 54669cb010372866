/**
 * One request under way, and the counters of all requests. Plain answers (requests.ts) and streams (stream.ts) use
 * both.
 */
import type { HttpResponse } from 'uWebSockets.js';
import type { Header } from '../answers/answers.ts';
import type { IncomingBody } from './body.ts';

export type Exchange = {
  readonly response: HttpResponse;
  readonly requestId: string;
  /** On /pub the origin that the answer is for, empty if the request had none; null elsewhere. */
  readonly origin: string | null;
  /** The headers that let the page of an embedded session read the answer; null without such a session. */
  cors: Promise<readonly Header[]> | null;
  extraHeaders: readonly Header[];
  readonly headOnly: boolean;
  /**
   * The connection ends after this answer, because the framing is faulty or chunked. The end of a chunked body is a
   * matter of opinion: the server library takes the bytes of a trailer for the next request (last-request.ts).
   */
  readonly lastOfConnection: boolean;
  /** The body that is on its way; null if there is none, or if nobody reads it. */
  body: IncomingBody | null;
  /** The answer is written, or the caller is gone. */
  ended: boolean;
  /** The connection is closed. */
  gone: boolean;
  /** Called when the caller goes away before the answer is written. */
  onGone: (() => void) | null;
};

export type HttpCounters = { underWay: number; draining: boolean; answered: Map<number, number> };
