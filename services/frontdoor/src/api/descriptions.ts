/** All descriptions, by the signature of their route. A test sees to it that every route has one. */

import type { Description } from '../openapi/description.ts';
import { access } from './access/descriptions.ts';
import { accessLinks } from './access/link-descriptions.ts';
import { adjustments } from './adjustments/descriptions.ts';
import { operator } from './admin/descriptions.ts';
import { availability } from './availability/descriptions.ts';
import { bestAvailable } from './best-available/descriptions.ts';
import { buyers } from './buyers/descriptions.ts';
import { buyerHolds } from './buyers/hold-descriptions.ts';
import { buyerSessions } from './buyers/session-descriptions.ts';
import { channels } from './channels/descriptions.ts';
import { charts } from './charts/descriptions.ts';
import { consoles } from './console/descriptions.ts';
import { dashboard } from './dashboard/descriptions.ts';
import { events } from './events/descriptions.ts';
import { eventMoves } from './events/move-descriptions.ts';
import { history, projections } from './history/descriptions.ts';
import { inventory } from './inventory/descriptions.ts';
import { demo } from './platform/demo-descriptions.ts';
import { health } from './platform/descriptions.ts';
import { posters } from './posters/descriptions.ts';
import { realtime } from './realtime/descriptions.ts';
import { releases } from './releases/descriptions.ts';
import { resale } from './resale/descriptions.ts';
import { webhooks } from './webhooks/descriptions.ts';
import { workspaces } from './workspaces/descriptions.ts';

export const descriptions: Readonly<Record<string, Description>> = {
  ...health,
  ...operator,
  ...projections,
  ...dashboard,
  ...workspaces,
  ...charts,
  ...events,
  ...eventMoves,
  ...posters,
  ...inventory,
  ...adjustments,
  ...releases,
  ...availability,
  ...bestAvailable,
  ...resale,
  ...channels,
  ...history,
  ...webhooks,
  ...access,
  ...accessLinks,
  ...buyers,
  ...buyerHolds,
  ...buyerSessions,
  ...realtime,
  ...consoles,
  ...demo,
};
