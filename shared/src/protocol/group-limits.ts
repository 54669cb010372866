/** The bounds of performance groups and of buyers' sessions to groups and seasons (I8). */
/** Events of one group. */
export const groupEventsMin = 2;
export const groupEventsMax = 8;
/** Keys in a draft: the refusal of a draft lists the issues of all of them. */
export const groupDraftKeysMax = 100;
/** The shortest hold of a group that a caller may ask for. Its steps take some milliseconds each. */
export const operationTtlMsMin = 1_000;
/** Earlier sessions that a session takes over, the latest. */
export const adoptedSessionsMax = 32;
/** Sessions in one list of a group's or season's buyers' sessions. */
export const ownerSessionsPerPageMax = 100;
/** Rows of an import, labels of one row, and bytes of an import as lines. */
export const importRowsMax = 100_000;
export const importLabelsPerRowMax = 1_000;
export const importLinesBytesMax = 64 * 1024 * 1024;
/** Rows, and labels of rows, that go to the catalog in one piece. */
export const importRowsPerPiece = 500;
export const importLabelsPerPiece = 5_000;
/** Contracts that a call names for offers. */
export const offersNamedMax = 500;
