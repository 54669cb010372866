/** Webhook subscriptions and their deliveries. */
import { room } from '../../openapi/endpoints.ts';
import { webhookDescriptions } from './descriptions.ts';
import { webhookRoutes } from './routes.ts';

export const webhooksRoom = room(webhookRoutes, webhookDescriptions);
