/** The bounds of performance groups and of buyers' sessions to groups and seasons (I8). */
/** Events of one group. */
export const groupEventsMin = 2;
export const groupEventsMax = 8;
/** Keys in a draft: the refusal of a draft lists the issues of all of them. */
export const groupDraftKeysMax = 100;
/** Earlier sessions that a session takes over, the latest. */
export const adoptedSessionsMax = 32;
/** Sessions in one list of a group's or season's buyers' sessions. */
export const ownerSessionsPerPageMax = 100;
