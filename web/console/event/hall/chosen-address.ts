/**
 * The chosen places in an address: labels with commas between them. A selection that is too long for an address is kept
 * in the browser's tab, and the address has its number of places: `*20000`. Pure.
 */

/** Browsers and mail programs keep addresses of this length whole. */
const ADDRESS_LENGTH_MAX = 4_000;

/** A selection that only the tab can have: `count` places. */
export type TooLong = { count: number };

/** Undefined for no place. */
export function addressOfChosen(labels: readonly string[]): string | undefined {
  if (labels.length === 0) return undefined;
  const text = labels.map((label) => label.replace(/[%,*]/g, encodeMark)).join(',');
  return text.length > ADDRESS_LENGTH_MAX ? `*${labels.length}` : text;
}

export function chosenOfAddress(text = ''): string[] | TooLong {
  if (text.startsWith('*')) return { count: Number(text.slice(1)) || 0 };
  return text === '' ? [] : text.split(',').filter(Boolean).map(decodeMark);
}

/** `encodeURIComponent` leaves the asterisk as it is. */
const encodeMark = (mark: string): string => `%${mark.charCodeAt(0).toString(16).toUpperCase()}`;

const decodeMark = (text: string): string =>
  text.replace(/%(25|2C|2A)/g, (_, code: string) => String.fromCharCode(Number.parseInt(code, 16)));
