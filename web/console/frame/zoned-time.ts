/**
 * Times as forms write them (`2027-03-01T19:30`), on the clocks of a time zone. Null for the zone is that of the
 * browser. Pure.
 */
const MINUTE_MS = 60_000;

/** `2027-03-01T19:30` for a time in epoch milliseconds. */
export function localTime(at: number, timezone: string | null): string {
  const minute = Math.floor(at / MINUTE_MS) * MINUTE_MS;
  return new Date(minute + offsetOf(minute, timezone)).toISOString().slice(0, 16);
}

/**
 * Epoch milliseconds; null for a text that is no time. A time that the clocks have twice is the first of both. A time
 * that the clocks leave out is as much later.
 */
export function epochOf(local: string, timezone: string | null): number | null {
  const asUtc = /^\d{4}-\d\d-\d\dT\d\d:\d\d/.test(local) ? Date.parse(`${local.slice(0, 16)}Z`) : Number.NaN;
  if (Number.isNaN(asUtc)) return null;
  const day = 24 * 60 * MINUTE_MS;
  const before = asUtc - offsetOf(asUtc - day, timezone);
  const after = asUtc - offsetOf(asUtc + day, timezone);
  const fits = [before, after].filter((at) => at + offsetOf(at, timezone) === asUtc);
  return fits.length > 0 ? Math.min(...fits) : before;
}

/** Milliseconds that the clocks of the zone are ahead of UTC. */
function offsetOf(at: number, timezone: string | null): number {
  const format = new Intl.DateTimeFormat('en-US', {
    ...(timezone !== null && { timeZone: timezone }),
    hourCycle: 'h23',
    year: 'numeric',
    month: 'numeric',
    day: 'numeric',
    hour: 'numeric',
    minute: 'numeric',
    second: 'numeric',
  });
  const part = Object.fromEntries(format.formatToParts(at).map(({ type, value }) => [type, Number(value)]));
  const shown = Date.UTC(part.year!, part.month! - 1, part.day!, part.hour!, part.minute!, part.second!);
  return shown - Math.floor(at / 1000) * 1000;
}

/** The IANA name of the zone. */
export const zoneName = (timezone: string | null): string =>
  timezone ?? new Intl.DateTimeFormat().resolvedOptions().timeZone;

/** As `epochOf`. A field that still shows the time before keeps its seconds. */
export function changedTime(local: string, timezone: string | null, before: number | null): number | null {
  return before !== null && local === localTime(before, timezone) ? before : epochOf(local, timezone);
}
