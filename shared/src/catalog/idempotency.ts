/** Calls named by an Idempotency-Key: what is kept of them, and what can be asked. */

/** The answer as it went out. `body` is JSON. */
export type KeptAnswer = { status: number; body: string };

/** `callId` is the same for every run of the call. */
export type BegunCall = { state: 'begun'; callId: string } | { state: 'answered'; answer: KeptAnswer };

/** operation → [input, output] */
export type IdempotencyOperations = {
  /**
   * Before a named call is carried out by the run of this id. `name` and `fingerprint` are hashes, of whose call it is and
   * of its body. Refused with `conflict` (another body) or `idempotency_in_progress`.
   */
  'idempotency.begin': [{ name: string; run: string; fingerprint: string }, BegunCall];
  /** After it; null where nothing is to be kept, so that the call may be made again. */
  'idempotency.end': [{ name: string; run: string; answer: KeptAnswer | null }, { ok: true }];
};
