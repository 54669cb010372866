/** The availability rules of an event, by section and zone. */
import { room } from '../../openapi/openapi.ts';
import { availabilityDescriptions } from './descriptions.ts';
import { availabilityRoutes } from './routes.ts';

export const availabilityRoom = room(availabilityRoutes, availabilityDescriptions);
export { availabilityRule } from './answers.ts';
