/** Best available: the event chooses the units. */
import { room } from '../../openapi/openapi.ts';
import { bestAvailableDescriptions } from './descriptions.ts';
import { bestAvailableRoutes } from './routes.ts';

export const bestAvailableRoom = room(bestAvailableRoutes, bestAvailableDescriptions);
export { choice, kept } from './answers.ts';
export { fitsTogether, query, tickets } from './bodies.ts';
export { aboutReplacing } from './descriptions.ts';
export { choiceOf, holdTerms, queryOf } from './routes.ts';
