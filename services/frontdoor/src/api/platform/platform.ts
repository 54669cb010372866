/** Readiness, the description of the API, and the demo page. */
import { room } from '../../openapi/openapi.ts';
import { demoDescriptions } from './demo-descriptions.ts';
import { demoRoutes } from './demo-routes.ts';
import { platformDescriptions } from './descriptions.ts';
import { descriptionRoute } from './openapi-route.ts';
import { platformRoutes } from './routes.ts';

/** `describe` makes the description of all rooms, this room included. */
export function platformRoom(describe: Parameters<typeof descriptionRoute>[0]) {
  return room([descriptionRoute(describe), ...platformRoutes, ...demoRoutes], {
    ...platformDescriptions,
    ...demoDescriptions,
  });
}
