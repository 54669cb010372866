/** The sales channels of an event, their report and their audit. */
import { room } from '../../openapi/openapi.ts';
import { auditRoutes } from './audit-routes.ts';
import { channelDescriptions } from './descriptions.ts';
import { channelRoutes } from './routes.ts';

export const channelsRoom = room([...channelRoutes, ...auditRoutes], channelDescriptions);
export { checkChannelOfPath, checkChannels } from './known-channels.ts';
