/** Templates of venues. */
import { room } from '../../openapi/openapi.ts';
import { templateDescriptions } from './descriptions.ts';
import { templateRoutes } from './routes.ts';

export const templatesRoom = room(templateRoutes, templateDescriptions);
