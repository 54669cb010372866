/** A tab of an event: a page of its own state beside the others of the same event. */
import type { nothing, TemplateResult } from 'lit-html';
import type { ViewAddress } from '../address.ts';
import type { Ports } from '../view.ts';
import type { MapPane } from './hall/map-pane.ts';

/** Times are epoch milliseconds; `timezone` is an IANA name. */
export type EventMeta = {
  key: string;
  name: string;
  mode: string;
  status: string;
  workspaceId: string;
  startsAt: number | null;
  timezone: string | null;
  currency: string;
  priceUnit?: 'major' | 'minor';
  ownership: 'platform' | 'managed';
  salesPaused: boolean;
  chartId: string;
};

export type EventRoom = {
  key: string;
  ports: Ports;
  /** The present address. */
  place(): ViewAddress;
  /** As it was read last; never null while a tab is open. */
  meta(): EventMeta;
  /** Reads the event anew, after a tab has changed it. */
  reread(): Promise<void>;
  /** The live map that all tabs share; opened with the first call. */
  map(): MapPane;
};

export type Tab = {
  draw(): TemplateResult | typeof nothing;
  /** The query of the address has changed. */
  moved?(): void;
  close(): void;
};

export type OpenTab = (room: EventRoom) => Tab;
