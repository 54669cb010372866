/** A file of a page as an answer: compressed, with an ETag, and for ever where its name changes with its content. */
import { done } from '@parterre/shared/errors';
import { formsOf, type Header, nothingHere, Prepared, unchanged } from '../../answers/answers.ts';
import type { PageFiles } from '../../caches/caches.ts';
import type { Request } from '../calls/calls.ts';

const noReferrer: Header = ['Referrer-Policy', 'no-referrer'];
/** Browsers fetch modules under CORS. The scripts are public, so a page of any origin may load them. */
const forAnyPage: readonly Header[] = [
  ['Access-Control-Allow-Origin', '*'],
  ['Cross-Origin-Resource-Policy', 'cross-origin'],
];

/** `policy` lists the directives of the Content-Security-Policy. */
export async function pageFile(
  files: PageFiles,
  request: Request,
  name: string,
  policy: readonly string[],
  more: readonly Header[] = [],
) {
  const file = await files.get(name);
  if (!file) return nothingHere;
  const { bytes, encoded, contentType, etag, isImmutable } = file;
  const freshness = isImmutable ? 'public, max-age=31536000, immutable' : 'no-cache';
  const forms = formsOf(request, etag, freshness, (encoding) => encoded[encoding] !== undefined);
  const { encoding } = forms;
  const limits: Header = ['Content-Security-Policy', policy.join('; ')];
  const headers = [
    ...[...forms.headersOf(encoding), noReferrer, limits, ...more],
    ...(name.endsWith('.js') ? forAnyPage : []),
  ];
  if (forms.isKnown) return done(unchanged(headers));
  const type: Header[] = [['Content-Type', contentType]];
  if (encoding === null) return done(new Prepared(200, [...type, ...headers], bytes));
  return done(new Prepared(200, [...type, ['Content-Encoding', encoding], ...headers], encoded[encoding]!));
}
