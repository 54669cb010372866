/** Calls with an Idempotency-Key: stored fields and operations. */

/** The answer as it was sent. `body` is JSON. */
export type KeptAnswer = { status: number; body: string };

/** `callId` is the same for every run of the call. */
export type BegunCall = { state: 'begun'; callId: string } | { state: 'answered'; answer: KeptAnswer };

/** operation → [input, output] */
export type IdempotencyOperations = {
  /**
   * Called before the run of this id executes a named call. `name` is a hash of the caller and the key, `fingerprint` a
   * hash of the body. Refused with `conflict` (another body) or `idempotency_in_progress`. With `renews` the run is
   * under way and keeps its name for another `idempotencyLeaseMs`. Catalogs before this field refuse that, which
   * changes nothing.
   */
  'idempotency.begin': [{ name: string; run: string; fingerprint: string; renews?: true }, BegunCall];
  /** Called after the run; null when no answer is to be kept, so that the call may be made again. */
  'idempotency.end': [{ name: string; run: string; answer: KeptAnswer | null }, { ok: true }];
};
