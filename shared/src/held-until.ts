/** Held units, and the time at which their hold ends if nothing happens before, as shards tell front doors. */
export type HeldUntil = { expiresAt: number; units: number[] };
