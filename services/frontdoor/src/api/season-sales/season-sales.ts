/** Sales of seasons: buyers' sessions, maps and holds, and the bookings that a platform makes of the holds. */
import { room } from '../../openapi/openapi.ts';
import { seasonBooking } from '../season-bookings/season-bookings.ts';
import { seasonBookingDescriptions } from './booking-descriptions.ts';
import { seasonBookingRoutes } from './booking-routes.ts';
import { seasonBuyerDescriptions } from './buyer-descriptions.ts';
import { seasonHold } from './hold-answers.ts';
import { seasonHoldRoutes } from './hold-routes.ts';
import { seasonMapRoutes } from './map-routes.ts';
import { seasonSessionDescriptions } from './session-descriptions.ts';
import { seasonSessionRoutes } from './session-routes.ts';

export const seasonSalesRoom = room(
  [...seasonSessionRoutes, ...seasonMapRoutes, ...seasonHoldRoutes, ...seasonBookingRoutes],
  { ...seasonSessionDescriptions, ...seasonBuyerDescriptions, ...seasonBookingDescriptions },
  { SeasonHold: seasonHold, SeasonBooking: seasonBooking },
);
