/**
 * A page of an event's log while it is filled: as many entries as are asked for, or as fit in one answer (I8), each without what
 * the log does not show and callers may make long. What is no news is passed over.
 */
import type { JournalEntry } from '@parterre/shared/catalog/history';
import type { AvailabilityRules, JournalRecord, Line } from '@parterre/shared/records';
import { encodeKept } from '@parterre/shared/wire';
import { logPageBytesMax, unitsPerHistoryPageMax } from '../../store/rules/bounds.ts';

export class LogPage {
  readonly entries: JournalEntry[] = [];
  /** Where the next page begins: the last entry looked at, told or passed over. Null before the first. */
  nextBefore: number | null = null;
  readonly #limit: number;
  #bytes = 0;
  #units = 0;

  constructor(limit: number) {
    this.#limit = limit;
  }

  /** False where the entry begins the next page. The first always fits. */
  add(entry: JournalEntry): boolean {
    if (isNews(entry) && !this.#tell(entry)) return false;
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

/** A call that found nothing blocked is journaled, so that its repetition frees nothing either, and is no news to anybody. */
function isNews({ record }: JournalEntry): boolean {
  return record.type !== 'unblocked' || record.units.length > 0;
}

/** The log names units and their channels, not what they were sold for; and of rules not the labels, which are the caller's own. */
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
