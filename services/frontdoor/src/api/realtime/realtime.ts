/** The live map: tickets, lists of units, the event stream and the frames. */
import { room } from '../../openapi/openapi.ts';
import { binaryFrame, frame } from './answers.ts';
import { realtimeDescriptions } from './descriptions.ts';
import { realtimeRoutes } from './routes.ts';

export const realtimeRoom = room(realtimeRoutes, realtimeDescriptions, { Frame: frame, BinaryFrame: binaryFrame });
export { sockets } from './descriptions.ts';
