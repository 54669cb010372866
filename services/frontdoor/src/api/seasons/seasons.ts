/** Seasons: their documents, lifecycle, plans, sales states, amendments, audit and outbox. */
import { room } from '../../openapi/openapi.ts';
import { seasonDescriptions } from './descriptions.ts';
import { seasonDeskDescriptions } from './desk-descriptions.ts';
import { seasonDeskRoutes } from './desk-routes.ts';
import { seasonLogDescriptions } from './log-descriptions.ts';
import { seasonLogRoutes } from './log-routes.ts';
import { planDescriptions } from './plan-descriptions.ts';
import { planRoutes } from './plan-routes.ts';
import { seasonRoutes } from './routes.ts';
import { season, seasonDetail, seasonPlan } from './season-answers.ts';

export { known, unknownSeason } from './descriptions.ts';
export { counted, target } from './routes.ts';

export const seasonsRoom = room(
  [...seasonRoutes, ...planRoutes, ...seasonLogRoutes, ...seasonDeskRoutes],
  { ...seasonDescriptions, ...planDescriptions, ...seasonLogDescriptions, ...seasonDeskDescriptions },
  { Season: season, SeasonDetail: seasonDetail, SeasonPlan: seasonPlan },
);
