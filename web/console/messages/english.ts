/** The console's texts, an area a file. Every other language has every key of this table. */
import { english as bookings } from './english/bookings.ts';
import { english as channels } from './english/channels.ts';
import { english as charts } from './english/charts.ts';
import { english as core } from './english/core.ts';
import { english as counter } from './english/counter.ts';
import { english as events } from './english/events.ts';
import { english as house } from './english/house.ts';
import { english as map } from './english/map.ts';
import { english as reports } from './english/reports.ts';
import { english as sale } from './english/sale.ts';
import { english as seasons } from './english/seasons.ts';
import { english as wall } from './english/wall.ts';
import type { In } from './translation.ts';

export const english = {
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

export type MessageKey = keyof typeof english;
/** A whole language. */
export type Translation = In<typeof english>;
