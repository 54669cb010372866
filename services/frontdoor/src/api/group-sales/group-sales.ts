/** Sales of performance groups: the same seats of 2 to 8 events, sold all or none. */
import { room } from '../../openapi/openapi.ts';
import { groupBookingDescriptions } from './booking-descriptions.ts';
import { groupBookingRoutes } from './booking-routes.ts';
import { groupBuyerDescriptions } from './buyer-descriptions.ts';
import { groupBooking, groupHold } from './hold-answers.ts';
import { groupHoldRoutes } from './hold-routes.ts';
import { groupMapRoutes } from './map-routes.ts';
import { groupSummaryRoutes } from './summary-routes.ts';

export const groupSalesRoom = room(
  [...groupMapRoutes, ...groupSummaryRoutes, ...groupHoldRoutes, ...groupBookingRoutes],
  { ...groupBuyerDescriptions, ...groupBookingDescriptions },
  { GroupHold: groupHold, GroupBooking: groupBooking },
);
