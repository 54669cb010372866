/** Times as a field of type "datetime-local" writes them, in the zone of an event: 2026-11-29T20:15. Pure. */

/** Null for a text that is no time. A time that the clocks of the zone pass over is the moment after the gap. */
export function momentOf(text: string, timezone: string | null): number | null {
  const asUtc = Date.parse(`${text}Z`);
  if (!/^\d{4}-\d\d-\d\dT\d\d:\d\d/.test(text) || Number.isNaN(asUtc)) return null;
  const first = asUtc - offsetAt(asUtc, timezone);
  // The clocks may change between the first guess and the moment itself.
  return asUtc - offsetAt(first, timezone);
}

/** The text of a moment (epoch ms). */
export function fieldOf(at: number, timezone: string | null): string {
  return new Date(at + offsetAt(at, timezone)).toISOString().slice(0, 16);
}

/** The clock of the zone less UTC, in ms. Without a zone the reader's own counts. */
function offsetAt(at: number, timezone: string | null): number {
  const zone = timezone === null ? {} : { timeZone: timezone };
  const format = new Intl.DateTimeFormat('en-US', {
    ...zone,
    hourCycle: 'h23',
    year: 'numeric',
    month: 'numeric',
    day: 'numeric',
    hour: 'numeric',
    minute: 'numeric',
    second: 'numeric',
  });
  const parts = Object.fromEntries(format.formatToParts(at).map(({ type, value }) => [type, Number(value)]));
  const { year, month, day, hour, minute, second } = parts as Record<string, number>;
  return Date.UTC(year!, month! - 1, day!, hour!, minute!, second!) - Math.floor(at / 1_000) * 1_000;
}
