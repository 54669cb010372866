/** What a front door counts and follows for control rooms. */
export {
  type BudgetUse,
  type DoorFigures,
  DoorsFigures,
  type FiguresAsked,
  type FiguresTold,
} from './door-figures.ts';
export { RefusalTallies } from './refusal-tallies.ts';
export { type PlacesLeft, placesLeft } from './rules/places-left.ts';
export type { SoldPlaces } from './rules/sales-minutes.ts';
export { type SalesWindow, SalesWindows } from './sales-windows.ts';
export { WebhookLags } from './webhook-lag.ts';
