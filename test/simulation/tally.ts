/** The number of times that something happened: a run without successes, faults or rare moments would prove nothing. */

/**
 * `successes` counts commands by kind. `faults` counts faults and mishaps that struck. `moments` counts states that
 * only some histories reach.
 */
export type Tally = Record<'successes' | 'faults' | 'moments', Map<string, number>>;

export function newTally(): Tally {
  return { successes: new Map(), faults: new Map(), moments: new Map() };
}

export function count(counts: Map<string, number>, what: string, more = 1): void {
  counts.set(what, (counts.get(what) ?? 0) + more);
}

export function addTo(sum: Tally, { successes, faults, moments }: Tally): void {
  for (const [what, more] of successes) count(sum.successes, what, more);
  for (const [what, more] of faults) count(sum.faults, what, more);
  for (const [what, more] of moments) count(sum.moments, what, more);
}

/** One paragraph for each part of a tally, the most frequent first. */
export function textOf({ successes, faults, moments }: Tally): string {
  return [
    `${successes.size} kinds of commands succeeded: ${listOf(successes)}`,
    `${faults.size} kinds of faults struck: ${listOf(faults)}`,
    `moments: ${listOf(moments)}`,
  ].join('\n\n');
}

function listOf(counts: Map<string, number>): string {
  return [...counts]
    .sort(([, a], [, b]) => b - a)
    .map(([what, number]) => `${what} ${number}`)
    .join(', ');
}
