/** The bounds of feeds: viewers, frames and tickets (I8). Names end in their unit. */
import { KIB, MIB, SECOND_MS } from '@parterre/shared/runtime/units';

/** Deltas a front door keeps for resuming viewers, per event. */
export const resumeDeltasKept = 1_024;
export const viewerBackpressureBytesMax = 4 * MIB;
/** A viewer with more untaken bytes gets its next frame once it has taken all of them. */
export const viewerSpareBytes = 64 * KIB;
/**
 * A spared viewer is disconnected if its untaken bytes do not become fewer for this time. Only the bytes in this
 * process count. The system's buffers may hold a megabyte more, and a slow client reads that megabyte first.
 */
export const stuckMsMax = 60 * SECOND_MS;
/** All viewers of a front door together. Past this bound the viewers with the largest backlogs are disconnected. */
export const viewersBackpressureBytesMax = 512 * MIB;
/** Frames and bodies that a front door keeps for further viewers, of all events together. */
export const keptFramesBytesMax = 256 * MIB;
export const viewersPerFrontDoorMax = 100_000;
/** Sockets of one client address at a front door. Many people may share an address. Past it 429. */
export const viewersPerAddressMax = 1_000;
/**
 * Frames and bytes that a viewer's socket may send in a second: pings, pongs and messages. A viewer needs a few frames
 * a minute. Past it the socket is closed with 4429.
 */
export const viewerFramesPerSecondMax = 32;
export const viewerFrameBytesPerSecondMax = 16 * KIB;
/** The same for all sockets of one client address. The socket that passes it is closed. */
export const addressFramesPerSecondMax = 2_000;
export const addressFrameBytesPerSecondMax = 256 * KIB;
/** Sockets of one session at a front door. Past it 429. A publishable or secret key is no session. */
export const viewersPerSessionMax = 20;
export const replicasPerFrontDoorMax = 2_000;
/** A sign-in at an issuer: the time for one answer, calls at once, the life of its metadata, and of a begun sign-in. */
export const issuerAnswerMs = 3 * SECOND_MS;
export const issuerCallsAtOnceMax = 50;
export const metadataKeepMs = 600 * SECOND_MS;
export const signInMs = 600 * SECOND_MS;
/** Different reaches of one event's viewers at a front door, in either protocol. Past this bound `overloaded`. */
export const audiencesPerEventMax = 1_024;
export const presenceSharesMax = 256;
/** Buyers on one event that a front door names to the other front doors. Further buyers are only counted. */
export const shoppersPerShareMax = 16_384;
export const viewerIdLengthMax = 128;
/** Keys of viewers that a front door looks up at once, and in one turn of the loop. */
export const keyChecksAtOnce = 64;
/**
 * Viewers that one turn of the loop sends a change to, or closes, some 5 to 10 µs each. The front door's other work
 * waits behind a turn.
 */
export const viewersPerTurn = 1_000;
export const ticketTtlMs = 30 * SECOND_MS;
/**
 * Redeemed tickets that a front door remembers, for `ticketTtlMs` and more, some 100 bytes each. Past half of this
 * number in that time, the oldest are forgotten, and could be redeemed again until they expire.
 */
export const redeemedTicketsMax = 400_000;
/** Redeemed tickets in one message to the other front doors. */
export const redeemedPerMessageMax = 1_000;
