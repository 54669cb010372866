/** What a secret key lets an operation of the catalog see, and which page a query asks for. */
import type { Page, Scope } from '@parterre/shared/catalog-api';
import type { SecretPrincipal } from '../principals.ts';

export function scopeOf({ organisationId, mode, keyId, environment }: SecretPrincipal): Scope {
  return { organisationId, mode, actor: keyId, environment };
}

/** `limit` is clamped, never an error; an unreadable cursor starts over (the catalog's part). */
export function pageOf(query: URLSearchParams, bounds: { usual: number; most: number }): Page {
  const asked = Number.parseInt(query.get('limit') ?? '', 10);
  const limit = Number.isNaN(asked) ? bounds.usual : Math.min(Math.max(asked, 1), bounds.most);
  const cursor = query.get('cursor');
  return cursor === null || cursor === '' ? { limit } : { limit, cursor };
}
