/** Sale summaries: the facts that a page shows of an event before its map is opened. */
export { createSaleSummaries, type SaleSummaries } from './sale-summaries.ts';
export { usualPrice } from './usual-price.ts';
