/** Templates of venues. */
import { room } from '../../openapi/openapi.ts';
import { templateDescriptions } from './descriptions.ts';
import { templateRoutes } from './routes.ts';

export const templatesRoom = room(templateRoutes, templateDescriptions);
export { listTemplatesAnswer } from './answers.ts';
export { sizes } from './bodies.ts';
export { drawNamed, listTemplates } from './drawing.ts';
