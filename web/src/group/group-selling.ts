/**
 * The sale of a performance group, loaded when a map sells one: most maps sell an event. Failure: the map says that
 * there is no connection, and a retry loads the group's part again.
 */
import type { Words } from '../messages/words.ts';
import { baseUrlOf, type MapOptions } from '../options.ts';
import type { PageStorage } from '../sale/access.ts';
import type { Result } from '../sale/calls.ts';
import type { Clock } from '../sale/clock.ts';
import type { Counter } from '../sale/counter.ts';
import type { GroupSale } from './group-sale.ts';
import { newOperation } from './operation-name.ts';

type GroupOptions = Extract<MapOptions, { group: string }>;
type Page = { clock: Clock; storage: PageStorage; words: () => Words };

const noAnswer = { ok: false as const, status: 0, problem: { code: 'no_answer' } };

export function groupSelling(options: GroupOptions, { clock, storage, words }: Page): GroupSale {
  let loading: Promise<GroupSale> | null = null;

  function loaded(): Promise<GroupSale> {
    const { group, access, holder } = options;
    const asked = { baseUrl: baseUrlOf(options), group, access, holder, clock, storage, words };
    loading ??= import('./group-sale.ts').then(({ groupSale }) => groupSale(asked));
    return loading;
  }

  async function withCounter<T>(call: (counter: Counter) => Promise<Result<T>>): Promise<Result<T>> {
    return call((await loaded()).counter);
  }

  return {
    counter: {
      replaces: false,
      namesHolds: true,
      newKey: newOperation,
      chooseBest: async (...search) => (await loaded()).counter.chooseBest!(...search),
      alternatives: (...search) => withCounter((counter) => counter.alternatives(...search)),
      hold: (asked) => withCounter((counter) => counter.hold(asked)),
      resume: (name) => withCounter((counter) => counter.resume(name)),
      extend: (name) => withCounter((counter) => counter.extend(name)),
      release: (name) => withCounter((counter) => counter.release(name)),
    },
    async open(listener) {
      const sale = await loaded().catch(() => null);
      if (sale) return sale.open(listener);
      loading = null;
      return noAnswer;
    },
  };
}
