/** Charts: fields in answers, and operations. An absent field has the value in brackets. */
import type { PublishWarning } from '../../charts/publish-issues.ts';
import type { Issue } from '../errors.ts';
import type { PriceUnit } from '../money.ts';
import type { EventRecord } from './events.ts';
import type { DesignerSession, Page, Scope } from './scope.ts';

export type ChartMeta = {
  id: string;
  chartId: string;
  name: string;
  status: 'draft' | 'published' | 'archived';
  workspaceId: string;
  externalRef: string | null;
  seatTotal: number;
  /** Of the draft; a published chart keeps it. */
  priceUnit: PriceUnit;
  publishedVersion: number | null;
  publishedAt: number | null;
  createdAt: number;
  updatedAt: number;
};

/** A panorama shows the view from the named place, or the whole venue when it names no place. */
export type Panorama = { id: string; url: string; rowId?: string; sectionId?: string; seatIds?: string[] };

export type PanoramaManifest = {
  id: string;
  chartId: string;
  version: number;
  panoramas: Panorama[];
  createdAt: number;
};

/** The way a table is sold. Bounds apply to a variable table; the defaults are 1 and its chairs. */
export type TableBooking = { mode: 'individual' | 'whole' | 'variable'; minOccupancy?: number; maxOccupancy?: number };

/** An operator's change to the chart of one event. An area is named by its own label, or by all of its places. */
export type AdjustmentDraft = { labels: string[]; categoryKey: string } | { tableIds: string[]; booking: TableBooking };

/**
 * The part of an adjustment that does not fit a document: labels, or ids of tables. When adjustments are carried over
 * to another chart, `names` has the first `missingLabelsMax` of `count`.
 */
export type DroppedAdjustment = {
  reason: 'unknown_label' | 'unknown_category' | 'part_of_area' | 'unknown_table' | 'occupancy' | 'not_sellable';
  count: number;
  names: string[];
};

/** A save of a document. `by` is the person of a designer session; null for any other caller. */
export type DraftSave = { at: number; by: string | null };

/**
 * Refused with `conflict`, reason `safe_mode`, when units of the published version would lose their identity. [no such
 * check]
 */
type SafeMode = NonNullable<DesignerSession['safe']>;

/**
 * operation → [input, output]. `callId` is set when the caller named the call: a repetition has no second effect (I5).
 */
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
      /** Of the document. [as it says] */
      priceUnit?: PriceUnit;
      externalRef?: string | null;
      workspaceId?: string;
      callId?: string;
    },
    { meta: ChartMeta },
  ];
  /** Without the document, for readers that may have the document already. */
  /** With `expectedUpdatedAt`: refused as a save that was made from this state would be. */
  'charts.meta': [
    { scope: Scope; chartId: string; expectedUpdatedAt?: number },
    { meta: ChartMeta; saves: DraftSave[] },
  ];
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
      /** The person who saves. [null] */
      person?: string;
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
   * `behind` lists the chart's active and closed events, of the scope's mode, that use another version. Refused with
   * `conflict` when another call publishes the same draft meanwhile, or published it after `askedAt`, and when the
   * chart is not in the state `expectedUpdatedAt`.
   */
  'charts.publish': [
    { scope: Scope; chartId: string; askedAt?: number; expectedUpdatedAt?: number; safe?: SafeMode },
    {
      meta: ChartMeta;
      version: { planHash: string; chartVersion: number };
      behind: { key: string; region: string }[];
      /** [of a catalog of the build before: none] */
      warnings?: PublishWarning[];
    },
  ];
  /**
   * `hash` names the draft as a publish would. `vanishing` has the units that an event on this chart would lose, by the
   * chart's hash, with at most `previewedLabelsMax` labels; a chart that was not compared is not in it.
   */
  'charts.preview-publish': [
    { scope: Scope; chartId: string },
    {
      meta: ChartMeta;
      isNew: boolean;
      hash: string;
      issues: Issue[];
      warnings?: PublishWarning[];
      scopeIds: string[];
      events: Pick<EventRecord, 'key' | 'name' | 'mode' | 'status' | 'region' | 'planHash'>[];
      truncated: boolean;
      vanishing: Record<string, { count: number; labels: string[] }>;
    },
  ];
  'charts.archive': [{ scope: Scope; chartId: string }, { meta: ChartMeta }];
  'charts.unarchive': [{ scope: Scope; chartId: string }, { meta: ChartMeta }];
  'charts.delete': [{ scope: Scope; chartId: string }, { ok: true }];
  'charts.add-panoramas': [{ scope: Scope; chartId: string; panoramas: Panorama[] }, { manifest: PanoramaManifest }];

  /** The published document under `hash`, gzipped JSON. Without a scope: only services ask. */
  'plans.get': [{ hash: string }, { doc: Uint8Array }];
  /**
   * The document of one event with a further change. Null, and nothing is stored, when the change does not fit the
   * document.
   */
  'plans.adjust': [{ hash: string; change: AdjustmentDraft }, { hash: string | null; dropped: DroppedAdjustment[] }];
  /** The document `to` with the changes of an event's own document `from`; `to` itself when there are none. */
  'plans.carry-adjustments': [{ from: string; to: string }, { hash: string; dropped: DroppedAdjustment[] }];
};
