/** The report of an event, as JSON and as a file with one line for each unit. */
import { room } from '../../openapi/openapi.ts';
import { reportDescriptions } from './descriptions.ts';
import { reportFileRoutes } from './file-routes.ts';
import { reportRoutes } from './routes.ts';

export const reportsRoom = room([...reportRoutes, ...reportFileRoutes], reportDescriptions);
