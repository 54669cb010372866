/**
 * The bounds of the cluster room (I8): members and handovers. Bounds that other services share are in shared/limits.
 */
import { SECOND_MS } from '@parterre/shared/runtime/units';

/** How often a shard sends its beat and checks the silence of the others. */
export const heartbeatMs = 250;
/** How long a member of a deployment without leases hears others before it takes partitions: a beat and its way. */
export const firstMeetingMs = 400;
/** A member that is silent for this long counts as dead. */
export const memberSilenceMs = 1_000;
/** A member that does not hear its own beats for this long has no link. Shorter than `memberSilenceMs` by one beat. */
export const ownBeatSilenceMs = 650;
/** If nobody listens under a member's id, the member is pinged again after this pause. Then it counts as dead. */
export const memberPingPauseMs = 100;
export const memberPingTimeoutMs = 150;
/**
 * While a ping waits, it is sent anew this often: the server may not have noticed yet that the connection is gone.
 */
export const memberPingAgainMs = 50;
/** The pings of one check. A check ends without a result when so many pings did not tell. */
export const memberPingsMax = 4;
export const membersMax = 1_024;
/** The ended processes that a member remembers. Each matters for the moments until its partitions are taken. */
export const endedMembersMax = 64;
/**
 * Partitions that one shard hands over at once, so that its other partitions work undisturbed. A leaving shard has no
 * limit.
 */
export const movesAtOnce = 2;
/** The time to store snapshots before a partition is handed over. Events without a stored snapshot are replayed. */
export const handOverSnapshotsMs = 3_000;
/** The time for which the owner waits until the heir has loaded the events in use, and has folded them on. */
export const handOverPrepareMs = 2_000;
/** A shard that lost a partition to another owner does not take it again for this long. */
export const retakePauseMs = 1_000;
/** How often an idle owner checks that the log still ends with its own last record. */
export const tailLookMs = 5 * SECOND_MS;
/** How often one stream and the disk are looked at. */
export const storeLookMs = 500;
export const storeAnswerMsMax = 1_000;
/** The storage counts as down when no look was good for this long. Front doors hear of it with the next beat. */
export const storeSilenceMs = 1_500;
/** A copy counts as lost when its leader has not heard it for this long. Leaders hear their copies every second. */
export const copySilenceMsMax = 2_000;
/** A partition that the operator opens is looked at this often, and for this long. */
export const reopenLookMs = 50;
export const reopenWaitMs = 30 * SECOND_MS;
