/**
 * Charts of single events: the chart with an operator's changes, stored by its hash like a published chart, and checked
 * in the same way. The event's actor decides which chart the event uses. A document that no event takes in the end
 * stays and is harmless.
 */

import type { ChartDocument } from '@parterre/shared/charts/document';
import { publishIssues } from '@parterre/shared/charts/publish-issues';
import type { CatalogInput, CatalogOutput } from '@parterre/shared/protocol/catalog-api';
import { done, type Outcome, refuse } from '@parterre/shared/protocol/errors';
import { sha256 } from '@parterre/shared/protocol/ids';
import { chartBodyBytesMax } from '@parterre/shared/protocol/limits';
import type { OperationTable, Ports } from '../store/operations.ts';
import type { Store } from '../store/store.ts';
import { packText, readDocument } from './chart-documents.ts';
import { adjustmentsIn, carriedOver, withChange } from './rules/adjusted-chart.ts';

type AdjustmentOperation = 'plans.adjust' | 'plans.carry-adjustments';

const unknownPlan = refuse('not_found', 'There is no such published chart. Publish the chart first.');

export function createAdjustmentOperations({ store }: Pick<Ports, 'store'>): OperationTable<AdjustmentOperation> {
  return {
    'plans.adjust': (input) => adjust(store, input),
    'plans.carry-adjustments': (input) => carryAdjustments(store, input),
  };
}

async function adjust(
  store: Store,
  { hash, change }: CatalogInput<'plans.adjust'>,
): Promise<Outcome<CatalogOutput<'plans.adjust'>>> {
  const document = await readPublished(store, hash);
  if (!document) return unknownPlan;
  const { document: changed, dropped } = withChange(document, change);
  if (dropped.length > 0) return done({ hash: null, dropped });
  const issues = publishIssues(changed);
  if (issues.length > 0) {
    return refuse('invalid_event_inventory', "The event's adjusted chart could not be sold. The issues say why.", {
      details: { issues },
    });
  }
  const kept = await storeDocument(store, changed);
  return kept.ok ? done({ hash: kept.value, dropped }) : kept;
}

async function carryAdjustments(
  store: Store,
  { from, to }: CatalogInput<'plans.carry-adjustments'>,
): Promise<Outcome<CatalogOutput<'plans.carry-adjustments'>>> {
  const before = await readPublished(store, from);
  if (!before) return unknownPlan;
  const adjustments = adjustmentsIn(before);
  if (adjustments.categories.size + adjustments.tables.size === 0) return done({ hash: to, dropped: [] });
  const published = await readPublished(store, to);
  if (!published) return unknownPlan;
  const { document, dropped } = carriedOver(published, adjustments);
  if (document === published) return done({ hash: to, dropped });
  if (publishIssues(document).length > 0)
    return done({ hash: to, dropped: [{ reason: 'not_sellable', count: 1, names: [] }] });
  const kept = await storeDocument(store, document);
  return kept.ok ? done({ hash: kept.value, dropped }) : kept;
}

async function readPublished(store: Store, hash: string): Promise<ChartDocument | null> {
  const bytes = await store.getBlob(hash);
  return bytes && (await readDocument(hash, bytes));
}

async function storeDocument(store: Store, document: ChartDocument): Promise<Outcome<string>> {
  const text = JSON.stringify(document);
  if (Buffer.byteLength(text) > chartBodyBytesMax) {
    return refuse(
      'payload_too_large',
      `The event's adjusted chart would have more than ${chartBodyBytesMax} bytes. Change fewer seats.`,
    );
  }
  const hash = sha256(text);
  await store.putBlob(hash, await packText(text));
  return done(hash);
}
