/** The bounds of the room of the clock (I8), in milliseconds. */
import { SECOND_MS } from '@parterre/shared/runtime/units';

/** The part of the passing time by which told time may run faster or slower than the monotonic clock. */
export const slewRateMax = 0.05;
/** Told time and the wall clock that lie further apart than this are reported. */
export const clockGapMsMin = SECOND_MS;
/** Two clocks agree that lie no further apart than this. */
export const agreementMs = 5 * SECOND_MS;
/** The pause between two looks at the wall clock, and between two comparisons with NATS. */
export const lookEveryMs = SECOND_MS;
export const compareEveryMs = 5 * SECOND_MS;
/** For this long an agreement with NATS confirms the clock. */
export const confirmedMs = 12 * SECOND_MS;
/** An answer of NATS that takes longer says too little about the time. */
export const roundTripMsMax = 2 * SECOND_MS;
/** Streams that one comparison asks. Their leaders may be different servers. */
export const streamsAskedMax = 3;
/** A starting shard asks so often, with a pause between the tries, before it begins without a comparison. */
export const firstComparisonsMax = 10;
export const firstComparisonPauseMs = 500;
/** The time since the start of the machine has whole seconds on some systems. */
export const suspensionMsMin = 2 * SECOND_MS;
