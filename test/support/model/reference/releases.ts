/** Ticket releases: the list, the use of quotas, and the price of a place. */
import type { Command, ReleaseDraft } from '@parterre/shared/protocol/commands';
import type { Category } from './chart.ts';
import {
  type Claim,
  listingOf,
  note,
  type Prediction,
  type Refused,
  type Release,
  refused,
  unchanged,
  type World,
} from './world.ts';

export function setReleases(
  world: World,
  { callId, releases: drafts }: Command & { type: 'set-releases' },
): Prediction {
  const known = (id: string): Release | undefined => world.releases.find((release) => release.id === id);
  const closedAt = ({ id, endsAt }: ReleaseDraft): number | null => {
    // A closed ticket release stays closed until its end changes.
    const before = known(id);
    return before && before.endsAt === endsAt ? before.closedAt : null;
  };
  const isWrong = (draft: ReleaseDraft): boolean => {
    const { id, isNew, categoryKey, startsAt, endsAt } = draft;
    const hasNoTime = startsAt !== null && endsAt !== null && startsAt >= endsAt && closedAt(draft) === null;
    // A ticket release that a change of chart ended may be sent back as it is shown.
    const isAsItWas = known(id)?.categoryKey === categoryKey;
    return (!isNew && !known(id)) || !(isAsItWas || sellsHere(world, categoryKey)) || hasNoTime;
  };
  if (drafts.some(isWrong)) return refused('invalid_request');
  world.releases = drafts.map(({ isNew: _, ...draft }) => {
    world.releaseNames[draft.id] = draft.name;
    return { ...draft, closedAt: closedAt({ ...draft, isNew: false }), soldOutAt: known(draft.id)?.soldOutAt ?? null };
  });
  noteSoldOut(world);
  return note(world, callId, shown(world));
}

/** Every category without tiers. Null stands for all of them. */
function sellsHere({ chart }: World, categoryKey: string | null): boolean {
  return categoryKey === null || chart.categories.some((each) => each.key === categoryKey && !isTiered(each));
}

function isTiered({ tiers = [] }: Category): boolean {
  return tiers.length > 0;
}

export function closeRelease(world: World, { callId, releaseId }: Command & { type: 'close-release' }): Prediction {
  const found = world.releases.find(({ id }) => id === releaseId);
  if (!found) return refused('not_found');
  if (found.closedAt === null) {
    found.endsAt = Math.min(found.endsAt ?? world.now, world.now);
    found.closedAt = world.now;
  }
  return note(world, callId, shown(world));
}

export function releases(world: World): Prediction {
  return unchanged(read(world));
}

/** The list, and the next time at which seats come on sale. */
export function read(world: World): object {
  const reveals = Object.values(world.rules).flatMap(({ mode, revealAt, revealedAt }) =>
    mode === 'timed' && revealedAt === undefined ? [revealAt!] : [],
  );
  const ends = Object.values(world.seats).flatMap(({ status, freeAt }) =>
    status === 'blocked' && freeAt !== null ? [freeAt] : [],
  );
  const times = [...reveals, ...ends];
  const { salesStartAt, salesEndAt, companionsUntil } = world.saleSettings;
  return {
    ...shown(world),
    ...(times.length > 0 && { opensAt: Math.min(...times) }),
    ...(salesStartAt !== undefined && { salesStartAt }),
    ...(salesEndAt !== undefined && { salesEndAt }),
    ...(companionsUntil !== undefined && { companionsUntil }),
  };
}

export function shown(world: World): object {
  const views = world.releases.map((release, position) => {
    const { closedAt: _, ...told } = release;
    const consumed = usedOf(world, release.id);
    const remaining = release.quota === null ? null : Math.max(0, release.quota - consumed);
    return { ...told, position, consumed, remaining, status: statusOf(world, release) };
  });
  return { releases: structuredClone(views) };
}

function statusOf(world: World, { closedAt, startsAt, endsAt, categoryKey }: Release): string {
  if (closedAt !== null) return 'closed';
  if ((endsAt !== null && endsAt <= world.now) || !sellsHere(world, categoryKey)) return 'ended';
  return startsAt !== null && startsAt > world.now ? 'upcoming' : 'active';
}

/** The number of seats held, booked and reserved under the ticket release. A listed seat in checkout may be both. */
function usedOf(world: World, releaseId: string): number {
  const reserved = world.offers.filter(({ status }) => status === 'reserved').flatMap(({ claims }) => claims);
  const offered = reserved.filter(({ release }) => release === releaseId);
  const claims = [...claimsUnder(world, releaseId, 'hold'), ...claimsUnder(world, releaseId, 'booking'), ...offered];
  return new Set(claims.map(({ label }) => label)).size;
}

function isOwnedBy(world: World, label: string, owner: string): boolean {
  return world.seats[label]!.owner === owner || listingOf(world, label)?.heldBy === owner;
}

function claimsUnder(world: World, releaseId: string, whose: 'hold' | 'booking'): Claim[] {
  const has = (owner: string) => (claim: Claim) =>
    claim.release === releaseId && !!world.seats[claim.label] && isOwnedBy(world, claim.label, owner);
  return whose === 'hold'
    ? world.holds.flatMap(({ id, claims }) => claims.filter(has(`hold ${id}`)))
    : world.bookings.flatMap(({ ref, claims }) => claims.filter(has(`booking ${ref}`)));
}

/** Sets the time since which a quota is used up. Runs after every change of holders. */
export function noteSoldOut(world: World): void {
  for (const release of world.releases) {
    const isFull = release.quota !== null && usedOf(world, release.id) >= release.quota;
    release.soldOutAt = isFull ? (release.soldOutAt ?? world.now) : null;
  }
}

/** The ticket releases that have units or are in the list. */
export function byRelease(world: World): object[] {
  const ids = Object.keys(world.releaseNames);
  const told = ids.filter((id) => usedOf(world, id) > 0 || world.releases.some((release) => release.id === id));
  return told.map((releaseId) => {
    const booked = claimsUnder(world, releaseId, 'booking');
    const bookedValue = booked.reduce((sum, { price, guests }) => sum + price * (guests ?? 1), 0);
    const held = claimsUnder(world, releaseId, 'hold').length;
    return { releaseId, name: world.releaseNames[releaseId], held, booked: booked.length, bookedValue };
  });
}

/** Prices the places of one call, one after the other. */
export type Pricing = { next(category: Category): Release | null; refused: Refused[] };

/** `freed` are the claims of a replaced hold: their share of a quota is free for the call. */
export function pricing(world: World, chosenId: string | undefined, freed: Claim[]): Pricing {
  const chosen = world.releases.find(({ id }) => id === chosenId);
  const isNoSale = chosenId !== undefined && chosen?.action !== 'buy';
  const selling = chosen ? [chosen] : world.releases.filter((each) => statusOf(world, each) === 'active');
  const taken: Record<string, number> = {};
  const isOpen = ({ id, quota }: Release): boolean => {
    const sold = new Set(claimsUnder(world, id, 'booking').map(({ label }) => label));
    const back = freed.filter(({ release, label }) => release === id && !sold.has(label)).length;
    return quota === null || usedOf(world, id) - back + (taken[id] ?? 0) < quota;
  };
  return {
    refused: isNoSale ? [{ code: 'invalid_request', reason: 'invalid_request' }] : [],
    next(category) {
      const fits = (each: Release): boolean => each.categoryKey === null || each.categoryKey === category.key;
      const found = selling.find((each) => each.action === 'buy' && !isTiered(category) && fits(each) && isOpen(each));
      if (found) taken[found.id] = (taken[found.id] ?? 0) + 1;
      return found ?? null;
    },
  };
}

/** A sale under a chosen ticket release sells every place under it, or none. */
export function notSoldUnder(world: World, claims: Claim[], chosenId: string): Refused[] {
  const chosen = world.releases.find(({ id }) => id === chosenId)!;
  const others = claims.filter(({ release }) => release !== chosenId);
  const misfits = others.filter(({ label }) => {
    const { category: key } = world.chart.placeNamed.get(label)!;
    const category = world.chart.categories.find((each) => each.key === key)!;
    return isTiered(category) || (chosen.categoryKey !== null && chosen.categoryKey !== key);
  });
  const labels = misfits.map(({ label }) => label);
  if (labels.length > 0) return [{ code: 'invalid_request', reason: 'invalid_request', labels }];
  const conflicts = others.map(({ label }) => ({ label, status: 'sold_out' }));
  return others.length > 0 ? [{ code: 'conflict', reason: 'release_sold_out', conflicts }] : [];
}
