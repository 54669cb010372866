/** The letters of channels on the map: the channel's own marker where it is short, else A, B … Z, AA. Pure. */
const MARKER_LENGTH_MAX = 3;
const LETTERS = 26;
const FIRST_LETTER = 65;

/** By id. No letter stands for two channels, unless two channels have the same marker. */
export function lettersOf(channels: readonly { id: string; marker: string | null }[]): ReadonlyMap<string, string> {
  const own = (marker: string | null): string | null =>
    marker !== null && marker.length <= MARKER_LENGTH_MAX ? marker : null;
  const taken = new Set(channels.flatMap(({ marker }) => own(marker) ?? []));
  let next = 0;
  const free = (): string => {
    let letter = letterAt(next++);
    while (taken.has(letter)) letter = letterAt(next++);
    return letter;
  };
  return new Map(channels.map(({ id, marker }) => [id, own(marker) ?? free()]));
}

function letterAt(index: number): string {
  const letter = String.fromCharCode(FIRST_LETTER + (index % LETTERS));
  return index < LETTERS ? letter : letterAt(Math.floor(index / LETTERS) - 1) + letter;
}
