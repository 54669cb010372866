/** The calls and the house of a performance group, put together. */
import type { Words } from '../messages/words.ts';
import type { PageStorage } from '../sale/access.ts';
import type { Result } from '../sale/calls.ts';
import type { Clock } from '../sale/clock.ts';
import type { Counter } from '../sale/counter.ts';
import type { HouseListener, OpenedHouse } from '../sale/house.ts';
import { createGroupApi, type GroupAccess } from './group-api.ts';
import { groupCounter } from './group-counter.ts';
import { type GroupHouse, openGroup } from './group-house.ts';

export type GroupSale = { counter: Counter; open(listener: HouseListener): Promise<Result<OpenedHouse>> };

type Asked = {
  baseUrl: string;
  group: string;
  access: GroupAccess;
  holder: string | undefined;
  clock: Clock;
  storage: PageStorage;
  words: () => Words;
};

export function groupSale({ baseUrl, group, access, holder, clock, storage, words }: Asked): GroupSale {
  const api = createGroupApi(baseUrl, group, access, clock, storage, holder);
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
    async open(listener) {
      const answer = await openGroup(api, words, listener);
      if (answer.ok) opened = answer.value;
      return answer;
    },
  };
}
