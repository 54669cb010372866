/** The requests of buyers' pages: sessions, chart, map, holds. */
import { room } from '../../openapi/openapi.ts';
import { buyerDescriptions } from './descriptions.ts';
import { buyerHoldDescriptions } from './hold-descriptions.ts';
import { buyerHoldRoutes } from './hold-routes.ts';
import { buyerRoutes } from './routes.ts';
import { buyerSessionDescriptions } from './session-descriptions.ts';
import { buyerSessionRoutes } from './session-routes.ts';

export { summary } from './answers.ts';
export { bootstrapBody } from './bodies.ts';
export { summaryQuery } from './queries.ts';

export const buyersRoom = room([...buyerSessionRoutes, ...buyerRoutes, ...buyerHoldRoutes], {
  ...buyerSessionDescriptions,
  ...buyerDescriptions,
  ...buyerHoldDescriptions,
});
