/** Resale of booked units. */
import { room } from '../../openapi/openapi.ts';
import { resaleDescriptions } from './descriptions.ts';
import { resaleRoutes } from './routes.ts';

export const resaleRoom = room(resaleRoutes, resaleDescriptions);
