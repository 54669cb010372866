/**
 * The wheelchair places of companion places, written from the contract: the named place; else the wheelchair places
 * that follow with companion places alone between; else, in a row, the next wheelchair place on either side.
 */
export type Seat = { label: string; kinds: readonly string[]; of?: string | null };

/** `seats`: the seats of one row or table in order. Chairs all around a table have no ends. */
export function wheelchairsOf(seats: readonly Seat[], label: string, at: 'row' | 'table' | 'ring'): string[] {
  const i = seats.findIndex((seat) => seat.label === label);
  const isWheelchair = (seat: Seat): boolean => seat.kinds.includes('wheelchair');
  const isCompanion = (seat: Seat): boolean => seat.kinds.includes('companion') && !isWheelchair(seat);
  const { of } = seats[i]!;
  if (of) return [of];
  const after = at === 'ring' ? [...seats.slice(i + 1), ...seats.slice(0, i)] : seats.slice(i + 1);
  const before = (at === 'ring' ? [...seats.slice(i + 1), ...seats.slice(0, i)] : seats.slice(0, i)).toReversed();
  const adjoining: string[] = [];
  const next: string[] = [];
  for (const way of [before, after]) {
    const place = way.find(isWheelchair);
    if (!place) continue;
    next.push(place.label);
    if (way.slice(0, way.indexOf(place)).every(isCompanion)) adjoining.push(place.label);
  }
  return adjoining.length > 0 || at !== 'row' ? adjoining : next;
}

/** Whether each companion can have one of three places with a wheelchair place, by trying every pairing. */
export function canAllSit(companions: readonly (readonly string[])[], wheelchairs: readonly string[]): boolean {
  const seat = (nth: number, room: ReadonlyMap<string, number>): boolean =>
    nth === companions.length ||
    companions[nth]!.some((place) => {
      const left = room.get(place) ?? 0;
      return left > 0 && seat(nth + 1, new Map([...room, [place, left - 1]]));
    });
  return seat(0, new Map(wheelchairs.map((place) => [place, 3])));
}
