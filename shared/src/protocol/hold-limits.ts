/**
 * The bounds of a hold, in a file of their own: the picker knows them, and a page that imports one bound loads the file
 * of it. Plain numbers, because bundlers keep a product of imported units.
 */
/** 15 minutes. */
export const holdTtlMsDefault = 900_000;
export const holdTtlMsMin = 60_000;
/** An hour. */
export const holdTtlMsMax = 3_600_000;
export const holdExtendsMax = 3;
