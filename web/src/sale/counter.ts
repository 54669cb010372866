/** The calls that hold places and give them up, of an event or of a performance group. */
import type { HeldItem, Wanted } from '../rules/selection.ts';
import type { Api } from './api.ts';
import type { Result } from './calls.ts';

/** One call to hold, for all its repetitions. */
export type HoldCall = {
  /** Unique: a repetition with the same name finds the first hold. */
  key: string;
  wanted: Wanted[];
  /** The hold in whose place this one comes; null for none. */
  replaces: string | null;
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
  /**
   * True if the page hears every status of a place. A place that turns from held to booked is then this buyer's.
   * Otherwise another buyer may have held it in between.
   */
  hearsAll: boolean;
  /** True if the key of a hold names it for ever. */
  namesHolds: boolean;
  newKey(): string;
  hold(asked: HoldCall): Promise<Result<FoundHold>>;
  resume(name: string): Promise<Result<FoundHold>>;
  extend(name: string): Promise<Result<Extended>>;
  /** Null for a hold that is released. */
  release(name: string): Promise<Result<FoundHold | null>>;
};

export function eventCounter(api: Pick<Api, 'call'>): Counter {
  return {
    replaces: true,
    hearsAll: true,
    namesHolds: false,
    newKey: () => crypto.randomUUID(),
    hold: ({ key, wanted, replaces }) => {
      const body = { selections: wanted, ...(replaces === null ? {} : { replaceHoldId: replaces }) };
      return api.call('POST', 'hold', { body, key });
    },
    resume: (holdId) => api.call('POST', 'hold/resume', { body: { holdId } }),
    extend: (holdId) => api.call('POST', 'extend', { body: { holdId }, once: true }),
    async release(holdId) {
      const answer = await api.call('POST', 'release', { body: { holdId } });
      return answer.ok ? { ok: true, value: null } : answer;
    },
  };
}
