/** What a map sells: an event, or the performances of a group. */
import { groupSelling } from './group/group-selling.ts';
import type { Words } from './messages/words.ts';
import { baseUrlOf, type MapOptions } from './options.ts';
import { createApi } from './sale/api.ts';
import type { Result } from './sale/calls.ts';
import { type Clock, createClock } from './sale/clock.ts';
import { type Counter, eventCounter } from './sale/counter.ts';
import { type HouseListener, type OpenedHouse, openHouse } from './sale/house.ts';
import { type KeptHold, keptHold } from './sale/kept-hold.ts';

export type Selling = {
  counter: Counter;
  clock: Clock;
  kept: KeptHold;
  open(listener: HouseListener): Promise<Result<OpenedHouse>>;
};

export function sellingOf(options: MapOptions, words: () => Words): Selling {
  const { access, holder } = options;
  const storage = options.storage === undefined ? window.sessionStorage : options.storage;
  const clock = createClock();
  const kept = keptHold(storage, options.event ?? options.group, access, holder);
  if (options.event === undefined) return { ...groupSelling(options, { clock, storage, words }), clock, kept };
  const api = createApi(baseUrlOf(options), options.event, access, clock, storage);
  return { counter: eventCounter(api), clock, kept, open: (listener) => openHouse(api, listener) };
}
