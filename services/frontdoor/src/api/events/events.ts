/** Events: metadata, detail, and the moves of their life. */
import { room } from '../../openapi/endpoints.ts';
import { eventDescriptions } from './descriptions.ts';
import { eventMoveDescriptions } from './move-descriptions.ts';
import { eventMoveRoutes } from './move-routes.ts';
import { eventRoutes } from './routes.ts';

export const eventsRoom = room([...eventRoutes, ...eventMoveRoutes], {
  ...eventDescriptions,
  ...eventMoveDescriptions,
});
