/** Holds, bookings and blocks of an event, by a server or at a counter. */
import { room } from '../../openapi/openapi.ts';
import { boxOfficeDescriptions } from './box-office-descriptions.ts';
import { boxOfficeRoutes } from './box-office-routes.ts';
import { inventoryDescriptions } from './descriptions.ts';
import { inventoryRoutes } from './routes.ts';

export const inventoryRoom = room([...inventoryRoutes, ...boxOfficeRoutes], {
  ...inventoryDescriptions,
  ...boxOfficeDescriptions,
});
export {
  access,
  bookingRef,
  bulkLabels,
  expectedTotal,
  labels,
  namesUnitsOnce,
  namesUnitsOnceMessage,
  saleSelection,
  saysWhy,
  saysWhyMessage,
  soldLabels,
  ttlMs,
} from './bodies.ts';
export { refusedHolds, refusedUnits } from './refused-holds.ts';
