/**
 * Refusals: the expected ways in which a request fails, as values. Each code stands here once, with its HTTP status.
 * Services return `Refusal`s, and the front door turns them into error bodies (see the OpenAPI description).
 */
export const statusByCode = {
  invalid_json: 400,
  invalid_framing: 400,
  invalid_idempotency_key: 400,
  nothing_to_update: 400,
  unauthorized: 401,
  buyer_access_invalid: 401,
  buyer_access_expired: 401,
  buyer_access_revoked: 401,
  insufficient_credits: 402,
  forbidden: 403,
  csrf_required: 403,
  sign_in_refused: 403,
  mode_mismatch: 403,
  channel_access_denied: 403,
  channel_paused: 403,
  capability_required: 403,
  webhook_scope_immutable: 403,
  buyer_access_origin_mismatch: 403,
  buyer_access_event_mismatch: 403,
  buyer_access_mode_mismatch: 403,
  not_found: 404,
  chart_not_found: 404,
  hold_not_found: 404,
  booking_not_found: 404,
  listing_not_found: 404,
  reservation_not_found: 404,
  method_not_allowed: 405,
  conflict: 409,
  cannot_extend: 409,
  chart_in_use: 409,
  event_closed: 409,
  event_exists: 409,
  user_exists: 409,
  event_not_ready: 409,
  idempotency_in_progress: 409,
  invalid_event_state: 409,
  invalid_season_state: 409,
  rehearsal_incomplete: 409,
  invalid_group_state: 409,
  performance_group_locked: 409,
  season_event_locked: 409,
  seats_would_vanish: 409,
  seats_would_move: 409,
  assignments_would_drop: 409,
  allocation_exhausted: 409,
  max_quantity_exceeded: 409,
  public_limit: 409,
  buyer_limit: 409,
  price_changed: 409,
  sales_not_started: 409,
  sales_ended: 409,
  selection_rules_broken: 409,
  channel_name_taken: 409,
  channel_pricing_conflict: 409,
  channel_assignment_conflict: 409,
  channel_archive_blocked_by_holds: 409,
  table_inventory_in_use: 409,
  default_workspace_required: 409,
  webhook_limit_reached: 409,
  payload_too_large: 413,
  unsupported_media_type: 415,
  invalid_request: 422,
  invalid_chart: 422,
  invalid_event_inventory: 422,
  chart_not_published: 422,
  workspace_not_found_or_disabled: 422,
  invalid_channel_scope: 422,
  invalid_capabilities: 422,
  unknown_labels: 422,
  unknown_tier: 422,
  not_for_sale: 422,
  incompatible_events: 422,
  invalid_quantity: 422,
  ticket_option_not_applicable: 422,
  companion_pair_required: 422,
  price_missing: 422,
  not_platform_owned: 403,
  not_managed: 403,
  rate_limited: 429,
  login_locked: 429,
  internal_error: 500,
  shard_unavailable: 503,
  catalog_unavailable: 503,
  journal_lost_records: 503,
  overloaded: 503,
  issuer_unavailable: 503,
} as const satisfies Record<string, number>;

export type RefusalCode = keyof typeof statusByCode;

/** `objectId` is the id of the chart's object that the issue is about, if any. */
export type Issue = { path: string; message: string; objectId?: string };

/**
 * `details` are further fields of the error body (`conflicts`, `labels`, `issues`, `updatedAt`, …). `retryable` is set
 * exactly when a repetition of the unchanged request is safe and may succeed. `outcome` is set when the call may have
 * been carried out, and a repetition could do harm; the message then says where the caller finds out (unheard.ts).
 */
export type Refusal = {
  code: RefusalCode;
  message: string;
  reason?: string;
  retryable?: true;
  outcome?: 'unknown';
  details?: Record<string, unknown>;
};

/** The result of an operation: a value, or a refusal. */
export type Outcome<T> = { ok: true; value: T } | { ok: false; refusal: Refusal };

export function done<T>(value: T): Outcome<T> {
  return { ok: true, value };
}

export function refuse(
  code: RefusalCode,
  message: string,
  more: Omit<Refusal, 'code' | 'message'> = {},
): { ok: false; refusal: Refusal } {
  return { ok: false, refusal: { code, message, ...more } };
}

/** The refusal of a change without a field. `fields` can be changed. */
export function nothingToUpdate(fields: readonly string[]): { ok: false; refusal: Refusal } {
  return refuse('nothing_to_update', `Name at least one field to change: ${fields.join(', ')}.`);
}

/** A bug or a broken dependency: names the operation and keeps its cause. Never an expected outcome. */
export class Fault extends Error {
  constructor(operation: string, cause?: unknown) {
    super(operation, cause === undefined ? undefined : { cause });
    this.name = 'Fault';
  }
}
