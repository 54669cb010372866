/** Seasons and performance groups as the server tells them. Times are epoch milliseconds. */
export type SalesState = 'closed' | 'open' | 'paused' | 'ended';
export type StructureState = 'draft' | 'active' | 'closing' | 'closed' | 'archived';

export type Plan = {
  key: string;
  name: string;
  publicationState: 'draft' | 'published' | 'superseded';
  activationId: string | null;
  eventKeys: string[];
  publishedAt: number | null;
};

export type Season = {
  key: string;
  name: string;
  edition: string | null;
  mode: string;
  workspaceId: string;
  currency: string;
  priceUnit?: 'major' | 'minor';
  timezone: string | null;
  revision: number;
  structureState: StructureState;
  salesState: SalesState;
  occurrenceCount: number;
  plans?: Plan[];
};

export type Group = {
  key: string;
  name: string;
  mode: string;
  workspaceId: string;
  timezone: string | null;
  revision: number;
  state: StructureState;
  performanceCount: number;
  performances?: { eventKey: string; name: string; startsAt: number; venue: string | null; timezone: string | null }[];
};

export type Night = {
  eventKey: string;
  name: string;
  startsAt: number | null;
  venue: string | null;
  timezone: string | null;
};

export type NightCounts = { free: number; held: number; booked: number; blocked: number };

export type Lifecycle = { operationId: string; terminal: boolean; code?: string | null };
