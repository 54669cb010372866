/** The rows of a report: of this moment from the server's report, or of a span of time from bookings. Pure. */
import type { Dimension, SoldRow } from './sold.ts';

export const views = ['category', 'channel', 'release', 'section', 'accessibility'] as const;
export type By = (typeof views)[number];

type Shares = { total: number; free: number; held: number; booked: number; not_for_sale: number };
type SoldPart = { held: number; booked: number; bookedValue: number | null };

/** As `GET /v1/events/{key}/report` answers. Money is in units of `priceUnit`; null for those who may not see it. */
export type ReportAnswer = {
  report: {
    byStatus: Omit<Shares, 'total'>;
    reserved?: number;
    byCategory: (Shares & { category: string; bookedValue: number | null })[];
    bySection: (Shares & { sectionId: string; sectionLabel: string; bookedValue: number | null })[];
    byChannel: (SoldPart & { channelId: string | null; name: string })[];
    byRelease: (SoldPart & { releaseId: string; name: string })[];
    byAccessibility: (Shares & { type: string; label: string })[];
    byFee: { name: string; allIn: boolean; booked: number; amount: number | null }[];
    bookedTotal: number | null;
    exchanges: { fees: number | null; waivedDifferences: number | null };
  };
  categories: { key: string; label: string }[];
  currency: string;
  priceUnit: 'major' | 'minor';
};

/** A figure that the report does not have is null. */
export type Row = {
  name: string;
  total: number | null;
  free: number | null;
  held: number | null;
  booked: number;
  cancelled: number | null;
  blocked: number | null;
  value: number | null;
  fees: number | null;
};

export const columns = ['total', 'free', 'held', 'booked', 'cancelled', 'blocked', 'value', 'fees'] as const;

const UNGROUPED = '__ungrouped__';
/** `public` names public sale; `none` names places without a section or release. */
export type RowWords = { public: string; none: string };

export function rowsNow({ report, categories }: ReportAnswer, by: By, words: RowWords): Row[] {
  const labels = new Map(categories.map(({ key, label }) => [key, label]));
  if (by === 'category') {
    return report.byCategory.map((each) => shared(labels.get(each.category) ?? each.category, each, each.bookedValue));
  }
  if (by === 'section') {
    return report.bySection.map((each) => {
      const name = each.sectionId === UNGROUPED ? words.none : each.sectionLabel;
      return shared(name, each, each.bookedValue);
    });
  }
  if (by === 'accessibility') return report.byAccessibility.map((each) => shared(each.label, each, null));
  if (by === 'channel') {
    return report.byChannel.map((each) => sold(each.channelId === null ? words.public : each.name, each));
  }
  return report.byRelease.map((each) => sold(each.name, each));
}

function shared(name: string, { total, free, held, booked, not_for_sale: blocked }: Shares, value: number | null): Row {
  return { name, total, free, held, booked, cancelled: null, blocked, value, fees: null };
}

function sold(name: string, { held, booked, bookedValue: value }: SoldPart): Row {
  return { name, total: null, free: null, held, booked, cancelled: null, blocked: null, value, fees: null };
}

/** The rows of a span have the names of the report. A channel or release that is gone has its id. */
export function rowsOfSpan(rows: readonly SoldRow[], answer: ReportAnswer, by: Dimension, words: RowWords): Row[] {
  const names = namesOf(answer, by);
  const nameless = by === 'channel' ? words.public : words.none;
  return rows.map(({ id, booked, cancelled, value, fees }) => {
    const name = id === null ? nameless : (names.get(id) ?? id);
    return { name, total: null, free: null, held: null, booked, cancelled, blocked: null, value, fees };
  });
}

function namesOf({ report, categories }: ReportAnswer, by: Dimension): Map<string, string> {
  if (by === 'category') return new Map(categories.map(({ key, label }) => [key, label]));
  if (by === 'section')
    return new Map(report.bySection.map(({ sectionId, sectionLabel }) => [sectionId, sectionLabel]));
  if (by === 'release') return new Map(report.byRelease.map(({ releaseId, name }) => [releaseId, name]));
  return new Map(report.byChannel.flatMap(({ channelId, name }) => (channelId === null ? [] : [[channelId, name]])));
}

/** A column in which a row has no figure has no sum: null. */
export function sumOf(rows: readonly Row[]): Omit<Row, 'name'> {
  const sums = columns.map((column) => {
    const sum = rows.reduce<number | null>((sum, row) => {
      const figure = row[column];
      return sum === null || figure === null ? null : sum + figure;
    }, 0);
    return [column, sum];
  });
  return Object.fromEntries(sums);
}

/** The columns that have figures. */
export function columnsOf(rows: readonly Row[]): (typeof columns)[number][] {
  return columns.filter((column) => rows.some((row) => row[column] !== null));
}
