/** The picker's texts, for the eye and for a screen reader: plain words for places, times, money and refusals. Pure. */
import { accessibilityKinds } from '@parterre/shared/chart/accessibility';
import type { Hall } from './hall.ts';
import type { StatusWord } from './statuses.ts';

/** A refusal, or the code `no_answer` without any answer. */
export type Problem = {
  code: string;
  reason?: string;
  message?: string;
  conflicts?: {
    label: string;
    status: string;
    available?: number;
    eventKey?: string;
    /** The name of the performance that lacks the label. */
    performance?: string;
  }[];
  labels?: string[];
  maxQuantity?: number;
  used?: number;
  retryAfterSeconds?: number;
  /** The call may have been carried out. */
  outcome?: 'unknown';
  /** A refusal of the access link itself, not of the event behind it. */
  ofLink?: true;
};

export const statusText: Record<StatusWord, string> = {
  free: 'available',
  held: 'in somebody’s basket',
  booked: 'sold',
  not_for_sale: 'not for sale',
  partly: 'not available for every performance',
};

const kindText: Record<string, string> = {
  wheelchair: 'wheelchair place',
  companion: 'companion place',
  'semi-ambulatory': 'easy to reach',
  hearing: 'hearing loop',
  'sign-language': 'view of the sign language interpreter',
  'plus-size': 'wide seat',
  'lift-armrest': 'armrest lifts',
  cart: 'live captions',
};

export function money(amount: number, currency: string, locale: string | undefined): string {
  const fractions = Number.isInteger(amount) ? { maximumFractionDigits: 0 } : {};
  return new Intl.NumberFormat(locale, { style: 'currency', currency, ...fractions }).format(amount);
}

/** “Row A, seat 4”, “Table 1”, “Booth 1”: as much as the label tells, else the label itself. */
export function placeName(hall: Hall, spot: number): string {
  const { label: objectLabel, type, mode } = hall.objects[hall.objectOf[spot]!]!;
  const label = hall.labels[spot]!;
  if (type === 'booth' || mode !== 'individual' || !label.startsWith(`${objectLabel}-`)) return label;
  const number = label.slice(objectLabel.length + 1);
  return type === 'row' ? `Row ${objectLabel}, seat ${number}` : `${objectLabel}, chair ${number}`;
}

export function kindsText(accessibility: number): string[] {
  return accessibilityKinds.filter((_, bit) => accessibility & (1 << bit)).map((kind) => kindText[kind]!);
}

/** 14:59, and 1:00:00 for an hour. */
export function clockText(ms: number): string {
  const seconds = Math.max(Math.ceil(ms / 1000), 0);
  const two = (value: number) => String(value).padStart(2, '0');
  const hours = Math.floor(seconds / 3600);
  const minutes = Math.floor((seconds % 3600) / 60);
  return hours > 0 ? `${hours}:${two(minutes)}:${two(seconds % 60)}` : `${minutes}:${two(seconds % 60)}`;
}

export function minutesText(ms: number): string {
  const minutes = Math.max(Math.round(ms / 60_000), 1);
  return minutes === 1 ? '1 minute' : `${minutes} minutes`;
}

/** The time left of a hold. */
export function leftText(ms: number): string {
  return ms < 50_000 ? `${Math.ceil(ms / 1000)} seconds` : minutesText(ms);
}

/** “A-1, A-2 and A-3”; a long list shows the first names and the number of the others. */
export function listText(names: readonly string[], most = 6): string {
  if (names.length > most) return `${names.slice(0, most).join(', ')} and ${names.length - most} more`;
  return names.length < 2 ? (names[0] ?? '') : `${names.slice(0, -1).join(', ')} and ${names.at(-1)}`;
}

/** For places that were chosen and are not part of a purchase. */
export function leftOutText(labels: readonly string[]): string {
  return `Not bought, because it was not held yet: ${listText(labels)}.`;
}

/** `performances`: the names of those that lack a label. */
export function takenText(labels: readonly string[], performances: readonly string[] = []): string {
  const where = performances.length === 0 ? '' : ` for ${listText(performances)}`;
  return `${listText(labels)} ${labels.length === 1 ? 'was' : 'were'} just taken by somebody else${where}.`;
}

/** “1 place”, “2 places”. */
export function placesText(count: number): string {
  return `${count} ${count === 1 ? 'place' : 'places'}`;
}

function conflictText(conflicts: NonNullable<Problem['conflicts']>): string {
  const short = conflicts.filter(({ available }) => available !== undefined);
  const gone = conflicts.filter(({ available }) => available === undefined);
  const parts = short.map(({ label, available, performance }) => {
    const where = performance === undefined ? '' : ` for ${performance}`;
    return available === 0 ? `${label} is sold out${where}.` : `Only ${available} left of ${label}${where}.`;
  });
  const labels = [...new Set(gone.map(({ label }) => label))];
  const names = [...new Set(gone.flatMap(({ performance }) => performance ?? []))];
  if (labels.length > 0) parts.unshift(takenText(labels, names));
  return `${parts.join(' ')} Nothing was held; choose again.`;
}

/** The text for a buyer after a refusal. */
export function problemText(problem: Problem): string {
  const labels = listText(problem.labels ?? []);
  switch (problem.code) {
    case 'conflict':
      return problem.conflicts?.length
        ? conflictText(problem.conflicts)
        : 'Some of these were just taken. Choose again.';
    case 'max_quantity_exceeded':
      return `You can have ${problem.maxQuantity === undefined ? 'no more places' : `at most ${problem.maxQuantity}`}${problem.used ? ` (you have ${problem.used} already)` : ''}.`;
    case 'companion_pair_required':
      return `${labels || 'A companion place'} is for the companion of a person in the wheelchair place beside it: choose both together.`;
    case 'ticket_option_not_applicable':
      return `This kind of ticket is not for ${labels || 'this place'}. Choose another.`;
    case 'cannot_extend':
      return problem.reason === 'extend_limit'
        ? 'You cannot get more time for this hold. Buy before the time is up.'
        : 'This hold has ended. Choose again.';
    case 'hold_not_found':
      return 'Your hold has ended, and its places are on sale again.';
    case 'event_closed':
      return 'Sales for this event are closed.';
    case 'allocation_exhausted':
      return 'None of the places that were set aside for you is left.';
    case 'channel_access_denied':
    case 'channel_paused':
      return 'Sales to you are paused just now.';
    case 'not_for_sale':
    case 'unknown_labels':
      return `${labels || 'This place'} is not for sale.`;
    case 'rate_limited':
      return `Too many requests just now. Try again in ${problem.retryAfterSeconds ?? 60} seconds.`;
    default:
      return accessText(problem);
  }
}

const linkOver = new Set(['buyer_access_expired', 'buyer_access_revoked']);

function accessText({ code, message, outcome, ofLink }: Problem): string {
  if (ofLink && outcome === 'unknown') return 'It is unclear whether this link was used up just now. Try it once more.';
  if (ofLink && linkOver.has(code)) return 'This link has ended. Ask the sender for a new one.';
  if (ofLink && code === 'buyer_access_invalid')
    return 'This link does not work here. Check that you copied all of it.';
  if (code === 'no_answer') return 'There is no connection just now. Try again.';
  if (code === 'buyer_access_revoked') return 'Your access to this sale has been revoked.';
  if (code === 'buyer_access_origin_mismatch')
    return 'This page may not sell for this event: its address is not registered.';
  if (code.startsWith('buyer_access_')) return 'This page has no access to this event.';
  if (code === 'not_found') return 'This event was not found.';
  if (['shard_unavailable', 'catalog_unavailable', 'overloaded', 'internal_error'].includes(code)) {
    return 'The box office does not answer just now. Try again in a moment.';
  }
  return message ?? 'The request failed. Try again.';
}
