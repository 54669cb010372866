/** An operator's console of one event. */
import { room } from '../../openapi/openapi.ts';
import { consoleDescriptions } from './descriptions.ts';
import { consoleRoutes } from './routes.ts';

export const consoleRoom = room(consoleRoutes, consoleDescriptions);
