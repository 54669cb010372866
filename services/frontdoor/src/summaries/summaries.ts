/** Sale summaries: the facts of an event that a page shows before it opens the map. */
export { createSaleSummaries, type SaleSummaries } from './sale-summaries.ts';
export { usualPrice } from './usual-price.ts';
