/**
 * Counts the files in hand. All together have a bound, and so has each organisation: none of them can take all places.
 */
type Bounds = { files: number; bytes: number };

/** Takes a place for a file. Returns the function that gives the place back; null where there is none. */
export type Shares = (organisationId: string, bytes: number) => (() => void) | null;

export function createShares(inAll: Bounds, ofEach: Bounds): Shares {
  const taken = { files: 0, bytes: 0 };
  /** Organisations without a file are absent. */
  const takenBy = new Map<string, Bounds>();

  const fits = (own: Bounds, bounds: Bounds, bytes: number) =>
    own.files < bounds.files && own.bytes + bytes <= bounds.bytes;

  return (organisationId, bytes) => {
    const own = takenBy.get(organisationId) ?? { files: 0, bytes: 0 };
    if (!fits(taken, inAll, bytes) || !fits(own, ofEach, bytes)) return null;
    takenBy.set(organisationId, own);
    for (const each of [taken, own]) {
      each.files++;
      each.bytes += bytes;
    }
    return () => {
      for (const each of [taken, own]) {
        each.files--;
        each.bytes -= bytes;
      }
      if (own.files === 0) takenBy.delete(organisationId);
    };
  };
}
