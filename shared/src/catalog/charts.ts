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
};
