/** Events: facts, detail, and moves from status to status. */
import { room } from '../../openapi/openapi.ts';
import { eventDescriptions } from './descriptions.ts';
import { eventMoveDescriptions } from './move-descriptions.ts';
import { eventMoveRoutes } from './move-routes.ts';
import { eventRoutes } from './routes.ts';

export const eventsRoom = room([...eventRoutes, ...eventMoveRoutes], {
  ...eventDescriptions,
  ...eventMoveDescriptions,
});
export { sectionStates } from './answers.ts';
export { createEvent } from './create-event.ts';
