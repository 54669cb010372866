/** One save. It is sent again under its key until its outcome is known. */
import type { ChartDocument } from '@parterre/shared/charts/document';
import type { SaveBody } from '../session/calls.ts';
import type { Base } from './drafts.ts';

/** `isUnknown`: it was sent, and nobody answered. */
export type Attempt = { readonly body: SaveBody; readonly key: string; isUnknown: boolean };

/** As the server bounds a chart's name. */
const NAME_LENGTH_MAX = 200;

/** A chart is listed under its name, which the document has too. */
export function attemptOf({ updatedAt, document }: Base, doc: ChartDocument, key: string): Attempt {
  const name = doc.name.trim();
  const isRenamed = doc.name !== document.name && name !== '' && name.length <= NAME_LENGTH_MAX;
  return { body: { doc, expectedUpdatedAt: updatedAt, ...(isRenamed && { name }) }, key, isUnknown: false };
}
