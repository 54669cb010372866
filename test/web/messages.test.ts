/** The picker's languages are whole, and no text stands outside them. */
import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { noFees } from '@parterre/shared/protocol/money';
import { describe, expect, test } from 'vitest';
import { ar } from '../../web/src/messages/ar.ts';
import { de } from '../../web/src/messages/de.ts';
import { en } from '../../web/src/messages/en.ts';
import { es } from '../../web/src/messages/es.ts';
import { fr } from '../../web/src/messages/fr.ts';
import { createVoice, withRegion, wordsFor } from '../../web/src/messages/languages.ts';
import { namedFeesText, priceText } from '../../web/src/messages/prices.ts';
import { type Plural, type Translation, wordsOf } from '../../web/src/messages/words.ts';
import { textsIn } from './texts-in.ts';

const languages: Record<string, Translation> = { en, de, fr, es, ar };
const source = fileURLToPath(new URL('../../web/src/', import.meta.url));

/** The plural forms that numbers of seats take. */
function formsOf(language: string): Set<string> {
  const rules = new Intl.PluralRules(language);
  const numbers = [...Array(1_001).keys(), 10_000, 99_999, 100_000];
  return new Set(numbers.map((number) => rules.select(number)));
}

const namesIn = (text: string): string[] => [...text.matchAll(/\{(\w+)\}/g)].map(([, name]) => name!).sort();
const formsIn = (message: string | Plural): string[] =>
  typeof message === 'string' ? [message] : Object.values(message);

describe.each(Object.entries(languages))('the texts of %s', (language, texts) => {
  test('are all there', () => {
    expect(Object.keys(texts).sort()).toEqual(Object.keys(en).sort());
  });

  test('have every plural form of the language', () => {
    const lacking = Object.entries(texts).flatMap(([key, message]) =>
      typeof message === 'string'
        ? []
        : [...formsOf(language)].filter((form) => !(form in message)).map((form) => `${key} ${form}`),
    );
    expect(lacking).toEqual([]);
  });

  test('fill in the same values as the English texts', () => {
    const wrong = Object.entries(en).filter(([key, english]) => {
      const message = texts[key as keyof typeof en];
      if (message === undefined) return false;
      if ((typeof message === 'string') !== (typeof english === 'string')) return true;
      const known = new Set(formsIn(english).flatMap(namesIn));
      const needed = [...known].filter((name) => name !== 'count' || typeof english === 'string');
      // A plural form may spell its number as a word, and the form for nothing may leave values out.
      const full = typeof message === 'string' ? message : message.other;
      return (
        formsIn(message).some((form) => namesIn(form).some((name) => !known.has(name))) ||
        needed.some((name) => !namesIn(full).includes(name))
      );
    });
    expect(wrong.map(([key]) => key)).toEqual([]);
  });
});

test('no text of the picker stands outside its messages', () => {
  const files = readdirSync(source, { recursive: true, encoding: 'utf8' }).filter(
    (name) => name.endsWith('.ts') && !name.startsWith('messages/') && name !== 'styles.ts',
  );
  expect(files.length).toBeGreaterThan(20);
  expect(files.flatMap((name) => textsIn(name, readFileSync(join(source, name), 'utf8')))).toEqual([]);
});

test('parts of a description are joined by the comma of their language, nowhere by a fixed one', () => {
  expect(wordsOf('ar', ar).join(['أ', 'ب'])).toBe('أ، ب');
  expect(wordsOf('ar', ar).list(['أ', 'ب', 'ت'], 2)).toMatch(/^أ، ب/);
  expect(wordsOf('de', de).join(['Parkett', '60 €'])).toBe('Parkett, 60 €');
  // The commas of styles are not for people.
  const files = readdirSync(source, { recursive: true, encoding: 'utf8' }).filter(
    (name) => name.endsWith('.ts') && !name.startsWith('looks/'),
  );
  expect(files.filter((name) => readFileSync(join(source, name), 'utf8').includes("join(', ')"))).toEqual([]);
});

test('texts in code are found: in elements, in labels, in sentences and in words for the eye', () => {
  const found = (code: string) => textsIn('a.ts', code).map((each) => each.replace('a.ts: ', ''));
  expect(found('const a = html`<p class="big">Sold out $' + '{n}</p>`;')).toEqual(['Sold out']);
  expect(found('const a = html`<button aria-label="Zoom in" disabled>+</button>`;')).toEqual(['Zoom in']);
  expect(found("say('Connected.'); say(`$" + "{name} was taken.`); const s = ['x', 'Yours'];")).toEqual([
    'Connected.',
    'was taken.',
    'Yours',
  ]);
  expect(found("import 'a/b.ts'; throw new Error('Not a text.'); const k = 'ArrowLeft'; const c = 'a b c';")).toEqual(
    [],
  );
});

describe('words', () => {
  test('follow the plurals and formats of their language', () => {
    const english = wordsOf('en');
    const german = wordsOf('de', de);
    const arabic = wordsOf('ar', ar);
    expect([1, 2].map((count) => english.text('count.places', { count }))).toEqual(['1 place', '2 places']);
    expect([1, 12_000].map((count) => german.text('count.places', { count }))).toEqual(['1 Platz', '12.000 Plätze']);
    expect([0, 1, 2, 3, 11, 100].map((count) => arabic.text('count.places', { count }))).toEqual([
      'لا أماكن',
      'مكان واحد',
      'مكانان',
      '3 أماكن',
      '11 مكانًا',
      '100 مكان',
    ]);
    expect(german.money(1234.5, { currency: 'EUR' })).toBe('1.234,50\u00a0€');
    expect([english.direction, arabic.direction]).toEqual(['ltr', 'rtl']);
    expect([english.left(42_000), german.left(42_000), english.left(120_000)]).toEqual([
      '42 seconds',
      '42 Sekunden',
      '2 minutes',
    ]);
  });

  test('fit a time whatever its number: no verb or preposition governs it', () => {
    const minute = Object.entries(languages).map(([language, texts]) => {
      const words = wordsOf(language, texts);
      return words.text('say.left', { time: words.left(60_000) });
    });
    expect(minute).toEqual([
      '1 minute left to buy.',
      'Verbleibende Zeit zum Kaufen: 1 Minute.',
      'Il reste 1 minute pour acheter.',
      'Tiempo restante para comprar: 1 minuto.',
      'الوقت المتبقي للشراء: دقيقة.',
    ]);
    const arabic = wordsOf('ar', ar);
    const two = { time: arabic.minutes(120_000) };
    expect(arabic.text('say.held', two)).toBe('محجوز لك. المدة: دقيقتان.');
    expect(arabic.text('refused.tooMany', two)).toMatch(/مدة الانتظار: دقيقتان\.$/);
  });

  test('are the host’s where the host has texts, and English without a language', async () => {
    const own = { 'hold.release': 'Laat los', 'count.places': { one: '{count} plek', other: '{count} plekken' } };
    const dutch = await wordsFor('nl-NL', own);
    expect([dutch.locale, dutch.text('hold.release'), dutch.text('count.places', { count: 3 })]).toEqual([
      'nl-NL',
      'Laat los',
      '3 plekken',
    ]);
    expect(dutch.text('hold.clear')).toBe('Clear');
    expect((await wordsFor('nl-NL')).locale).toBe('en');
    expect((await wordsFor('no locale at all')).locale).toBe('en');
    expect((await wordsFor('de-AT')).text('hold.release')).toBe('Freigeben');
  });

  test('write dates as the reader does, and name the zone of an event whose clocks differ', () => {
    const at = Date.UTC(2026, 11, 27, 21, 35);
    const british = wordsOf('en-GB');
    const own = Intl.DateTimeFormat().resolvedOptions().timeZone;
    const berlin = 'Europe/Berlin';
    const isThere = new Date(at).getHours() === 22;
    expect(british.date(at, berlin, 'full')).toBe(
      `Sunday, 27 December 2026 at 22:35${isThere ? '' : ' (Central European Time)'}`,
    );
    expect(british.date(at, own, 'medium')).not.toContain('(');
    expect(british.date(at, berlin, 'full', true)).toBe('Sunday, 27 December 2026 at 22:35 (Central European Time)');
    expect(wordsOf('de', de).date(at, 'Asia/Tokyo', 'medium', true)).toMatch(/^28\.12\.2026, 06:35 \(Japanische /);
    expect(british.date(at, null, 'medium', true)).toMatch(/\(.+\)$/);
  });

  /** Digits of ISO 4217: none of JPY, two of EUR and of HUF, three of KWD. */
  test.each([
    ['en', 'major', ['¥1,250', '€1,250', 'HUF 1,250', 'KWD 1,250']],
    ['en', 'minor', ['¥1,250', '€12.50', 'HUF 12.50', 'KWD 1.250']],
    ['de', 'major', ['1.250 ¥', '1.250 €', '1.250 HUF', '1.250 KWD']],
    ['de', 'minor', ['1.250 ¥', '12,50 €', '12,50 HUF', '1,250 KWD']],
    ['fr', 'minor', ['1 250 JPY', '12,50 €', '12,50 HUF', '1,250 KWD']],
    ['es', 'minor', ['1250 JPY', '12,50 €', '12,50 HUF', '1,250 KWD']],
    ['ar', 'minor', ['1,250 JP¥', '12.50 €', '12.50 HUF', '1.250 د.ك.']],
  ] as const)('write the amount 1250 in %s, where the event counts in %s units', (language, priceUnit, expected) => {
    const words = wordsOf(language, languages[language]);
    const plain = (text: string) => text.replace(/[\s\u200e\u200f\u061c]+/g, ' ').trim();
    const told = ['JPY', 'EUR', 'HUF', 'KWD'].map((currency) => plain(words.money(1250, { currency, priceUnit })));
    expect(told).toEqual(expected);
  });

  test('have the digits of the currency in a share of a price, and two at least', () => {
    const words = wordsOf('en');
    const plain = (amount: number, currency: string, priceUnit?: 'minor') =>
      words.money(amount, { currency, ...(priceUnit && { priceUnit }) }).replace(/\s/g, ' ');
    expect([plain(12.5, 'HUF'), plain(12.5, 'KWD'), plain(12, 'IDR')]).toEqual(['HUF 12.50', 'KWD 12.500', 'IDR 12']);
    expect([plain(1250.5, 'EUR', 'minor'), plain(1250.5, 'JPY', 'minor')]).toEqual(['€12.51', '¥1,250.50']);
  });

  test.each([
    ['en', '€12.50 + €2.00 fees', '€12.50 incl. fees', '€12.50 + Service €1.50 and Tax €0.50'],
    ['de', '12,50 € + 2,00 € Gebühren', '12,50 € inkl. Gebühren', '12,50 € + Service 1,50 € und Tax 0,50 €'],
    ['fr', '12,50 € + 2,00 € de frais', '12,50 € frais compris', '12,50 € + Service 1,50 € et Tax 0,50 €'],
    ['es', '12,50 € + 2,00 € de gastos', '12,50 € gastos incluidos', '12,50 € + Service 1,50 € y Tax 0,50 €'],
    ['ar', '12.50 € + 2.00 € رسوم', '12.50 € شامل الرسوم', '12.50 € + Service 1.50 € وTax 0.50 €'],
  ])('say in %s whether a price has its fees in it, and name each fee', (language, onTop, inside, named) => {
    const words = wordsOf(language, languages[language]);
    const unit = { currency: 'EUR', priceUnit: 'minor' } as const;
    const fees = [
      { name: 'Service', amount: 150 },
      { name: 'Tax', amount: 50 },
    ];
    const plain = (text: string) => text.replace(/[\s\u200e\u200f\u061c]+/g, ' ').trim();
    const told = (allIn: boolean, how?: typeof namedFeesText) =>
      plain(priceText(words, { price: 1250, fees: { fees, allIn } }, unit, how));
    expect([told(false), told(true), told(false, namedFeesText)]).toEqual([onTop, inside, named]);
    expect(priceText(words, { price: 1250, fees: noFees }, unit)).toBe(words.money(1250, unit));
  });

  test.each([
    ['en', ['de-DE', 'en-GB', 'en'], 'en-GB'],
    ['de', ['en-US', 'en'], 'de'],
    ['en-US', ['en-GB'], 'en-US'],
    ['zh-Hant', ['zh-CN'], 'zh-Hant'],
    ['en', [], 'en'],
  ])('of a page in %s have the region of a reader of %j: %s', (locale, readers, expected) => {
    expect(withRegion(locale, readers)).toBe(expected);
  });

  test('of a map are those of the last call, however long a language takes', async () => {
    const voice = createVoice({ closest: () => ({ getAttribute: () => 'es' }) } as unknown as Element, {
      locale: 'de',
    });
    const first = voice.choose();
    const second = voice.speak({ locale: 'en' });
    await Promise.all([first, second]);
    expect(voice.words().locale).toBe('en');
    await voice.speak({});
    expect(voice.words().locale).toBe('es');
    await voice.chooseFor('fr-CH');
    expect(voice.words().locale).toBe('fr-CH');
  });
});
