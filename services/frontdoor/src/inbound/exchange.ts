/** One request on its way and what is counted of all: shared by plain answers (http.ts) and streams (stream.ts). */
import type { HttpResponse } from 'uWebSockets.js';

export type Exchange = {
  readonly response: HttpResponse;
  readonly requestId: string;
  /** On /pub the origin that the answer is for, empty where the request had none; null elsewhere. */
  readonly origin: string | null;
  readonly headOnly: boolean;
  ended: boolean;
  /** Called when the caller goes away. */
  onGone: (() => void) | null;
};

export type HttpCounters = { underWay: number; draining: boolean; answered: Map<number, number> };
