/** Changes to the chart of one event: categories of seats, and how tables are sold. */
import { room } from '../../openapi/openapi.ts';
import { adjustmentDescriptions } from './descriptions.ts';
import { adjustmentRoutes } from './routes.ts';

export const adjustmentsRoom = room(adjustmentRoutes, adjustmentDescriptions);
export { droppedAdjustments } from './answers.ts';
