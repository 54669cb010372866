/** All descriptions, by the signature of their route. A test sees to it that every route has one. */
import { access } from './access.ts';
import { accessLinks } from './access-links.ts';
import { adjustments } from './adjustments.ts';
import { availability } from './availability.ts';
import { bestAvailable } from './best-available.ts';
import { buyerHolds } from './buyer-holds.ts';
import { buyerSessions } from './buyer-sessions.ts';
import { buyers } from './buyers.ts';
import { channels } from './channels.ts';
import { charts } from './charts.ts';
import { consoles } from './console.ts';
import { dashboard } from './dashboard.ts';
import { demo } from './demo.ts';
import type { Description } from './description.ts';
import { eventMoves } from './event-moves.ts';
import { events } from './events.ts';
import { history, projections } from './history.ts';
import { inventory } from './inventory.ts';
import { operator } from './operator.ts';
import { health } from './platform.ts';
import { posters } from './posters.ts';
import { realtime } from './realtime.ts';
import { releases } from './releases.ts';
import { resale } from './resale.ts';
import { webhooks } from './webhooks.ts';
import { workspaces } from './workspaces.ts';

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
