/**
 * The bounds that the picker knows too: of a hold and of a price. A page that imports one bound loads the file of it.
 * Plain numbers, because bundlers keep a product of imported units.
 */
/** 15 minutes. */
export const holdTtlMsDefault = 900_000;
export const holdTtlMsMin = 60_000;
/** An hour. */
export const holdTtlMsMax = 3_600_000;
export const holdExtendsMax = 3;
/** In major units; see `priceMaxIn`. */
export const priceMax = 10_000_000;
/** In minor units. Many currencies have two digits. */
export const minorPriceMax = 1_000_000_000;
