/** Drafts of the demo: visitors without an account draw a chart and put it on sale. */
import { room } from '../../openapi/openapi.ts';
import { draftDescriptions } from './descriptions.ts';
import { draftRoutes } from './routes.ts';

export const draftsRoom = room(draftRoutes, draftDescriptions);
