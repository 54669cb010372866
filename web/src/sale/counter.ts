/** The calls that hold places and give them up, of an event or of a performance group. */
import type { BestWanted } from '../rules/best.ts';
import type { Hall } from '../rules/hall.ts';
import { type HeldItem, type Selection, selectionOf, type Wanted } from '../rules/selection.ts';
import type { Statuses } from '../rules/statuses.ts';
import type { Api } from './api.ts';
import type { Result } from './calls.ts';

/** One call to hold, for all its repetitions. */
export type HoldCall = {
  /** Unique: a repetition with the same name finds the first hold. */
  key: string;
  wanted: Wanted[];
  /** The hold in whose place this one comes; null for none. */
  replaces: string | null;
  /** With fees: the hold is refused at another price. Null or absent for any. */
  expectedTotal?: number | null;
  /** The best seats, which the server chooses unless `wanted` has them. */
  best?: BestWanted;
};

/** A hold as the server shows it. `isBooked`: the shop has booked it. */
export type FoundHold = {
  holdId: string;
  operationId?: string;
  expiresAt: number;
  labels: string[];
  items: HeldItem[];
  extends?: number;
  isBooked?: boolean;
};

export type Extended = { expiresAt: number; extends?: number; isBooked?: boolean };

/** Holds are named by their operation in a group, else by their id. */
export type Counter = {
  /** True if a hold may come in the place of another in one step. Otherwise a hold is fixed. */
  replaces: boolean;
  /** Where the server does not search the best seats: the page does. Null if none is free. */
  chooseBest?(wanted: BestWanted, hall: Hall, statuses: Statuses): Promise<Wanted[] | null>;
  /** Choices of the best places, at most `count`, without a hold. */
  alternatives(wanted: BestWanted, count: number, hall: Hall, statuses: Statuses): Promise<Result<Selection[]>>;
  /** True if the key of a hold names it for ever. */
  namesHolds: boolean;
  newKey(): string;
  hold(asked: HoldCall): Promise<Result<FoundHold>>;
  resume(name: string): Promise<Result<FoundHold>>;
  extend(name: string): Promise<Result<Extended>>;
  /** Null for a hold that is released. */
  release(name: string): Promise<Result<FoundHold | null>>;
};

/** A refusal names no places, since the buyer has chosen none. */
function ofBest(answer: Result<FoundHold>): Result<FoundHold> {
  return answer.ok ? answer : { ...answer, problem: { ...answer.problem, ofBest: true } };
}

export function eventCounter(api: Pick<Api, 'call'>): Counter {
  return {
    replaces: true,
    namesHolds: false,
    newKey: () => crypto.randomUUID(),
    hold: ({ key, wanted, replaces, expectedTotal = null, best }) => {
      if (best) return api.call<FoundHold>('POST', 'best-available', { body: best, key }).then(ofBest);
      const body = {
        selections: wanted,
        ...(replaces === null ? {} : { replaceHoldId: replaces }),
        ...(expectedTotal === null ? {} : { expectedTotal }),
      };
      return api.call('POST', 'hold', { body, key });
    },
    async alternatives(wanted, count, hall) {
      const body = { ...wanted, alternatives: count };
      const answer = await api.call<{ alternatives: { items: HeldItem[] }[] }>('POST', 'best-available', { body });
      if (!answer.ok) return { ...answer, problem: { ...answer.problem, ofBest: true } };
      return { ok: true, value: answer.value.alternatives.map(({ items }) => selectionOf(hall, items)) };
    },
    resume: (holdId) => api.call('POST', 'hold/resume', { body: { holdId } }),
    extend: (holdId) => api.call('POST', 'extend', { body: { holdId }, once: true }),
    async release(holdId) {
      const answer = await api.call('POST', 'release', { body: { holdId } });
      return answer.ok ? { ok: true, value: null } : answer;
    },
  };
}
