/** Performance groups: the same seats of 2 to 8 events, sold all or none. */
import { room } from '../../openapi/openapi.ts';
import { groupBookingRoutes } from './booking-routes.ts';
import { groupBuyerDescriptions } from './buyer-descriptions.ts';
import { groupDescriptions } from './descriptions.ts';
import { group, groupDetail } from './group-answers.ts';
import { groupBooking, groupHold } from './hold-answers.ts';
import { groupHoldRoutes } from './hold-routes.ts';
import { groupMapRoutes } from './map-routes.ts';
import { groupRoutes } from './routes.ts';
import { groupSessionRoutes } from './session-routes.ts';

export const groupsRoom = room(
  [...groupRoutes, ...groupSessionRoutes, ...groupMapRoutes, ...groupHoldRoutes, ...groupBookingRoutes],
  { ...groupDescriptions, ...groupBuyerDescriptions },
  { PerformanceGroup: group, PerformanceGroupDetail: groupDetail, GroupHold: groupHold, GroupBooking: groupBooking },
);
