/** The console in German. */

import type { Translation } from './english.ts';
import { german as bookings } from './german/bookings.ts';
import { german as channels } from './german/channels.ts';
import { german as charts } from './german/charts.ts';
import { german as core } from './german/core.ts';
import { german as counter } from './german/counter.ts';
import { german as events } from './german/events.ts';
import { german as house } from './german/house.ts';
import { german as map } from './german/map.ts';
import { german as reports } from './german/reports.ts';
import { german as sale } from './german/sale.ts';
import { german as seasons } from './german/seasons.ts';
import { german as wall } from './german/wall.ts';

export const german: Translation = {
  ...core,
  ...events,
  ...charts,
  ...map,
  ...counter,
  ...bookings,
  ...channels,
  ...sale,
  ...wall,
  ...seasons,
  ...reports,
  ...house,
};
