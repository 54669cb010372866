/** Performance groups: their documents, lifecycle and buyers' sessions. */
import { room } from '../../openapi/openapi.ts';
import { groupDescriptions } from './descriptions.ts';
import { group, groupDetail } from './group-answers.ts';
import { groupRoutes } from './routes.ts';
import { groupSessionRoutes } from './session-routes.ts';

export { groupDetailOf, groupState, isOnSale, oneGroup } from './group-answers.ts';
export { target } from './routes.ts';

export const groupsRoom = room([...groupRoutes, ...groupSessionRoutes], groupDescriptions, {
  PerformanceGroup: group,
  PerformanceGroupDetail: groupDetail,
});
