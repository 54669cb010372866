/** Money in minor units, for fields that ask for them. Pure. */

const digits = new Map<string, number>();

/** Converts major units of a currency (ISO 4217) to minor units: 12 EUR is 1200, 12 JPY is 12, 12 KWD is 12000. */
export function inMinorUnits(major: number, currency: string): number {
  return major * 10 ** digitsOf(currency);
}

function digitsOf(currency: string): number {
  const known = digits.get(currency);
  if (known !== undefined) return known;
  const { maximumFractionDigits = 2 } = new Intl.NumberFormat('en', { style: 'currency', currency }).resolvedOptions();
  digits.set(currency, maximumFractionDigits);
  return maximumFractionDigits;
}
