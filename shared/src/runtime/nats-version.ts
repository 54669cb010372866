/** Versions of the NATS server, compared. */

/**
 * Whether `version` (such as `2.12.3`) is `least` or newer. A pre-release counts as its final version. False for an
 * unreadable version.
 */
export function isAtLeast(version: string, least: string): boolean {
  const asked = numbersOf(version);
  const wanted = numbersOf(least);
  for (const [index, number] of wanted.entries()) {
    const difference = (asked[index] ?? Number.NaN) - number;
    if (difference !== 0) return difference > 0;
  }
  return true;
}

function numbersOf(version: string): number[] {
  return (/^v?(\d+)\.(\d+)\.(\d+)/.exec(version) ?? []).slice(1).map(Number);
}

/** An older server refuses a configuration that names `sync_interval`. */
export function knowsSyncInterval(version: string): boolean {
  return isAtLeast(version, '2.10.0');
}
