/** Posters of events, and the pictures by id. */
import { room } from '../../openapi/openapi.ts';
import { posterDescriptions } from './descriptions.ts';
import { posterRoutes } from './routes.ts';

export const postersRoom = room(posterRoutes, posterDescriptions);
export { assetAnswer } from './routes.ts';
