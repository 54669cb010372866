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
