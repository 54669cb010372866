/** The bounds of direct links (I8). Bounds that front doors share are in shared/link. */

/** Connections of front doors, open and proving. */
export const linksMax = 1_024;
