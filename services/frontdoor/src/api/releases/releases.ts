/** Ticket releases of an event. */
import { room } from '../../openapi/openapi.ts';
import { release } from './answers.ts';
import { releaseDescriptions } from './descriptions.ts';
import { releaseRoutes } from './routes.ts';

export const releasesRoom = room(releaseRoutes, releaseDescriptions, { Release: release });
export { release } from './answers.ts';
