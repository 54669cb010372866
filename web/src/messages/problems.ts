/** Refusals in a buyer's words. Pure. */

import type { End } from '../rules/hold.ts';
import type { HeldItem } from '../rules/selection.ts';
import type { BrokenRule } from '../rules/selection-rules.ts';
import { takenText, withdrawnText } from './places.ts';
import type { Words } from './words.ts';

/** A refusal, or the code `no_answer` without any answer. */
export type Problem = {
  code: string;
  reason?: string;
  message?: string;
  conflicts?: {
    label: string;
    /** The place in the event's language, for a page whose chart does not have it. */
    name?: string;
    status: string;
    available?: number;
    eventKey?: string;
    /** The name of the performance that lacks the label. */
    performance?: string;
  }[];
  labels?: string[];
  maxQuantity?: number;
  used?: number;
  /** After `public_limit`. */
  limit?: number;
  left?: number;
  retryAfterSeconds?: number;
  /** After `sales_not_started`. */
  opensAt?: number;
  /** The end of the hold that the call named, if the server still knows it. */
  status?: End;
  /** After `price_changed`: the line items at their new prices. */
  items?: HeldItem[];
  /** The same of each performance of a group. */
  allocations?: { items: HeldItem[] }[];
  /** After `selection_rules_broken`. */
  problems?: BrokenRule[];
  /** The call may have been carried out. */
  outcome?: 'unknown';
  /** A refusal of the access link itself, not of the event behind it. */
  ofLink?: true;
  /** A refusal of a search for the best seats. */
  ofBest?: true;
};

const RETRY_SECONDS = 60;

/** The name of a place by its label. */
export type NameOf = (label: string) => string;

const byLabel: NameOf = (label) => label;

/** The text for a buyer after a refusal. */
export function problemText(words: Words, problem: Problem, nameOf: NameOf = byLabel): string {
  const { text, list } = words;
  const { labels = [] } = problem;
  const names = list(labels.map(nameOf));
  const hasNames = labels.length > 0;
  switch (problem.code) {
    case 'conflict':
      if (problem.ofBest) return text('finder.none');
      return problem.conflicts?.length ? conflictText(words, problem.conflicts, nameOf) : text('taken.some');
    case 'max_quantity_exceeded':
      return mostText(words, problem);
    case 'public_limit':
    case 'buyer_limit':
      return publicLimitText(words, problem);
    case 'companion_pair_required':
      return hasNames ? text('refused.companion', { names }) : text('refused.companionUnnamed');
    case 'price_missing':
      return hasNames ? text('refused.priceMissing', { names }) : text('refused.priceMissingUnnamed');
    case 'ticket_option_not_applicable':
      return hasNames ? text('refused.ticket', { names }) : text('refused.ticketUnnamed');
    case 'cannot_extend':
      return problem.reason === 'extend_limit' ? text('refused.extendLimit') : text('refused.ended');
    case 'hold_not_found':
      return text('refused.holdGone');
    case 'price_changed':
      return text('refused.priceChanged');
    case 'selection_rules_broken':
      return (problem.problems ?? []).map((each) => ruleText(words, each, nameOf)).join(' ') || text('refused.rules');
    case 'journal_lost_records':
      return text('refused.stale');
    case 'event_closed':
    case 'sales_ended':
      return text('refused.closed');
    case 'sales_not_started':
      return text('refused.notStarted');
    case 'allocation_exhausted':
      return text('refused.allocation');
    case 'channel_access_denied':
    case 'channel_paused':
      return text('refused.paused');
    case 'not_for_sale':
    case 'unknown_labels':
      return hasNames ? text('refused.notForSale', { names, count: labels.length }) : text('refused.notForSaleUnnamed');
    case 'rate_limited':
      return text('refused.tooMany', { time: words.seconds(problem.retryAfterSeconds ?? RETRY_SECONDS) });
    default:
      return accessText(words, problem);
  }
}

function conflictText(words: Words, conflicts: NonNullable<Problem['conflicts']>, nameOf: NameOf): string {
  const told = ({ label, name = label }: { label: string; name?: string }) => {
    const own = nameOf(label);
    return own === label ? name : own;
  };
  const short = conflicts.filter(({ available }) => available !== undefined);
  const gone = conflicts.filter(({ available, status }) => available === undefined && status !== 'not_for_sale');
  const withdrawn = conflicts.filter(({ available, status }) => available === undefined && status === 'not_for_sale');
  const parts = short.map((conflict) => shortText(words, told(conflict), conflict));
  const names = [...new Set(gone.map(told))];
  const performances = [...new Set(gone.flatMap(({ performance }) => performance ?? []))];
  if (withdrawn.length > 0) parts.unshift(withdrawnText(words, [...new Set(withdrawn.map(told))]));
  if (names.length > 0) parts.unshift(takenText(words, names, performances));
  return [...parts, words.text('taken.nothingHeld')].join(' ');
}

/** For an area with fewer free places than were asked for. */
function shortText({ text }: Words, name: string, conflict: NonNullable<Problem['conflicts']>[number]): string {
  const { available: count = 0, performance: performances } = conflict;
  if (performances === undefined)
    return count === 0 ? text('taken.soldOut', { name }) : text('taken.few', { name, count });
  return count === 0
    ? text('taken.soldOutFor', { name, performances })
    : text('taken.fewFor', { name, count, performances });
}

function mostText({ text }: Words, { maxQuantity: count, used }: Problem): string {
  if (count === undefined) return text('refused.noMore');
  return used ? text('refused.mostUsed', { count, used }) : text('refused.most', { count });
}

function publicLimitText({ text }: Words, { reason, limit = 0, left = 0 }: Problem): string {
  if (reason === 'hold_time') return text('refused.holdTime');
  if (reason === 'max_held_per_address') return text('refused.addressFull');
  const used = limit - left;
  return used > 0 ? text('refused.mostUsed', { count: limit, used }) : text('refused.most', { count: left });
}

const linkOver = new Set(['buyer_access_expired', 'buyer_access_revoked']);
const unable = new Set(['shard_unavailable', 'catalog_unavailable', 'overloaded', 'internal_error']);

function accessText({ text }: Words, { code, message, outcome, ofLink }: Problem): string {
  if (ofLink && outcome === 'unknown') return text('refused.linkUnclear');
  if (ofLink && linkOver.has(code)) return text('refused.linkOver');
  if (ofLink && code === 'buyer_access_invalid') return text('refused.linkWrong');
  if (code === 'no_answer') return text('refused.noAnswer');
  if (code === 'buyer_access_revoked') return text('refused.revoked');
  if (code === 'buyer_access_origin_mismatch') return text('refused.origin');
  if (code.startsWith('buyer_access_')) return text('refused.access');
  if (code === 'not_found') return text('refused.notFound');
  if (unable.has(code)) return text('refused.busy');
  return message ?? text('refused.other');
}

/** A rule of the event that a choice breaks. */
export function ruleText({ text, list }: Words, broken: BrokenRule, nameOf: NameOf): string {
  const { rule, labels, max: count = 0 } = broken;
  if (rule === 'min_places') return text('rule.min', { count: broken.min ?? 0 });
  if (rule === 'exact_places') return text('rule.exact', { count: broken.exact ?? 0 });
  if (rule === 'not_consecutive') return text('rule.consecutive');
  // Of a party that the event was to seat: no place is chosen yet.
  if (labels.length === 0) return text('refused.most', { count });
  const names = list(labels.map(nameOf));
  if (rule === 'companion') return text('refused.companion', { names });
  if (rule === 'orphan_seat') return text('rule.orphan', { names, count: labels.length });
  return text(rule === 'category_limit' ? 'rule.category' : 'rule.tier', { names, count });
}

/** True if the same call may succeed later. */
export const mayPass = ({ code }: Problem): boolean =>
  code === 'no_answer' || code === 'rate_limited' || unable.has(code);

/** True if the page's prices, or its state of the sale, are out of date. */
export const isOutdated = ({ code }: Problem): boolean =>
  ['event_closed', 'price_changed', 'channel_paused', 'sales_not_started', 'sales_ended'].includes(code);
