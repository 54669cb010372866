/** Days of the calendar in a zone, as a field of type "date" writes them: 2026-11-29. Pure. */

const HOUR_MS = 3_600_000;

/** The day of a moment (epoch ms). Without a zone the reader's own counts. */
export function dayOf(at: number, timezone: string | null): string {
  const parts = new Intl.DateTimeFormat('en', {
    ...zoneOf(timezone),
    year: 'numeric',
    month: '2-digit',
    day: '2-digit',
  });
  const named = Object.fromEntries(parts.formatToParts(at).map(({ type, value }) => [type, value]));
  return `${named.year}-${named.month}-${named.day}`;
}

/**
 * The first moment of a day (epoch ms). Clocks of a zone change by whole quarters of an hour, so the first quarter that
 * belongs to the day is its beginning. Null for a text that is no day.
 */
export function startOfDay(day: string, timezone: string | null): number | null {
  const noon = Date.parse(`${day}T12:00Z`);
  if (!/^\d{4}-\d{2}-\d{2}$/.test(day) || Number.isNaN(noon)) return null;
  // No zone is further than 14 hours from UTC.
  const first = noon - 30 * HOUR_MS;
  for (let at = first; at <= noon + 30 * HOUR_MS; at += HOUR_MS / 4) if (dayOf(at, timezone) === day) return at;
  return null;
}

export function dayAfter(day: string): string {
  return new Date(Date.parse(`${day}T12:00Z`) + 24 * HOUR_MS).toISOString().slice(0, 10);
}

const zoneOf = (timezone: string | null) => (timezone === null ? {} : { timeZone: timezone });
