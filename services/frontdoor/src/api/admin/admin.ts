/** The operator's surface: organisations, users, keys, credits and projections. */
import { room } from '../../openapi/openapi.ts';
import { adminDescriptions } from './descriptions.ts';
import { projectionDescriptions } from './projection-descriptions.ts';
import { projectionRoutes } from './projection-routes.ts';
import { adminRoutes } from './routes.ts';

export const adminRoom = room([...adminRoutes, ...projectionRoutes], {
  ...adminDescriptions,
  ...projectionDescriptions,
});
export { loginBody } from './bodies.ts';
