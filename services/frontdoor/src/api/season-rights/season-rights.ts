/** Rights to the seats of a season: imports of holders, and renewal offers. */
import { room } from '../../openapi/openapi.ts';
import { additionRoutes } from './addition-routes.ts';
import { offer } from './answers.ts';
import { renewalRoutes } from './buyer-routes.ts';
import { importDescriptions } from './descriptions.ts';
import { importRoutes } from './import-routes.ts';
import { offerDescriptions } from './offer-descriptions.ts';
import { offerRoutes } from './offer-routes.ts';

export const seasonRightsRoom = room(
  [...importRoutes, ...additionRoutes, ...offerRoutes, ...renewalRoutes],
  { ...importDescriptions, ...offerDescriptions },
  { RenewalOffer: offer },
);
