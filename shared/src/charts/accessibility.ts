/**
 * The kinds of accessible places, in the order of the bits of a plan's `accessibilityOfUnit`. `cart` is a place with
 * live captions. The eight kinds fill the byte of a unit.
 */
export const accessibilityKinds = [
  'wheelchair',
  'companion',
  'semi-ambulatory',
  'hearing',
  'sign-language',
  'plus-size',
  'lift-armrest',
  'cart',
] as const;
export type AccessibilityKind = (typeof accessibilityKinds)[number];

/** Whether kinds, as bits, make a companion's place at every tier. A place of both kinds is a wheelchair place. */
export function isCompanionsKind(kinds: number): boolean {
  return (kinds & companion) !== 0 && (kinds & wheelchair) === 0;
}

const wheelchair = 1 << accessibilityKinds.indexOf('wheelchair');
const companion = 1 << accessibilityKinds.indexOf('companion');

/** The ways to a place that need no steps; a plan's `wayOfUnit` has 1 for the first. A lift is a way without steps. */
export const ways = ['step-free', 'lift'] as const;
export type Way = (typeof ways)[number];

/** A chart's words about the way to its places. */
export type WayWords = { stepFree?: boolean | undefined; lift?: boolean | undefined };

/**
 * The way to a place, from the words of the place, its object and its section. The nearest word counts: a place may
 * have steps in a section that has none. Null where the chart knows of no way without steps.
 */
export function wayOf(...words: readonly (WayWords | null | undefined)[]): Way | null {
  const said = words.find((each) => each?.lift || each?.stepFree !== undefined);
  if (said?.lift) return 'lift';
  return said?.stepFree ? 'step-free' : null;
}
