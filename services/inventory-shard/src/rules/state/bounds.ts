/** The bounds of the rules (I8). Bounds that other services share are in shared/limits. */
import { MIB, MINUTE_MS, SECOND_MS } from '@parterre/shared/runtime/units';

/** Stale deadline entries that an event may have beyond the number of live entries, before the entries are rebuilt. */
export const staleDeadlinesMin = 64;
/** Reaches for which an event keeps a table of channels. */
export const reachMasksKept = 128;
/** Reaches for which an event remembers the first free place of each area. */
export const areaIndexesKept = 64;
/**
 * The size of an answer that lists many units. The caller asks for the rest with a further call. An answer is copied
 * and sent in one turn of the event loop.
 */
export const unitColumnsBytesMax = MIB / 2;
/**
 * Pairs of a set of accessibility kinds and a reach for which an event keeps summaries of its rows. Each pair takes one
 * of 32 bits; one bit has another use.
 */
export const summariesKept = 31;
/** Sets of categories and zones for which a plan keeps the order of a search. */
export const searchOrdersKept = 128;
/** Sets of places at bounds of prices, or by step-free ways, that an event keeps: a bit for each unit. */
export const placesAskedKept = 8;
/** Former currencies that an event keeps. A hold that is over shows its amounts in the currency of its time. */
export const formerCurrenciesKept = 32;
/**
 * Access sessions with a `maxQuantity` that an event counts at one time, and the time it counts each after its last
 * change.
 */
export const sessionsCountedMax = 100_000;
export const sessionUseKeepMs = 24 * 60 * MINUTE_MS;
/** Sessions that one change makes forgotten. Each change adds one at most, so any number above 1 catches up. */
export const sessionsForgottenAtOnce = 8;
/** Places of visitors that each further place makes forgotten. Each adds one, so any number above 1 catches up. */
export const placesForgottenAtOnce = 8;
/** Ended holds that one new hold makes forgotten. Each new hold adds one, so any number above 1 catches up. */
export const endedHoldsForgottenAtOnce = 8;
/** Event time that stands further ahead of the clock goes back. Clocks of machines may differ by less. */
export const eventAheadMsMax = 5 * SECOND_MS;
