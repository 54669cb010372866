/**
 * The program of the thread that reads large bodies, without the thread: from bytes to the checked value of a row, or a
 * refusal. A body is read in two steps. `open` parses it and tells its small fields, so that the loop can refuse a
 * stale save before the rest is walked. `check` runs the row's schema. Then the value goes to the loop: a chart
 * document as gzipped bytes, a long list in parts, so that no message holds the loop up for long.
 */
import type { Outcome } from '@parterre/shared/protocol/errors';
import { sha256 } from '@parterre/shared/protocol/ids';
import { elementsPerMessageMax } from '@parterre/shared/protocol/limits';
import { packDocument } from '../caches/caches.ts';
import { checkBody, openBody } from './reading.ts';
import type { Row, SmallFields } from './route.ts';

export type ToBodyThread =
  | {
      type: 'open';
      signature: string;
      contentType: string;
      idempotencyKey: string;
      dropped: readonly string[];
      body: Uint8Array;
    }
  | { type: 'check' }
  | { type: 'more' };

/** A field of the body that follows in parts. */
type BodyPiece = { name: string; elements: unknown[] };

export type FromBodyThread =
  | { type: 'refused'; refused: Outcome<never> & { ok: false } }
  | { type: 'opened'; fields: SmallFields; fingerprint: string }
  | { type: 'value'; value: unknown; hasMore: boolean }
  | { type: 'part'; part: BodyPiece; hasMore: boolean };

type Opened = Extract<ToBodyThread, { type: 'open' }> & {
  row: Row;
  value: unknown;
  allFinite: boolean;
};

/** Answers one message after the other. A new body replaces the one before. */
export function createBodyProgram(rows: readonly Row[]): (job: ToBodyThread) => Promise<FromBodyThread> {
  const bySignature = new Map(rows.map((row) => [row.signature, row]));
  let opened: Opened | null = null;
  let parts: BodyPiece[] = [];

  function open(job: Extract<ToBodyThread, { type: 'open' }>): FromBodyThread {
    opened = null;
    parts = [];
    const row = bySignature.get(job.signature)!;
    const body = Buffer.from(job.body.buffer as ArrayBuffer, job.body.byteOffset, job.body.byteLength);
    const read = openBody(row, { ...job, body });
    if (!read.ok) return { type: 'refused', refused: read };
    opened = {
      ...job,
      body: nothing,
      row,
      value: read.value,
      allFinite: !INFINITE_PERHAPS.test(body.toString('latin1')),
    };
    // An Idempotency-Key goes with the body, byte for byte.
    return { type: 'opened', fields: smallFieldsOf(read.value), fingerprint: sha256(body) };
  }

  async function checkOpened(): Promise<FromBodyThread> {
    const { row, value, dropped, allFinite, ...request } = opened!;
    opened = null;
    const checked = checkBody(row, request, value, dropped);
    if (!checked.ok) return { type: 'refused', refused: checked };
    const packed = await withPackedDocument(row, checked.value, allFinite);
    const split = splitLists(packed);
    parts = split.parts;
    return { type: 'value', value: split.value, hasMore: parts.length > 0 };
  }

  return async (job) => {
    switch (job.type) {
      case 'open':
        return open(job);
      case 'check':
        return checkOpened();
      case 'more': {
        const part = parts.shift()!;
        return { type: 'part', part, hasMore: parts.length > 0 };
      }
    }
  };
}

const nothing = new Uint8Array(0);
/** A number beyond the range has an exponent of three digits, or some 300 digits. */
const INFINITE_PERHAPS = /[eE]\+?\d{3}|\d{300}/;

function smallFieldsOf(value: unknown): SmallFields {
  if (!isFields(value)) return {};
  const fields: Record<string, number | boolean | null> = {};
  for (const [name, field] of Object.entries(value).slice(0, SMALL_FIELDS_MAX))
    if (typeof field === 'number' || typeof field === 'boolean' || field === null) fields[name] = field;
  return fields;
}

const SMALL_FIELDS_MAX = 32;

function isFields(value: unknown): value is Record<string, unknown> {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}

async function withPackedDocument({ documentField }: Row, value: unknown, allFinite: boolean): Promise<unknown> {
  if (documentField === null || !isFields(value) || value[documentField] === undefined) return value;
  return { ...value, [documentField]: await packDocument(value[documentField] as object, allFinite) };
}

function splitLists(value: unknown): { value: unknown; parts: BodyPiece[] } {
  if (!isFields(value)) return { value, parts: [] };
  const parts: BodyPiece[] = [];
  const rest: Record<string, unknown> = {};
  for (const [name, field] of Object.entries(value)) {
    const isLong = Array.isArray(field) && field.length > elementsPerMessageMax;
    rest[name] = isLong ? [] : field;
    if (!isLong) continue;
    for (let at = 0; at < field.length; at += elementsPerMessageMax)
      parts.push({ name, elements: field.slice(at, at + elementsPerMessageMax) });
  }
  return { value: rest, parts };
}

/** Puts a part to the elements of its list that have come. */
export function addPart(value: unknown, { name, elements }: BodyPiece): void {
  const list = (value as Record<string, unknown[]>)[name]!;
  for (const element of elements) list.push(element);
}
