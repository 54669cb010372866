/**
 * Chart documents as bytes: gzipped JSON, in transport and in the store. A draft is a blob with a name of its own. A
 * published version is a blob whose name is the hash of its JSON.
 */
import { promisify } from 'node:util';
import { gunzip, gzip } from 'node:zlib';
import type { DesignerSession } from '@parterre/shared/catalog/scope';
import { draftCategorySeats } from '@parterre/shared/chart/compile';
import { type ChartDocument, checkStructure } from '@parterre/shared/chart/document';
import type { Clock } from '@parterre/shared/clock';
import { done, type Outcome, refuse } from '@parterre/shared/errors';
import { randomText } from '@parterre/shared/ids';
import { chartBodyBytesMax } from '@parterre/shared/limits';
import { RecentMap } from '@parterre/shared/recent-map';
import { draftSeatsCategoriesMax, draftSeatsKeepMs, draftSeatsKept } from '../store/rules/bounds.ts';
import type { ChartRecord } from '../store/rules/records.ts';
import type { Store } from '../store/store.ts';
import { refusedBySafeMode } from './rules/safe-changes.ts';

const inflate = promisify(gunzip);
const deflate = promisify(gzip);
const DRAFT_NAME_LENGTH = 22;

export type DraftDocument = { document: ChartDocument; bytes: Uint8Array };

/** Opens a caller's gzipped document, checks its structure, and gives a `curve` to every row without one. */
export async function openDraft(bytes: Uint8Array): Promise<Outcome<DraftDocument>> {
  let value: unknown;
  try {
    value = JSON.parse((await inflate(bytes, { maxOutputLength: chartBodyBytesMax })).toString('utf8'));
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === 'ERR_BUFFER_TOO_LARGE') {
      return refuse(
        'payload_too_large',
        `A chart document has at most ${chartBodyBytesMax} bytes. Send a smaller one.`,
      );
    }
    return refuse('invalid_request', 'The document cannot be read. Send it as JSON.', {
      details: { issues: [{ path: 'doc', message: 'Must be a JSON document.' }] },
    });
  }
  const issues = checkStructure(value);
  if (issues.length > 0) {
    return refuse(
      'invalid_request',
      'The document does not have the structure of a chart. The issues list its faults.',
      { details: { issues } },
    );
  }
  const document = value as ChartDocument;
  const changed = straighten(document) ? jsonOf(document) : null;
  return done({ document, bytes: changed === null ? bytes : await deflate(changed) });
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

/** An empty chart. */
export async function emptyDraft(name: string): Promise<DraftDocument> {
  const document: ChartDocument = {
    version: 1,
    name,
    venueType: 'SIMPLE',
    focalPoint: { x: 0, y: 0 },
    categories: [],
    objects: [],
  };
  return { document, bytes: await deflate(JSON.stringify(document)) };
}

/** Stores a draft's bytes under a fresh name, and returns the name. */
export async function storeDraft(store: Store, bytes: Uint8Array): Promise<string> {
  const name = `draft_${randomText(DRAFT_NAME_LENGTH)}`;
  await store.putBlob(name, bytes);
  return name;
}

/** The JSON text of a stored document. */
export async function textOf(bytes: Uint8Array): Promise<string> {
  return (await inflate(bytes)).toString('utf8');
}

export async function packText(text: string): Promise<Uint8Array> {
  return deflate(text);
}

/** The refusal of a document that safe mode does not allow in place of the published one; null where it is allowed. */
export async function unsafeChange(
  store: Store,
  { published }: ChartRecord,
  document: ChartDocument,
  safe: NonNullable<DesignerSession['safe']>,
): Promise<Outcome<never> | null> {
  const bytes = published && (await store.getBlob(published.hash));
  return bytes ? refusedBySafeMode(JSON.parse(await textOf(bytes)) as ChartDocument, document, safe) : null;
}

/**
 * Gives `categorySeats` of the draft of this name. It is derived from the document and never stored, but this process
 * remembers it for a while: a draft never changes under its name, and opening a large one takes a tenth of a second.
 */
export function rememberedSeats({ clock }: { clock: Clock }) {
  const known = new RecentMap<Record<string, number>>(clock, { entriesMax: draftSeatsKept, keepMs: draftSeatsKeepMs });
  return async (name: string, bytes: Uint8Array): Promise<Record<string, number>> => {
    const remembered = known.get(name);
    if (remembered) return remembered;
    const document = JSON.parse(await textOf(bytes)) as ChartDocument;
    const seats = draftCategorySeats(document);
    if (document.categories.length <= draftSeatsCategoriesMax) known.set(name, seats);
    return seats;
  };
}
