/** The choice of a body's form by Accept-Encoding (RFC 9110, 12.5.3), and its caching. Pure. */
import type { Header } from './answer.ts';
import { hasEtag } from './rules/etag.ts';

/** Of two forms that a caller takes, the earlier one here is smaller. */
export const encodings = ['br', 'gzip'] as const;
export type Encoding = (typeof encodings)[number];

/** The answer depends on Accept-Encoding, so caches keep one answer for each form. */
export const variesByEncoding: Header = ['Vary', 'Accept-Encoding'];

/** The smallest form that the caller takes; null for the body as it is. */
export function encodingFor(
  acceptEncoding: string,
  hasForm: (encoding: Encoding) => boolean = () => true,
): Encoding | null {
  if (acceptEncoding === '') return null;
  const weights = new Map(acceptEncoding.split(',').map(weightOf));
  const takes = (encoding: Encoding): boolean => (weights.get(encoding) ?? weights.get('*') ?? 0) > 0;
  return encodings.find((encoding) => hasForm(encoding) && takes(encoding)) ?? null;
}

function weightOf(range: string): [coding: string, weight: number] {
  const [coding = '', ...parameters] = range.split(';').map((part) => part.trim().toLowerCase());
  const weight = parameters.find((parameter) => parameter.startsWith('q='))?.slice(2);
  return [coding, weight === undefined ? 1 : Number(weight)];
}

type EncodingHeaders = { acceptEncoding: string; ifNoneMatch: string };

/**
 * The form that the caller takes, the headers of each form, and whether the caller has this form already. `etag` is
 * that of the body as it is. `cacheControl` is null for a private answer.
 */
export function formsOf(
  { acceptEncoding, ifNoneMatch }: EncodingHeaders,
  etag: string,
  cacheControl: string | null,
  hasForm?: (encoding: Encoding) => boolean,
) {
  const encoding = encodingFor(acceptEncoding, hasForm);
  const headersOf = (form: Encoding | null): Header[] => [
    ['ETag', etagOfForm(etag, form)],
    ...(cacheControl === null ? [] : [['Cache-Control', cacheControl] as const]),
    variesByEncoding,
  ];
  return { encoding, headersOf, isKnown: hasEtag(ifNoneMatch, etagOfForm(etag, encoding)) };
}

/** Each form of a body has an ETag of its own. */
export function etagOfForm(etag: string, encoding: Encoding | null): string {
  return encoding === null ? etag : `${etag.slice(0, -1)}-${encoding}"`;
}
