/** What a page shows of an event before anybody opens its map. */
export { createSaleSummaries, type SaleSummaries } from './sale-summaries.ts';
export { usualPrice } from './usual-price.ts';
