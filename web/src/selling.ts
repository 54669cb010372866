/** What a map sells: an event, or the performances of a group. */
import { createGroupApi } from './group/group-api.ts';
import { groupCounter } from './group/group-counter.ts';
import { type GroupHouse, openGroup } from './group/group-house.ts';
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
  const baseUrl = baseUrlOf(options);
  if (options.event !== undefined) {
    const api = createApi(baseUrl, options.event, access, clock, storage);
    const kept = keptHold(storage, options.event, access, holder);
    return { counter: eventCounter(api), clock, kept, open: (listener) => openHouse(api, listener) };
  }
  const api = createGroupApi(baseUrl, options.group, options.access, clock, storage, holder);
  let opened: GroupHouse | null = null;
  const counter = groupCounter({
    api,
    names: () => opened?.names ?? new Map(),
    async look() {
      await opened?.look();
    },
  });
  return {
    counter,
    clock,
    kept: keptHold(storage, options.group, access, holder),
    async open(listener) {
      const answer = await openGroup(api, words, listener);
      if (answer.ok) opened = answer.value;
      return answer;
    },
  };
}
