/**
 * A refused request, as a front door remembers it for `npx parterre why`, and as the log has it. The record has no
 * secret, no body and no data of a person: keys by their ids, sessions by their kind, no address, no buyer.
 */
export type RefusedRequest = {
  /** Epoch milliseconds of the refusal. */
  at: number;
  requestId: string;
  method: string;
  /** The address with the names of its parameters: `/v1/events/{key}/hold`. Null for an address without a route. */
  route: string | null;
  status: number;
  code: string;
  reason?: string | undefined;
  /** The words that the caller got. */
  message: string;
  organisation?: string | undefined;
  /** The id of a key, or the kind of another credential: `manage`, `dashboard`, `buyer`, `operator`. */
  caller?: string | undefined;
  event?: string | undefined;
  /** The first labels that the refusal names. */
  labels?: string[] | undefined;
  /** The budget that was used up, with its limit. */
  budget?: string | undefined;
  /** Milliseconds from the head of the request to the refusal. */
  ms?: number | undefined;
  /** The caller went away before the answer. */
  callerLeft?: true | undefined;
};

/** The question of `npx parterre why` to all front doors. */
export type RefusalsAsked = { requestId: string };

/** The answer of one front door. It has every refusal since `since` (epoch ms). */
export type RefusalsFound = { process: string; since: number; refusals: RefusedRequest[] };

/** A front door keeps so many refusals in memory, the latest ones. */
export const refusalsKeptMax = 100_000;
