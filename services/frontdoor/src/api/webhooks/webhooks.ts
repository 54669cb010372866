/** Webhook subscriptions and their deliveries. */
import { room } from '../../openapi/openapi.ts';
import { webhookDescriptions } from './descriptions.ts';
import { webhookRoutes } from './routes.ts';

export const webhooksRoom = room(webhookRoutes, webhookDescriptions);
export { occurrences, webhookAnswers, webhookHeaders } from './occurrences.ts';
