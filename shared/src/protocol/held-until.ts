/** Held units, and the time at which their hold ends if nothing happens before, as shards tell front doors. */
export type HeldUntil = {
  expiresAt: number;
  units: number[];
  /** The mark of the hold. [unknown] */
  mark?: string;
};

const markLength = 8;

/**
 * The last letters of an id: 47 random bits. A hold of a buyer's session ends with the letters of the session's id. So
 * the holds of a session are known by its mark, and the mark tells nobody a whole id.
 */
export function markOf(id: string): string {
  return id.slice(-markLength);
}

/** A hold id with the mark of a session. 83 bits stay as they were. */
export function markedAs(holdId: string, sessionId: string): string {
  return holdId.slice(0, -markLength) + markOf(sessionId);
}
