/** One request on its way and what is counted of all: shared by plain answers (http.ts) and streams (stream.ts). */
import type { HttpResponse } from 'uWebSockets.js';
import type { Header } from '../answers/answer.ts';

export type Exchange = {
  readonly response: HttpResponse;
  readonly requestId: string;
  /** On /pub the origin that the answer is for, empty where the request had none; null elsewhere. */
  readonly origin: string | null;
  /** What lets the page of an embedded session read the answer; null for everybody else. */
  cors: Promise<readonly Header[]> | null;
  extraHeaders: readonly Header[];
  readonly headOnly: boolean;
  ended: boolean;
  /** Called when the caller goes away. */
  onGone: (() => void) | null;
};

export type HttpCounters = { underWay: number; draining: boolean; answered: Map<number, number> };
