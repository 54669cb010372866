/** Charts: what is told of them, and what can be asked. */
import type { DesignerSession, Page, Scope } from './scope.ts';

export type ChartMeta = {
  id: string;
  chartId: string;
  name: string;
  status: 'draft' | 'published' | 'archived';
  workspaceId: string;
  externalRef: string | null;
  seatTotal: number;
  publishedVersion: number | null;
  publishedAt: number | null;
  createdAt: number;
  updatedAt: number;
};

/** What it shows the view from; of the whole venue where none is named. */
export type Panorama = { id: string; url: string; rowId?: string; sectionId?: string; seatIds?: string[] };

export type PanoramaManifest = {
  id: string;
  chartId: string;
  version: number;
  panoramas: Panorama[];
  createdAt: number;
};

/** How a table is sold. Bounds are of a variable one; without them 1 and its chairs. */
export type TableBooking = { mode: 'individual' | 'whole' | 'variable'; minOccupancy?: number; maxOccupancy?: number };

/** What an operator changes of the chart of one event. An area is named by its own label, or by all of its places. */
export type AdjustmentDraft = { labels: string[]; categoryKey: string } | { tableIds: string[]; booking: TableBooking };

/** What of it does not fit a document: labels, or ids of tables; the first `missingLabelsMax` of `count` where it is carried over. */
export type DroppedAdjustment = {
  reason: 'unknown_label' | 'unknown_category' | 'part_of_area' | 'unknown_table' | 'occupancy' | 'not_sellable';
  count: number;
  names: string[];
};

/** Refused with `conflict`, reason `safe_mode`, where what the published version sells would lose its identity. [anything goes] */
type SafeMode = NonNullable<DesignerSession['safe']>;

/** operation → [input, output]. `callId` is set where the caller named the call: repeated, it has no second effect (I5). */
export type ChartOperations = {
  'charts.list': [
    { scope: Scope; page: Page; externalRef?: string; workspaceId?: string; archived?: boolean },
    { charts: ChartMeta[]; nextCursor?: string },
  ];
  /** `doc` is the document's JSON, gzipped. */
  'charts.create': [
    {
      scope: Scope;
      name: string;
      doc?: Uint8Array;
      externalRef?: string | null;
      workspaceId?: string;
      callId?: string;
    },
    { meta: ChartMeta },
  ];
  /** Without the document, for readers that may have it already. */
  'charts.meta': [{ scope: Scope; chartId: string }, { meta: ChartMeta }];
  'charts.get': [
    { scope: Scope; chartId: string },
    { meta: ChartMeta; doc: Uint8Array; categorySeats: Record<string, number> },
  ];
  'charts.update': [
    {
      scope: Scope;
      chartId: string;
      doc?: Uint8Array;
      expectedUpdatedAt?: number;
      name?: string;
      externalRef?: string | null;
      callId?: string;
      safe?: SafeMode;
    },
    { meta: ChartMeta },
  ];
  'charts.duplicate': [
    {
      scope: Scope;
      chartId: string;
      externalRef?: string | null;
      name?: string;
      workspaceId?: string;
      callId?: string;
    },
    { meta: ChartMeta },
  ];
  /**
   * `behind` are the chart's active and closed events, of the scope's mode, that are pinned to another version. A call that was asked for
   * (`askedAt`) before another published the same draft is refused with `conflict`, as one that comes while it does.
   */
  'charts.publish': [
    { scope: Scope; chartId: string; askedAt?: number; safe?: SafeMode },
    {
      meta: ChartMeta;
      version: { planHash: string; chartVersion: number };
      behind: { key: string; region: string }[];
    },
  ];
  'charts.archive': [{ scope: Scope; chartId: string }, { meta: ChartMeta }];
  'charts.unarchive': [{ scope: Scope; chartId: string }, { meta: ChartMeta }];
  'charts.delete': [{ scope: Scope; chartId: string }, { ok: true }];
  'charts.add-panoramas': [{ scope: Scope; chartId: string; panoramas: Panorama[] }, { manifest: PanoramaManifest }];

  /** The published document under `hash`, gzipped JSON. Needs no scope: only services ask. */
  'plans.get': [{ hash: string }, { doc: Uint8Array }];
  /** The document of one event with one change more. Null, and nothing is kept, where the change does not fit it. */
  'plans.adjust': [{ hash: string; change: AdjustmentDraft }, { hash: string | null; dropped: DroppedAdjustment[] }];
  /** The document `to` with what an event's own document `from` was changed by; `to` itself where that is nothing. */
  'plans.carry-adjustments': [{ from: string; to: string }, { hash: string; dropped: DroppedAdjustment[] }];
};
