/**
 * Chart documents as JSON bytes. A published document is found by its hash and never stale. For a draft, the catalog
 * tells the current state at each read, and only a state that is not cached is fetched. Documents are kept while they
 * fit into BYTES_MAX.
 *
 * Buyers' documents have compressed forms too, each made once on a thread of the pool when it is first asked for.
 * States of a form: absent → compressing (its callers wait for it together) → kept, while all forms fit into
 * FORMS_BYTES_MAX. While COMPRESSING_MAX forms are being made, callers of other forms get none, and send the document
 * as it is. An exception at the await is a bug: its callers get it, and the form is absent again.
 */
import { promisify } from 'node:util';
import { gunzip, gzip } from 'node:zlib';
import type { Plan } from '@parterre/shared/charts/plan';
import type { ChartMeta } from '@parterre/shared/protocol/catalog/charts';
import type { Scope } from '@parterre/shared/protocol/catalog/scope';
import { done, type Outcome, refuse } from '@parterre/shared/protocol/errors';
import { randomText } from '@parterre/shared/protocol/ids';
import type { CatalogClient } from '@parterre/shared/runtime/catalog-client';
import { type CompressedJson, compressed, type Encoding, type Spelled } from '../answers/answers.ts';
import { createBytesCache } from './bytes-cache.ts';
import { visibleDocument } from './rules/visible-document.ts';

/** The JSON of a chart document. */
export type DocumentBytes = Spelled<object, Buffer>;

type Form<Value> = CompressedJson<Value>;

/** The current draft of a chart. */
export type Draft = { meta: ChartMeta; categorySeats: Record<string, number>; document: DocumentBytes };

export type ChartDocuments = {
  /** The document's JSON under `hash`. */
  published(hash: string): Promise<Outcome<DocumentBytes>>;
  /** The document without the parts that are hidden from buyers. */
  visible(plan: Plan, hidden: readonly string[]): Promise<Outcome<DocumentBytes>>;
  /** A compressed form of `visible`, or of `{ doc }` with it. Refused where it cannot be had now. */
  compressed(plan: Plan, hidden: readonly string[], as: 'document', to: Encoding): Promise<Outcome<Form<object>>>;
  compressed(plan: Plan, hidden: readonly string[], as: 'field', to: Encoding): Promise<Outcome<Form<{ doc: object }>>>;
  /** The draft whose `meta` the catalog has just given for this scope, or a later state of the draft. */
  draft(scope: Scope, meta: ChartMeta): Promise<Outcome<Draft>>;
};

const INFINITE_MARK_LENGTH = 22;
const BYTES_MAX = 256 * 1024 * 1024;
const FORMS_BYTES_MAX = 32 * 1024 * 1024;
const COMPRESSING_MAX = 2;
const field = Buffer.from('{"doc":');
const busy = refuse('overloaded', 'Too many documents are being compressed.');
const gunzipBytes = promisify(gunzip);
const gzipBytes = promisify(gzip) as (bytes: string, options: { level: number }) => Promise<Buffer>;

type CachedDocument = Pick<Draft, 'document'> & Partial<Draft>;

export function createChartDocuments(catalog: CatalogClient): ChartDocuments {
  const { get } = createBytesCache<CachedDocument>(BYTES_MAX, ({ document }) => document.length);
  const forms = createBytesCache<Form<never>>(FORMS_BYTES_MAX, ({ bytes }) => bytes.length);
  let compressing = 0;

  async function compress(bytes: Buffer, to: Encoding): Promise<Outcome<Form<never>>> {
    if (compressing >= COMPRESSING_MAX) return busy;
    compressing++;
    try {
      return done(await compressed(bytes, to));
    } finally {
      compressing--;
    }
  }

  async function published(hash: string): Promise<Outcome<DocumentBytes>> {
    const found = await get(hash, async () => {
      const plan = await catalog('plans.get', { hash });
      return plan.ok ? done({ document: (await gunzipBytes(plan.value.doc)) as DocumentBytes }) : plan;
    });
    return found.ok ? done(found.value.document) : found;
  }

  async function visible(plan: Plan, hidden: readonly string[]): Promise<Outcome<DocumentBytes>> {
    if (hidden.length === 0 && !plan.adjusted) return published(plan.hash);
    // One stripped copy serves all readers with the same hidden divisions.
    const found = await get(nameOf(plan, hidden), async () => {
      const whole = await published(plan.hash);
      if (!whole.ok) return whole;
      const document = visibleDocument(JSON.parse(whole.value.toString('utf8')), plan, hidden);
      return done({ document: Buffer.from(JSON.stringify(document)) as DocumentBytes });
    });
    return found.ok ? done(found.value.document) : found;
  }

  return {
    published,
    visible,

    compressed(plan: Plan, hidden: readonly string[], as: 'document' | 'field', to: Encoding) {
      return forms.get(`${to} ${as} ${nameOf(plan, hidden)}`, async () => {
        const document = await visible(plan, hidden);
        if (!document.ok) return document;
        return compress(as === 'field' ? Buffer.concat([field, document.value]) : document.value, to);
      });
    },

    draft: (scope, { id: chartId, updatedAt }) =>
      get(`${chartId} ${updatedAt}`, async () => {
        const found = await catalog('charts.get', { scope, chartId });
        if (!found.ok) return found;
        const { meta, categorySeats, doc } = found.value;
        return done({ meta, categorySeats, document: (await gunzipBytes(doc)) as DocumentBytes });
      }),
  };
}

function nameOf({ hash }: Plan, hidden: readonly string[]): string {
  return `${hash} ${JSON.stringify(hidden)}`;
}

/**
 * A document in the form that the catalog takes: gzip. Fast rather than small, since it crosses one local link and is
 * stored once. The document of a large body is packed already (documentField of its row).
 * `allFinite`: no number of the document is infinite, so that it is spelled several times faster.
 */
export async function packDocument(document: object, allFinite = false): Promise<Uint8Array> {
  if (document instanceof Uint8Array) return document;
  return gzipBytes(allFinite ? JSON.stringify(document) : jsonOf(document), { level: 3 });
}

/**
 * JSON reads a number beyond the range (1e999) as infinite. This function writes it as 1e999 again. Publishing decides
 * about such a number.
 */
function jsonOf(document: object): string {
  const mark = `infinite ${randomText(INFINITE_MARK_LENGTH)}`;
  let isMarked = false;
  const text = JSON.stringify(document, (_, value: unknown) => {
    if (value !== Number.POSITIVE_INFINITY && value !== Number.NEGATIVE_INFINITY) return value;
    isMarked = true;
    return value > 0 ? mark : `-${mark}`;
  });
  return isMarked ? text.replaceAll(`"${mark}"`, '1e999').replaceAll(`"-${mark}"`, '-1e999') : text;
}
