/** Readiness, the description of the API, the demo page and the designer's page. */
import { room } from '../../openapi/openapi.ts';
import { demoDescriptions } from './demo-descriptions.ts';
import { demoRoutes } from './demo-routes.ts';
import { platformDescriptions } from './descriptions.ts';
import { designerDescriptions } from './designer-descriptions.ts';
import { designerRoutes } from './designer-routes.ts';
import { descriptionRoute } from './openapi-route.ts';
import { platformRoutes } from './routes.ts';

/** `describe` makes the description of all rooms, this room included. */
export function platformRoom(describe: Parameters<typeof descriptionRoute>[0]) {
  return room([descriptionRoute(describe), ...platformRoutes, ...demoRoutes, ...designerRoutes], {
    ...platformDescriptions,
    ...demoDescriptions,
    ...designerDescriptions,
  });
}
