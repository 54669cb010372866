/**
 * The picker's voice in one language: texts by key, and numbers, prices, dates and lists as the reader writes them.
 * Pure; every format comes from Intl. A missing text is English, so a page never shows a key.
 */
import { digitsOf } from '@parterre/shared/protocol/currencies';
import { inMajorUnits, type PriceUnit } from '@parterre/shared/protocol/money';
import { en } from './en.ts';
import { type Filled, filler, type Plural } from './filled.ts';

export type { Plural } from './filled.ts';
export type MessageKey = keyof typeof en;
/** A whole language. A plural message of English is a plural message everywhere. */
export type Messages = { [Key in MessageKey]: (typeof en)[Key] extends string ? string : Plural };
/** Another language. A test finds its missing texts and forms; a page shows the English text. */
export type Translation = Partial<Messages>;
/** A host's own texts, by key. */
export type OwnMessages = { [Key in MessageKey]?: string | Plural };

/** The unit of amounts, as an event and a group have it. Without `priceUnit` the unit is major. */
export type MoneyUnit = { currency: string; priceUnit?: PriceUnit };

export type Words = {
  /** Of the formats, in BCP 47. */
  locale: string;
  direction: 'ltr' | 'rtl';
  text<Key extends MessageKey>(key: Key, ...values: Filled<typeof en, Key>): string;
  number(value: number): string;
  /** In the unit of its event: 1250 of minor EUR is €12.50. */
  money(amount: number, unit: MoneyUnit): string;
  /** “ ”; a long list shows the first names and the number of the others. */
  list(names: readonly string[], most?: number): string;
  /** Parts of a description, with the comma of the language. */
  join(parts: readonly string[]): string;
  /**
   * In the zone of the event. The zone is named where its clocks differ from the reader's, and always with `namesZone`.
   */
  date(at: number, timezone: string | null, length: 'full' | 'medium', namesZone?: boolean): string;
  /** 14:59, and 1:00:00 for an hour. */
  clock(ms: number): string;
  minutes(ms: number): string;
  seconds(count: number): string;
  /** The time left of a hold: seconds when it is short. */
  left(ms: number): string;
};

const LEFT_SECONDS_MAX = 50;
const rightToLeft = new Set(['ar', 'ckb', 'dv', 'fa', 'he', 'ps', 'sd', 'ug', 'ur', 'yi']);

export const languageOf = (locale: string): string => locale.split('-')[0]!.toLowerCase();

export function wordsOf(locale: string, messages: Translation = en, own: OwnMessages = {}): Words {
  const numbers = new Intl.NumberFormat(locale);
  const twoDigits = new Intl.NumberFormat(locale, { minimumIntegerDigits: 2 });
  const lists = new Intl.ListFormat(locale);
  const monies = new Map<string, Intl.NumberFormat>();
  const number = (value: number) => numbers.format(value);

  const fill = filler(locale);
  const text = (key: MessageKey, values: Record<string, string | number> = {}): string =>
    fill(own[key] ?? messages[key] ?? en[key], values);

  /**
   * A whole major amount has no fraction, and a minor amount has all digits of its currency: ISO 4217 knows them (Intl
   * knows fewer for HUF and IDR, whose coins are gone and whose minor units are not). A share of a price, which a group
   * may have, has two digits at least.
   */
  function money(amount: number, { currency, priceUnit = 'major' }: MoneyUnit): string {
    const digits = digitsOf(currency);
    const usual = priceUnit === 'minor' ? digits : 0;
    const shown = Number.isInteger(amount) ? usual : Math.max(digits, 2);
    const key = `${currency}${shown}`;
    let format = monies.get(key);
    if (!format) {
      const fraction = { minimumFractionDigits: shown, maximumFractionDigits: shown };
      format = new Intl.NumberFormat(locale, { style: 'currency', currency, ...fraction });
      monies.set(key, format);
    }
    return format.format(inMajorUnits(amount, currency, priceUnit));
  }

  function time(value: number, unit: 'minute' | 'second'): string {
    return new Intl.NumberFormat(locale, { style: 'unit', unit, unitDisplay: 'long' }).format(value);
  }

  const join = (parts: readonly string[]): string => parts.join(text('text.comma'));
  const minutes = (ms: number): string => time(Math.max(Math.round(ms / 60_000), 1), 'minute');
  const seconds = (count: number): string => time(Math.max(count, 0), 'second');

  return {
    locale,
    direction: rightToLeft.has(languageOf(locale)) ? 'rtl' : 'ltr',
    number,
    money,
    minutes,
    seconds,
    join,
    text: text as Words['text'],
    list(names, most = 6) {
      if (names.length <= most) return lists.format(names);
      return text('list.more', { names: join(names.slice(0, most)), count: names.length - most });
    },
    date: (at, timezone, length, namesZone = false) => dateText(locale, { at, timezone, length, namesZone }),
    clock(ms) {
      const seconds = Math.max(Math.ceil(ms / 1000), 0);
      const hours = Math.floor(seconds / 3600);
      const minute = Math.floor((seconds % 3600) / 60);
      const rest = twoDigits.format(seconds % 60);
      return hours > 0 ? `${number(hours)}:${twoDigits.format(minute)}:${rest}` : `${number(minute)}:${rest}`;
    },
    left: (ms) => (ms < LEFT_SECONDS_MAX * 1000 ? seconds(Math.ceil(ms / 1000)) : minutes(ms)),
  };
}

type DateAsked = { at: number; timezone: string | null; length: 'full' | 'medium'; namesZone: boolean };

function dateText(locale: string, { at, timezone, length, namesZone }: DateAsked): string {
  const zone = timezone ? { timeZone: timezone } : {};
  const date = new Intl.DateTimeFormat(locale, { dateStyle: length, timeStyle: 'short', ...zone }).format(at);
  const isElsewhere = timezone !== null && clockIn(timezone, at) !== clockIn(undefined, at);
  return namesZone || isElsewhere ? `${date} (${zoneName(locale, at, zone)})` : date;
}

/** The time on the clocks of a zone, the reader's own for undefined. */
function clockIn(timeZone: string | undefined, at: number): string {
  return new Intl.DateTimeFormat('en', { dateStyle: 'short', timeStyle: 'short', timeZone }).format(at);
}

/** “Central European Time”. A browser that has no name without the season gives the name of the season. */
function zoneName(locale: string, at: number, zone: { timeZone?: string }): string {
  const named = (timeZoneName: 'longGeneric' | 'long') => {
    const parts = new Intl.DateTimeFormat(locale, { timeZoneName, ...zone }).formatToParts(at);
    return parts.find(({ type }) => type === 'timeZoneName')?.value ?? zone.timeZone ?? '';
  };
  try {
    return named('longGeneric');
  } catch {
    return named('long');
  }
}
