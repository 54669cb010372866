/** The report of an event, as JSON and as a file with one line for each unit. */
import { room } from '../../openapi/openapi.ts';
import { reportDescriptions } from './descriptions.ts';
import { reportFileRoutes } from './file-routes.ts';
import { reportRoutes } from './routes.ts';

export { readPieces } from './report-pieces.ts';

export const reportsRoom = room([...reportRoutes, ...reportFileRoutes], reportDescriptions);
