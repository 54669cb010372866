/** What sells now, what comes next, and what is over, of a list of ticket releases. Pure. */
export type Release = {
  id: string;
  name: string;
  price: number;
  previousPrice: number | null;
  quota: number | null;
  startsAt: number | null;
  endsAt: number | null;
  categoryKey: string | null;
  action: 'buy' | 'apply' | 'invoice';
  actionUrl: string | null;
  consumed: number;
  remaining: number | null;
  state: 'upcoming' | 'active' | 'ended' | 'closed' | 'sold_out';
};

/** The part of a ticket release that its list says. */
export type ReleaseDraft = Omit<Release, 'id' | 'consumed' | 'remaining' | 'state'> & { id?: string };

export type ReleasePlace = 'now' | 'waiting' | 'next' | 'later' | 'over';

/**
 * By id. `now` gives the price of its category; `waiting` is active behind an earlier release of the same category;
 * `next` is the first that begins.
 */
export function placesOf(releases: readonly Release[]): ReadonlyMap<string, ReleasePlace> {
  const selling = new Set<string | null>();
  const upcoming = releases.filter(({ state }) => state === 'upcoming');
  const first = [...upcoming].sort((one, other) => (one.startsAt ?? 0) - (other.startsAt ?? 0))[0];
  return new Map(
    releases.map((release) => {
      const { id, state, action, categoryKey } = release;
      if (state === 'upcoming') return [id, release === first ? 'next' : 'later'];
      if (state !== 'active') return [id, 'over'];
      if (action !== 'buy') return [id, 'now'];
      const isBehind = selling.has(categoryKey) || selling.has(null);
      selling.add(categoryKey);
      return [id, isBehind ? 'waiting' : 'now'];
    }),
  );
}

export function draftOf({ consumed: _, remaining: __, state: ___, ...draft }: Release): ReleaseDraft {
  const { id, name, price, previousPrice, quota, startsAt, endsAt, categoryKey, action, actionUrl } = draft;
  return { id, name, price, previousPrice, quota, startsAt, endsAt, categoryKey, action, actionUrl };
}

/** Whether both lists say the same. Their sales may differ. */
export function isSameList(one: readonly Release[], other: readonly Release[]): boolean {
  return JSON.stringify(one.map(draftOf)) === JSON.stringify(other.map(draftOf));
}

/** A list as it was, for a server that has `present`: releases that are gone by now come back as new ones. */
export function restored(before: readonly Release[], present: readonly Release[]): ReleaseDraft[] {
  const known = new Set(present.map(({ id }) => id));
  return before.map(draftOf).map(({ id, ...draft }) => (id !== undefined && known.has(id) ? { id, ...draft } : draft));
}

/** The release one place up or down. */
export function moved(list: readonly Release[], id: string, by: 1 | -1): Release[] {
  const from = list.findIndex((release) => release.id === id);
  const to = from + by;
  if (from < 0 || to < 0 || to >= list.length) return [...list];
  const order = [...list];
  [order[from], order[to]] = [order[to]!, order[from]!];
  return order;
}
