/**
 * The languages of the picker. English comes with the script; any other language is loaded when a map first needs it.
 * A language that cannot be loaded, or that the picker does not have, is English: the formats follow the texts, unless
 * the host brings texts of its own.
 */
import { languageOf, type OwnMessages, type Translation, type Words, wordsOf } from './words.ts';

const loaders: Record<string, () => Promise<Translation>> = {
  ar: async () => (await import('./ar.ts')).ar,
  de: async () => (await import('./de.ts')).de,
  es: async () => (await import('./es.ts')).es,
  fr: async () => (await import('./fr.ts')).fr,
};

/** `locale` in BCP 47. An invalid one counts as English. */
export async function wordsFor(locale: string, own?: OwnMessages): Promise<Words> {
  const asked = known(locale);
  const language = languageOf(asked);
  if (language === 'en') return wordsOf(asked, undefined, own);
  const messages = await loaders[language]?.().catch(() => undefined);
  return messages || own ? wordsOf(asked, messages, own) : wordsOf('en');
}

function known(locale: string): string {
  try {
    return Intl.getCanonicalLocales(locale)[0] ?? 'en';
  } catch {
    return 'en';
  }
}

/**
 * A bare language has the reader's own region: a page in `en` writes “27 December 2026” for a reader of `en-GB`. A
 * locale that names a region or a script stays as it is.
 */
export function withRegion(locale: string, readers: readonly string[]): string {
  if (!/^[a-z]{2,3}$/i.test(locale)) return locale;
  return readers.find((reader) => languageOf(reader) === locale.toLowerCase()) ?? locale;
}

export type Speech = { locale?: string | undefined; messages?: OwnMessages | undefined };

export type Voice = ReturnType<typeof createVoice>;

/**
 * The words of one map: English until its language is loaded. The host's locale goes before the event's, then the
 * page's, then the browser's. Of two calls the later one wins, whichever language is loaded first.
 */
export function createVoice(container: Element, host: Speech) {
  let words = wordsOf('en');
  let speech = host;
  let ofEvent: string | null = null;
  let calls = 0;

  async function choose(): Promise<void> {
    const call = ++calls;
    const page = container.closest('[lang]')?.getAttribute('lang');
    const asked = speech.locale || ofEvent || page || navigator.language;
    const chosen = await wordsFor(withRegion(asked, globalThis.navigator?.languages ?? []), speech.messages);
    if (call === calls) words = chosen;
  }

  return {
    words: (): Words => words,
    choose,
    /** Another locale, or other texts of the host. */
    speak(other: Speech): Promise<void> {
      speech = other;
      return choose();
    },
    chooseFor(eventLocale: string | null): Promise<void> {
      ofEvent = eventLocale;
      return choose();
    },
  };
}
