/**
 * The designer's calls to its own server, with the session's token. Every call ends with an answer or a problem; a call
 * without an answer has status 0, and its outcome is unknown.
 */

import type { ChartDocument } from '@parterre/shared/charts/document';
import type { ChartMeta } from '@parterre/shared/protocol/catalog/charts';
import type { Issue } from '@parterre/shared/protocol/errors';
import { ask, type Result } from '../../src/sale/calls.ts';
import type { Clock } from '../../src/sale/clock.ts';
import { placesIn, placesMax } from '../document/objects.ts';

/** As GET /v1/designer/session tells it. */
export type DesignerSession = {
  id: string;
  workspaceId: string;
  chartId: string;
  allowedOrigin: string;
  authority: 'read-only' | 'edit' | 'publish';
  canEdit: boolean;
  canPublish: boolean;
  mode: 'normal' | 'safe';
  safeModeOptions: { allowDeletingObjects: boolean; allowEditingAreaCapacity: boolean } | null;
  featurePolicy: Record<string, unknown>;
  expiresAt: number;
  person: string | null;
  /** Of the organisation. Absent in answers of older servers. */
  currency?: string | null;
};

/** A refusal in the form of the API. */
export type Problem = {
  code: string;
  message?: string;
  reason?: string;
  labels?: string[];
  issues?: Issue[];
  savedSince?: SaveNote[];
  /** The marker of a version that is too large for the page. */
  updatedAt?: number;
};

/** A save by another session; `by` is null where its person is unknown. */
export type SaveNote = { at: number; by: string | null };

export type Failure = { ok: false; status: number; problem: Problem };
export type Answer<T> = { ok: true; value: T } | Failure;

export type OpenChart = { meta: ChartMeta; doc: ChartDocument; saves?: SaveNote[] };

/** `name` is the chart's own name, where it changed with the document. */
export type SaveBody = { doc: ChartDocument; expectedUpdatedAt: number; name?: string };

export type PreviewedEvent = {
  key: string;
  name: string;
  mode: 'live' | 'test';
  status: 'active' | 'closed';
  outcome: 'refresh' | 'needsUpdate' | 'current' | 'unknown';
  reasons: ('in_use' | 'channels' | 'own_chart' | 'scopes_would_drop' | 'locked')[];
  vanishing: { count: number; labels: string[]; taken: string[] } | null;
};

export type Preview = {
  meta: ChartMeta;
  isNew: boolean;
  issues: Issue[];
  events: PreviewedEvent[];
  truncated: boolean;
};
export type Published = { meta: ChartMeta; events: { refreshed: string[]; needsUpdate: string[] } };

export type Server = ReturnType<typeof createServer>;

const READ_MS_MAX = 30_000;
/** A large document travels on a slow line. */
const SAVE_MS_MAX = 120_000;

/** `token` is asked for at each call, since the platform may renew it. */
export function createServer(clock: Clock, token: () => string) {
  const call = async <T>(
    method: string,
    path: string,
    sent: { body?: unknown; key?: string; known?: string | null; ms?: number; signal?: AbortSignal } = {},
  ): Promise<Answer<T> & { etag?: string | null }> => {
    const answer: Result<T> = await ask<T>('/v1', path, method, {
      body: sent.body === undefined ? undefined : JSON.stringify(sent.body),
      type: 'application/json',
      token: token(),
      key: sent.key,
      known: sent.known ?? null,
      clock,
      signal: sent.signal ?? AbortSignal.timeout(sent.ms ?? READ_MS_MAX),
    });
    return answer as Answer<T> & { etag?: string | null };
  };
  const chart = (id: string) => `charts/${encodeURIComponent(id)}`;

  return {
    session: () => call<{ session: DesignerSession }>('GET', 'designer/session'),
    open: async (chartId: string) =>
      fitting(await call<OpenChart>('GET', `${chart(chartId)}?saves=1`, { ms: SAVE_MS_MAX })),
    /** Null if the chart has not changed since `updatedAt`. Without a signal it ends after SAVE_MS_MAX. */
    news: async (chartId: string, updatedAt: number, signal = AbortSignal.timeout(SAVE_MS_MAX)) =>
      fitting(await call<OpenChart | null>('GET', `${chart(chartId)}?saves=1`, { known: `"${updatedAt}"`, signal })),
    save: (chartId: string, body: SaveBody, key: string) =>
      call<{ meta: ChartMeta }>('PUT', chart(chartId), { body, key, ms: SAVE_MS_MAX }),
    preview: (chartId: string) => call<Preview>('GET', `${chart(chartId)}/publish-preview`),
    /** Publishes this state of the chart, and no other. */
    publish: (chartId: string, expectedUpdatedAt: number, key: string) =>
      call<Published>('POST', `${chart(chartId)}/publish`, { body: { expectedUpdatedAt }, key, ms: READ_MS_MAX }),
  };
}

/** A chart that would stop the page is refused as the server refuses a body that is too large. */
function fitting<T extends OpenChart | null>(answer: Answer<T>): Answer<T> {
  if (!answer.ok || !answer.value) return answer;
  const { doc, meta } = answer.value;
  const count = placesIn(doc);
  if (count <= placesMax) return answer;
  const [has, max] = [count, placesMax].map((each) => each.toLocaleString('en'));
  const message = `The chart has ${has} places. The designer opens charts of at most ${max}.`;
  return { ok: false, status: 413, problem: { code: 'chart_too_large', message, updatedAt: meta.updatedAt } };
}

/** Whether a repetition of the same request may have another answer. */
export function isTransient({ status, problem }: Failure): boolean {
  return status === 0 || status >= 500 || status === 429 || problem.code === 'idempotency_in_progress';
}
