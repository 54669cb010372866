/**
 * The search in the list of places: the words that the list prints find their places. “Row C”, “Balcony row C seat 7”,
 * “Gallery A 5”, “c5” and the label itself are searches. Pure.
 *
 * A place has several phrases: its section or its floor, then its name with and without the words of the language, then
 * its label. A search that is part of a phrase, word by word, goes first; then one whose last word is only begun; then
 * one whose words are all words of the place, in any order; then one of begun words; then one without spaces. A level
 * is shown only where no better one has a place, but a begun last word is shown with the whole one: “A 1” finds A 10.
 */
import type { PlaceTexts } from '@parterre/shared/charts/place-names';
import type { Area, Hall } from './hall.ts';

/** Places in the order in which they match best; areas by their indexes. */
export type Found = { spots: readonly number[]; areas: readonly number[] };

const LEVELS = 4;

/** Words in lower case, without accents, with a space before, between and after them. */
function wordsIn(text: string): string {
  const folded = text.normalize('NFKD').toLowerCase().replace(/\p{M}/gu, '');
  return ` ${folded.replace(/[^\p{L}\p{N}]+/gu, ' ').trim()} `;
}

/** Phrases are divided by a mark that no search has. */
const MARK = '|';

export const isSearch = (query: string): boolean => wordsIn(query).trim() !== '';

export function findPlaces(hall: Hall, texts: PlaceTexts, query: string): Found {
  const wanted = wantedOf(query);
  const phrases = phrasesOf(hall, texts);
  const areas = hall.areas.map((area) => phrasesOfArea(hall, area));
  const find = (levelOf: (phrases: string) => number): Found[] => {
    const levels = Array.from({ length: LEVELS }, () => ({ spots: [] as number[], areas: [] as number[] }));
    for (const spot of hall.labels.keys()) levels[levelOf(phrases(spot))]?.spots.push(spot);
    for (const [index, its] of areas.entries()) levels[levelOf(its)]?.areas.push(index);
    return levels;
  };
  const hasPlaces = (level: Found) => level.spots.length > 0 || level.areas.length > 0;
  const [whole, begun, ...loose] = find((its) => levelOf(wanted, its)) as [Found, Found, ...Found[]];
  if (hasPlaces(whole)) return { spots: [...whole.spots, ...begun.spots], areas: [...whole.areas, ...begun.areas] };
  return [begun, ...loose].find(hasPlaces) ?? find((its) => (hasJoined(wanted, its) ? 0 : LEVELS))[0]!;
}

type Wanted = { phrase: string; begun: string; words: string[]; joined: string };

function wantedOf(query: string): Wanted {
  const phrase = wordsIn(query);
  const words = phrase.trim().split(' ');
  return { phrase, begun: phrase.slice(0, -1), words, joined: words.join('') };
}

/** The level of a place; `LEVELS` for no match. */
function levelOf({ phrase, begun, words }: Wanted, phrases: string): number {
  if (phrases.includes(phrase)) return 0;
  if (phrases.includes(begun)) return 1;
  if (words.every((word) => phrases.includes(` ${word} `))) return 2;
  if (words.every((word) => phrases.includes(` ${word}`))) return 3;
  return LEVELS;
}

const hasJoined = ({ joined }: Wanted, phrases: string): boolean => phrases.replaceAll(' ', '').includes(joined);

/** The phrases of a spot. The words of its row or table are made once. */
function phrasesOf(hall: Hall, texts: PlaceTexts): (spot: number) => string {
  const ofObjects: (((number: string) => string) | undefined)[] = [];
  return (spot) => {
    const index = hall.objectOf[spot]!;
    ofObjects[index] ??= phrasesIn(hall, texts, index);
    return ofObjects[index](wordsIn(hall.numbers[spot]!));
  };
}

/** A number of a seat that no chart has: the words around it belong to the language. */
const GAP = '0000gap0000';

function phrasesIn(hall: Hall, { rowSeat, chair }: PlaceTexts, index: number): (number: string) => string {
  const { name, label, type, mode, section, floor, entrance } = hall.objects[index]!;
  const own = wordsIn(name);
  const isSeat = mode === 'individual' && type !== 'booth';
  const [before = own, after = ''] = isSeat
    ? wordsIn(type === 'row' ? rowSeat(name, GAP) : chair(name, GAP)).split(` ${GAP} `)
    : [];
  const places = [...new Set([section, hall.floors[floor] ?? ''])].filter((each) => each !== null && each !== '');
  const starts = ['', ...places.map((each) => wordsIn(each!).trimEnd())];
  const more = [...places, entrance].map((each) => wordsIn(each ?? '')).join(MARK);
  const [plain, whole] = [own, wordsIn(label)].map((each) => (isSeat ? each.trimEnd() : each));
  return (number) => {
    const seat = isSeat ? number : '';
    const phrases = starts.map((start) => `${start}${before}${seat}${after}${MARK}${start}${plain}${seat}`).join(MARK);
    return `${phrases}${MARK}${whole}${seat}${MARK}${more}`;
  };
}

function phrasesOfArea(hall: Hall, { name, label, section, floor, entrance }: Area): string {
  const where = [section, hall.floors[floor] ?? null].map((each) => wordsIn(each ?? ''));
  const phrases = where.map((each) => `${each.trimEnd()}${wordsIn(name)}`);
  return [...phrases, wordsIn(label), wordsIn(entrance ?? '')].join(MARK);
}
