/**
 * One request under way, and the counters of all requests. Plain answers (requests.ts) and streams (stream.ts) use
 * both.
 */
import type { HttpResponse } from 'uWebSockets.js';
import type { Header } from '../answers/answers.ts';

export type Exchange = {
  readonly response: HttpResponse;
  readonly requestId: string;
  /** On /pub the origin that the answer is for, empty if the request had none; null elsewhere. */
  readonly origin: string | null;
  /** The headers that let the page of an embedded session read the answer; null without such a session. */
  cors: Promise<readonly Header[]> | null;
  extraHeaders: readonly Header[];
  readonly headOnly: boolean;
  ended: boolean;
  /** Called when the caller goes away. */
  onGone: (() => void) | null;
};

export type HttpCounters = { underWay: number; draining: boolean; answered: Map<number, number> };
