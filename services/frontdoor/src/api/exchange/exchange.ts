/** Exchanges: a booking gives units up and has others instead, in one step. */
import { room } from '../../openapi/openapi.ts';
import { exchangeDescriptions } from './descriptions.ts';
import { exchangeRoutes } from './routes.ts';

export const exchangeRoom = room(exchangeRoutes, exchangeDescriptions);
