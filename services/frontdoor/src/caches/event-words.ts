/**
 * The words of places in the answers of events' actors. An actor names a place by its label and the object of its
 * chart. The front door adds the words (place-names.ts in `shared`). Neither the journal nor the shard carries words.
 *
 * The words of a plan are a table of its objects: rows, tables, booths and areas. The plan itself, which has every
 * seat, is not kept for them. An answer that is made while the table is here waits for nothing.
 *
 * The one await is the load of a table, which all answers of a plan share:
 * - The plan is late. The answers leave after `wordsWaitMs` with their labels as names, and the load goes on.
 * - The plan cannot be had. The answers leave at once with their labels as names, and for `failedLoadRestMs` no load of
 *   this plan begins.
 * So no sale fails, and no sale waits for long, because a name is missing.
 *
 * The catalog's record names the plan, and may lag behind the actor for a moment. A place that the record's plan does
 * not have gets its label as its name.
 */
import { setImmediate as nextTurn } from 'node:timers/promises';
import type { Plan } from '@parterre/shared/charts/plan';
import type { PlanSource } from '@parterre/shared/charts/plans/plans';
import type { LineItem } from '@parterre/shared/protocol/answers';
import type { EventRecord } from '@parterre/shared/protocol/catalog/events';
import { wordTableEntriesMax } from '@parterre/shared/protocol/limits';
import { addWords, itemTermsOf, type WordedItem } from '@parterre/shared/protocol/line-items';
import type { Clock } from '@parterre/shared/runtime/clock';
import { SECOND_MS } from '@parterre/shared/runtime/units';
import { LRUCache } from 'lru-cache';
import type { Spelled } from '../answers/answers.ts';
import { sourceIn, spellItems, type WordedObject, type WordTable } from './spelled-items.ts';

type EventTerms = Pick<EventRecord, 'planHash' | 'locale' | 'priceUnit'>;

export type EventWords = {
  /**
   * Adds the words and the money to `items`, then calls `told`: at once where the table is here. `told` never throws.
   */
  add(event: EventTerms, items: readonly LineItem[], told: () => void): void;
  /** As `add`, with the JSON of the items; the items may stay as they are. */
  spell(event: EventTerms, items: readonly LineItem[], told: (json: Spelled<WordedItem[], string>) => void): void;
};

const wordsWaitMs = SECOND_MS;
const failedLoadRestMs = 5 * SECOND_MS;
const unitsPerTurn = 20_000;

type Loading = { waiting: Promise<WordTable | null> };

export function createEventWords(
  { plans, clock, onFault }: { plans: PlanSource; clock: Clock; onFault(error: unknown): void },
  entriesMax = wordTableEntriesMax,
): EventWords {
  const tables = new LRUCache<string, WordTable>({
    maxSize: entriesMax,
    sizeCalculation: ({ objects, seatNames }) => Math.max(1, objects.size + seatNames.size),
  });
  const loads = new Map<string, Loading>();
  /** By plan, the time of `Clock.elapsed` at which a failed load may be tried again. */
  const failed = new Map<string, number>();

  function load(hash: string): Loading {
    const loading: Loading = { waiting: Promise.resolve(null) };
    loads.set(hash, loading);
    const made = plans(hash).then(tableOf);
    loading.waiting = new Promise((resolve) => {
      const cancel = clock.after(wordsWaitMs, () => resolve(null));
      made.then(
        (table) => {
          tables.set(hash, table);
          finish(table);
        },
        (error) => {
          onFault(error);
          rest(hash);
          finish(null);
        },
      );
      function finish(table: WordTable | null): void {
        cancel();
        loads.delete(hash);
        resolve(table);
      }
    });
    return loading;
  }

  function rest(hash: string): void {
    const now = clock.elapsed();
    for (const [other, until] of failed) if (until <= now) failed.delete(other);
    failed.set(hash, now + failedLoadRestMs);
  }

  /** Null where the words cannot be had now. */
  function tableFor(hash: string): WordTable | Promise<WordTable | null> | null {
    const known = tables.get(hash);
    if (known) return known;
    const underWay = loads.get(hash);
    if (underWay) return underWay.waiting;
    const restsUntil = failed.get(hash);
    return restsUntil !== undefined && clock.elapsed() < restsUntil ? null : load(hash).waiting;
  }

  /** Calls `take` with the plan's table, or with null where it cannot be had now. */
  function withTable(hash: string, take: (table: WordTable | null) => void): void {
    const table = tableFor(hash);
    if (table instanceof Promise) table.then(take, onFault);
    else take(table);
  }

  return {
    add(event, items, told) {
      withTable(event.planHash, (table) => {
        const terms = itemTermsOf(event);
        for (const item of items) addWords(item, sourceIn(table, item), terms);
        told();
      });
    },
    spell(event, items, told) {
      withTable(event.planHash, (table) => told(spellItems(items, table, itemTermsOf(event))));
    },
  };
}

/** Takes a turn of the loop for every `unitsPerTurn` units. */
async function tableOf(plan: Plan): Promise<WordTable> {
  const objects = new Map<string, WordedObject>();
  const seatNames = new Map<string, string>();
  let turnEnd = unitsPerTurn;
  for (const object of plan.objects) {
    const { id, firstUnit, unitCount } = object;
    if (firstUnit >= turnEnd) {
      await nextTurn();
      turnEnd = firstUnit + unitsPerTurn;
    }
    objects.set(id, { object, kept: null });
    const own = plan.seatNames?.range(firstUnit, firstUnit + unitCount) ?? [];
    for (const [nth, name] of own.entries()) {
      if (name !== '') seatNames.set(`${id}:${plan.indexOfUnit[firstUnit + nth]!}`, name);
    }
  }
  return { objects, seatNames, categories: new Map(plan.categories.map((category) => [category.key, category])) };
}
