/** Times in fields of the kind `datetime-local`, in the zone of an event. Pure. */

/** “2027-01-31T19:30” on the clocks of the zone; of the reader's own zone for null. `at` is in epoch milliseconds. */
export function toField(at: number, timezone: string | null): string {
  const format = new Intl.DateTimeFormat('en-CA', {
    ...(timezone === null ? {} : { timeZone: timezone }),
    calendar: 'gregory',
    numberingSystem: 'latn',
    hourCycle: 'h23',
    year: 'numeric',
    month: '2-digit',
    day: '2-digit',
    hour: '2-digit',
    minute: '2-digit',
  });
  const parts = new Map(format.formatToParts(at).map(({ type, value }) => [type, value]));
  const of = (type: Intl.DateTimeFormatPartTypes): string => parts.get(type) ?? '';
  return `${of('year').padStart(4, '0')}-${of('month')}-${of('day')}T${of('hour')}:${of('minute')}`;
}

/**
 * Epoch milliseconds of a field's text; null for a text that is no time. A time that the clocks of the zone leave out
 * in spring is an hour later; a time that they have twice in autumn is the first.
 */
export function fromField(text: string, timezone: string | null): number | null {
  const guess = Date.parse(`${text}Z`);
  if (!/^\d{4}-\d{2}-\d{2}T\d{2}:\d{2}$/.test(text) || Number.isNaN(guess)) return null;
  const offsetAt = (at: number): number => Date.parse(`${toField(at, timezone)}Z`) - at;
  const tries = [guess - offsetAt(guess - DAY_MS), guess - offsetAt(guess + DAY_MS)];
  return tries.find((at) => toField(at, timezone) === text) ?? tries[0]!;
}

const DAY_MS = 86_400_000;
