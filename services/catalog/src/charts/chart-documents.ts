/**
 * Chart documents as bytes: gzipped JSON, in transport and in the store. A draft is a blob with a name of its own. A
 * published version is a blob whose name is the hash of its JSON.
 */
import { promisify } from 'node:util';
import { gunzip, gzip } from 'node:zlib';
import { draftCategorySeats } from '@parterre/shared/charts/compile';
import type { ChartDocument } from '@parterre/shared/charts/document';
import type { DesignerSession } from '@parterre/shared/protocol/catalog/scope';
import { Fault, type Outcome } from '@parterre/shared/protocol/errors';
import { randomText } from '@parterre/shared/protocol/ids';
import type { PriceUnit } from '@parterre/shared/protocol/money';
import { parseStored, type StoredForm } from '@parterre/shared/protocol/stored';
import type { Clock } from '@parterre/shared/runtime/clock';
import { RecentMap } from '@parterre/shared/runtime/recent-map';
import { draftSeatsCategoriesMax, draftSeatsKeepMs, draftSeatsKept } from '../store/rules/bounds.ts';
import type { ChartRecord } from '../store/rules/records.ts';
import type { Store } from '../store/store.ts';
import type { OpenedDraft } from './draft-reader.ts';
import { refusedBySafeMode } from './rules/safe-changes.ts';

const inflate = promisify(gunzip);
const deflate = promisify(gzip);
const DRAFT_NAME_LENGTH = 22;
type DocumentFields = Pick<ChartDocument, 'version' | 'name' | 'venueType' | 'focalPoint' | 'categories' | 'objects'>;
const documentForm: StoredForm<DocumentFields> = {
  version: 'number',
  name: 'text',
  venueType: 'text',
  focalPoint: 'fields',
  categories: 'list',
  objects: 'list',
};

/** An empty chart. */
export async function emptyDraft(name: string, priceUnit?: PriceUnit): Promise<OpenedDraft> {
  const document: ChartDocument = {
    version: 1,
    name,
    venueType: 'SIMPLE',
    focalPoint: { x: 0, y: 0 },
    ...(priceUnit && { priceUnit }),
    categories: [],
    objects: [],
  };
  return { bytes: await deflate(JSON.stringify(document)), seatTotal: 0, ...(priceUnit && { priceUnit }) };
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

/** Opens a stored document. Throws a `Fault` with the blob's name when the bytes are no chart document. */
export async function readDocument(name: string, bytes: Uint8Array): Promise<ChartDocument> {
  return parseDocument(
    name,
    await textOf(bytes).catch((error: unknown) => {
      throw new Fault(`read the chart document ${name}`, error);
    }),
  );
}

/** The same for the text of a document. */
export function parseDocument(name: string, text: string): ChartDocument {
  return parseStored(`read the chart document ${name}`, text, documentForm) as ChartDocument;
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
  return bytes ? refusedBySafeMode(await readDocument(published.hash, bytes), document, safe) : null;
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
    const document = await readDocument(name, bytes);
    const seats = draftCategorySeats(document);
    if (document.categories.length <= draftSeatsCategoriesMax) known.set(name, seats);
    return seats;
  };
}
