/** The bounds of the watch (I8): the survey of a partition that opens, and its roster. */
import { SECOND_MS } from '@parterre/shared/units';

/**
 * A roster is due after this many groups and as many more as the last roster has entries, and in any case this long
 * after a change.
 */
export const rosterGroups = 4_000;
export const rosterEveryMs = 60 * SECOND_MS;
/** A survey reads at most this many messages behind a roster. Behind an older roster it lists all events. */
export const rosterTailMax = 100_000;
/** The tries to read a roster. After them the survey lists all events. */
export const rosterTries = 8;
/** The pause before a survey asks again. */
export const surveyPauseMs = 250;
/** Surveys read the heads of this many snapshots at once in one partition. */
export const headsAtOnce = 64;
