/**
 * Reads the JSON of a caller's chart document: its structure, its missing fields, its seats, and safe mode's judgement.
 * Runs on the loop for a small document, and in a thread for a large one (draft-reader.ts).
 */
import { gzipSync } from 'node:zlib';
import { draftSeatTotal } from '@parterre/shared/charts/compile';
import { type ChartDocument, checkStructure } from '@parterre/shared/charts/document';
import type { DesignerSession } from '@parterre/shared/protocol/catalog/scope';
import { type Outcome, refuse } from '@parterre/shared/protocol/errors';
import type { PriceUnit } from '@parterre/shared/protocol/money';
import { refusedBySafeMode } from './rules/safe-changes.ts';

export type ToDraftThread =
  /** `priceUnit` is set in a document without one. */
  | { type: 'open'; text: Uint8Array; priceUnit?: PriceUnit }
  | { type: 'judge'; published: Uint8Array; draft: Uint8Array; safe: NonNullable<DesignerSession['safe']> };

type Refused = Outcome<never> & { ok: false };

export type FromDraftThread =
  | { type: 'refused'; refused: Refused }
  /** `packed` is the gzipped document where it differs from the text. */
  | { type: 'opened'; seatTotal: number; priceUnit?: PriceUnit; packed: Uint8Array | null }
  | { type: 'allowed' };

export function readDraft(job: ToDraftThread): FromDraftThread {
  return job.type === 'open' ? opened(job.text, job.priceUnit) : judged(job);
}

function opened(text: Uint8Array, priceUnit?: PriceUnit): FromDraftThread {
  let value: unknown;
  try {
    value = parsed(text);
  } catch {
    return { type: 'refused', refused: unreadable };
  }
  const issues = checkStructure(value);
  if (issues.length > 0) {
    const message = 'The document does not have the structure of a chart. The issues list its faults.';
    return { type: 'refused', refused: refuse('invalid_request', message, { details: { issues } }) as Refused };
  }
  const document = value as ChartDocument;
  const { priceUnit: own } = document;
  if (priceUnit !== undefined && own !== undefined && own !== priceUnit) return { type: 'refused', refused: twoUnits };
  const gainsUnit = priceUnit !== undefined && own === undefined;
  if (gainsUnit) document.priceUnit = priceUnit;
  const isStraightened = straighten(document);
  const changed = isStraightened || gainsUnit ? jsonOf(document) : null;
  const facts = { seatTotal: draftSeatTotal(document), ...(document.priceUnit && { priceUnit: document.priceUnit }) };
  return { type: 'opened', ...facts, packed: changed === null ? null : gzipSync(changed) };
}

export const unreadable = refuse('invalid_request', 'The document cannot be read. Send it as JSON.', {
  details: { issues: [{ path: 'doc', message: 'Must be a JSON document.' }] },
}) as Refused;

const twoUnits = refuse('invalid_request', 'The document has another priceUnit than the call.', {
  details: { issues: [{ path: 'priceUnit', message: 'Must be the priceUnit of doc.' }] },
}) as Refused;

function judged({ published, draft, safe }: Extract<ToDraftThread, { type: 'judge' }>): FromDraftThread {
  const refused = refusedBySafeMode(parsed(published) as ChartDocument, parsed(draft) as ChartDocument, safe);
  return refused === null ? { type: 'allowed' } : { type: 'refused', refused };
}

function parsed(text: Uint8Array): unknown {
  return JSON.parse(Buffer.from(text.buffer as ArrayBuffer, text.byteOffset, text.byteLength).toString('utf8'));
}

/** Null for a draft with an infinite number, which JSON here cannot spell: the draft stays as it was sent. */
function jsonOf(document: ChartDocument): string | null {
  let isSpelled = true;
  const json = JSON.stringify(document, (_, value: unknown) => {
    if (typeof value === 'number' && !Number.isFinite(value)) isSpelled = false;
    return value;
  });
  return isSpelled ? json : null;
}

/** Sets `curve` to 0 in rows without one, for clients that compute with the number. Returns whether there were any. */
function straighten({ objects, floors = [] }: ChartDocument): boolean {
  let isChanged = false;
  for (const object of [objects, ...floors.map((floor) => floor.objects)].flat()) {
    if (object.type !== 'row' || object.curve !== undefined) continue;
    object.curve = 0;
    isChanged = true;
  }
  return isChanged;
}
