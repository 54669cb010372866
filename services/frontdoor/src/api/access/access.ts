/** Sessions that a server issues for pages, and access links. */
import { room } from '../../openapi/openapi.ts';
import { sessionDescriptions } from './descriptions.ts';
import { accessLink } from './link-answers.ts';
import { linkDescriptions } from './link-descriptions.ts';
import { accessLinkRoutes } from './link-routes.ts';
import { accessRoutes } from './routes.ts';

export { mintedAccess } from './answers.ts';
export { allowedOrigin, ref } from './bodies.ts';

export const accessRoom = room(
  [...accessRoutes, ...accessLinkRoutes],
  { ...sessionDescriptions, ...linkDescriptions },
  { AccessLink: accessLink },
);
