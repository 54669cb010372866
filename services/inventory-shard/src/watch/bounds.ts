/** The bounds of the watch (I8): the survey of a partition that opens, and its roster. */
import { SECOND_MS } from '@parterre/shared/runtime/units';

/**
 * A roster is due this many groups after the last, and in any case this long after a change. Each entry of the last
 * roster adds one group to the first bound, and a millisecond to the second.
 */
export const rosterGroups = 4_000;
export const rosterWaitMs = 10 * SECOND_MS;
/** A survey reads at most this many messages behind a roster. Behind an older roster it lists all events. */
export const rosterTailMax = 100_000;
/** The tries to read a roster. After them the survey lists all events. */
export const rosterTries = 8;
/** The pause before a survey asks again. */
export const surveyPauseMs = 250;
/** Surveys read the heads of this many snapshots at once in one partition. */
export const headsAtOnce = 64;
