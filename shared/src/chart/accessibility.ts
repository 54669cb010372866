/** The kinds of accessible places, in the order of the bits of a plan's `accessibilityOfUnit`. */
export const accessibilityKinds = [
  'wheelchair',
  'companion',
  'semi-ambulatory',
  'hearing',
  'sign-language',
  'plus-size',
  'lift-armrest',
] as const;
export type AccessibilityKind = (typeof accessibilityKinds)[number];
