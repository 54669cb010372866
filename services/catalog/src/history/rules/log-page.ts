/**
 * Fills a page of an event's log: as many entries as the caller wants, or as fit into one answer (I8). Each entry is
 * shown without fields that the log hides and callers may make long. An entry without news is skipped.
 */
import type { JournalEntry } from '@parterre/shared/protocol/catalog/history';
import type { AvailabilityRules, JournalRecord, Line } from '@parterre/shared/protocol/records';
import { encodeKept } from '@parterre/shared/protocol/wire';
import { logPageBytesMax, unitsPerHistoryPageMax } from '../../store/rules/bounds.ts';

export class LogPage {
  readonly entries: JournalEntry[] = [];
  /** The start of the next page: the last entry looked at, shown or skipped. Null before the first. */
  nextBefore: number | null = null;
  readonly #limit: number;
  #bytes = 0;
  #units = 0;

  constructor(limit: number) {
    this.#limit = limit;
  }

  /** False where the entry begins the next page. The first always fits. */
  add(entry: JournalEntry): boolean {
    if (isShown(entry) && !this.#tell(entry)) return false;
    this.nextBefore = entry.id;
    return true;
  }

  #tell(entry: JournalEntry): boolean {
    if (this.entries.length >= this.#limit) return false;
    const record = shownOf(entry.record);
    this.#bytes += encodeKept(record).length;
    this.#units += unitsIn(record);
    const isFull = this.#bytes > logPageBytesMax || this.#units > unitsPerHistoryPageMax;
    if (isFull && this.entries.length > 0) return false;
    this.entries.push({ ...entry, record });
    return true;
  }
}

/**
 * An unblock that found nothing blocked is journaled, so that its repetition unblocks nothing either, and so is an end
 * of holds that found none. It is no news.
 */
function isShown({ record }: JournalEntry): boolean {
  return (record.type !== 'unblocked' && record.type !== 'holds-ended') || record.units.length > 0;
}

/**
 * The log shows the unit, price and channel of each line and no other field. Of availability rules it hides the labels,
 * which are the caller's own.
 */
function shownOf(record: JournalRecord): JournalRecord {
  if ('lines' in record) return { ...record, lines: record.lines.map(shownLine) };
  return record.type === 'availability-set' ? { ...record, rules: withoutLabels(record.rules) } : record;
}

function shownLine({ unit, price, channelId }: Line): Line {
  return channelId === undefined ? { unit, price } : { unit, price, channelId };
}

function withoutLabels(rules: AvailabilityRules): AvailabilityRules {
  const entries = Object.entries(rules).map(([scope, { labels: _labels, ...rule }]) => [scope, rule] as const);
  return Object.fromEntries(entries);
}

function unitsIn(record: JournalRecord): number {
  if ('lines' in record) return record.lines.length;
  if (record.type === 'chart-updated') return record.unblocked?.length ?? 0;
  return 'units' in record ? record.units.length : 0;
}
