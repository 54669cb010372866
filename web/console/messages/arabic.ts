/** The console in Arabic. */
import { arabic as bookings } from './arabic/bookings.ts';
import { arabic as channels } from './arabic/channels.ts';
import { arabic as charts } from './arabic/charts.ts';
import { arabic as core } from './arabic/core.ts';
import { arabic as counter } from './arabic/counter.ts';
import { arabic as events } from './arabic/events.ts';
import { arabic as house } from './arabic/house.ts';
import { arabic as map } from './arabic/map.ts';
import { arabic as reports } from './arabic/reports.ts';
import { arabic as sale } from './arabic/sale.ts';
import { arabic as seasons } from './arabic/seasons.ts';
import { arabic as wall } from './arabic/wall.ts';
import type { Translation } from './english.ts';

export const arabic: Translation = {
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
