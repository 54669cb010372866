/**
 * The latest maps of groups and seasons, as text. Pages of one reach that ask within `keepMs` share one map: to join the maps of a
 * large chart takes tens of milliseconds. A map is found by its revision, and is kept no longer than `keepMs`, since a
 * hold that is over frees its seats before the revision grows.
 */
import type { Clock } from '@parterre/shared/clock';
import { RecentMap } from '@parterre/shared/recent-map';

const keepMs = 250;
/** A map of the largest chart has some ten megabytes. */
const entriesMax = 16;

type Kept<Body> = { at: number; body: Body };

/** The maps of a front door, which its feeds stand for. */
const ofFrontDoor = new WeakMap<object, RecentMap<Kept<unknown>>>();

export function keptMap<Body>(door: object, clock: Clock, name: string, make: () => Body): Body {
  let maps = ofFrontDoor.get(door);
  if (!maps) {
    maps = new RecentMap(clock, { entriesMax, keepMs });
    ofFrontDoor.set(door, maps);
  }
  const known = maps.get(name);
  if (known && clock.elapsed() - known.at <= keepMs) return known.body as Body;
  const body = make();
  maps.set(name, { at: clock.elapsed(), body });
  return body;
}
