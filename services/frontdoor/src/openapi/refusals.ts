/**
 * The refusals of a route: refusals that follow from its row of the route table, refusals that its description adds,
 * and the meaning of each status.
 */
import { type RefusalCode, statusByCode } from '@parterre/shared/protocol/errors';
import type { Credential, Row } from '../admission/admission.ts';
import type { Description, HeaderName } from './description.ts';

const ofBuyers: readonly RefusalCode[] = [
  'not_found',
  'buyer_access_invalid',
  'buyer_access_expired',
  'buyer_access_revoked',
  'buyer_access_origin_mismatch',
  'catalog_unavailable',
];
const ofCredential: Record<Credential, readonly RefusalCode[]> = {
  none: [],
  operator: ['unauthorized', 'forbidden'],
  server: ['unauthorized', 'forbidden', 'catalog_unavailable'],
  dashboard: ['unauthorized', 'forbidden', 'catalog_unavailable'],
  editor: ['unauthorized', 'forbidden', 'chart_not_found', 'catalog_unavailable'],
  designer: ['unauthorized', 'forbidden', 'catalog_unavailable'],
  console: ['unauthorized', 'forbidden', 'catalog_unavailable'],
  buyer: ofBuyers,
  'group-buyer': [...ofBuyers, 'buyer_access_event_mismatch'],
  'season-buyer': [...ofBuyers, 'buyer_access_event_mismatch'],
  page: ofBuyers,
};
const ofBody: readonly RefusalCode[] = [
  'invalid_json',
  'payload_too_large',
  'unsupported_media_type',
  'invalid_request',
  'overloaded',
];
const ofAnyType = ofBody.filter((code) => code !== 'unsupported_media_type');
const ofBytes: readonly RefusalCode[] = [
  'payload_too_large',
  'unsupported_media_type',
  'invalid_request',
  'overloaded',
];
const ofEvent: readonly RefusalCode[] = [
  'not_found',
  'catalog_unavailable',
  'journal_lost_records',
  'overloaded',
  'shard_unavailable',
];
const ofIdempotent: readonly RefusalCode[] = ['conflict', 'idempotency_in_progress', 'catalog_unavailable'];
const ofEveryRoute: readonly RefusalCode[] = ['invalid_framing', 'invalid_idempotency_key', 'internal_error'];

/** Every code that a route can answer with, by status. */
export function refusalsOf(route: Row, description: Pick<Description, 'refusals'>): Map<number, RefusalCode[]> {
  const codes = new Set<RefusalCode>([
    ...ofEveryRoute,
    ...ofCredential[route.credential],
    ...(takesCookie(route) && route.method !== 'GET' ? (['csrf_required'] as const) : []),
    ...(route.event ? [...ofEvent, ...mismatches(route.credential)] : []),
    ...(route.capabilities.length === 0 ? [] : (['capability_required'] as const)),
    // A manage session's request counts in the session's budget, even if the route refuses it. Every other request with
    // a refused credential counts in budgets of its address.
    ...(route.credential === 'none' ? [] : (['rate_limited'] as const)),
    ...(route.schema === null ? [] : route.anyType ? ofAnyType : ofBody),
    ...(route.rawBody ? ofBytes : []),
    ...(route.idempotent ? ofIdempotent : []),
    ...(route.budget === null ? [] : (['rate_limited'] as const)),
    ...(route.labelsIn === null ? [] : (['rate_limited', 'overloaded', 'shard_unavailable'] as const)),
    ...(route.budget === null || route.budget.local ? [] : (['overloaded', 'shard_unavailable'] as const)),
    ...(description.refusals ?? []),
  ]);
  return byStatus(codes);
}

export function byStatus(codes: Iterable<RefusalCode>): Map<number, RefusalCode[]> {
  const grouped = new Map<number, RefusalCode[]>();
  for (const code of [...codes].sort()) {
    const status = statusByCode[code];
    grouped.set(status, [...(grouped.get(status) ?? []), code]);
  }
  return grouped;
}

function takesCookie({ credential }: Row): boolean {
  return credential === 'server' || credential === 'console' || credential === 'editor' || credential === 'dashboard';
}

function mismatches(credential: Credential): readonly RefusalCode[] {
  return credential === 'buyer' ? ['buyer_access_mode_mismatch', 'buyer_access_event_mismatch'] : ['mode_mismatch'];
}

const rateLimitHeaders = ['RateLimit-Limit', 'RateLimit-Remaining', 'RateLimit-Reset', 'RateLimit-Policy'] as const;

/** The headers of a refusal, besides X-Request-ID. */
export function headersOfRefusal(status: number, route: Row): readonly HeaderName[] {
  if (status === 503) return ['Retry-After'];
  if (status !== 429 || route.budget?.refusal === 'error only') return [];
  if (route.budget === null && route.labelsIn !== null) return ['Retry-After', ...rateLimitHeaders];
  if (route.budget === null) return ['Retry-After'];
  return route.budget.refusal === 'Retry-After only' ? ['Retry-After'] : ['Retry-After', ...rateLimitHeaders];
}

/** The meaning of each status in a few words. */
export const meaningOfStatus: Record<number, string> = {
  400: 'The request is malformed.',
  401: 'The credential is missing or unknown.',
  402: 'Not enough credits.',
  403: 'This credential may not make this call.',
  404: 'The named thing does not exist, or this credential may not see it.',
  409: 'The current state conflicts with the call. Nothing was changed.',
  413: 'The body is too large.',
  415: 'The media type of the body is not supported.',
  422: 'The request is understood, but cannot be carried out.',
  429: 'Too many requests. This request did nothing.',
  500: 'A fault of the server.',
  503: 'A part of the server cannot be reached at present.',
};
