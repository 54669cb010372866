/**
 * Long work in steps of less than a millisecond. The caller may let other work run between two steps. That work may
 * change everything but the arguments of the steps.
 */
export type Steps<T> = Generator<void, T>;

/** Takes all steps at once. */
export function finish<T>(steps: Steps<T>): T {
  for (;;) {
    const step = steps.next();
    if (step.done) return step.value;
  }
}

/** A sorted run of one step, and elements that are merged in one step. */
const sortedPerStep = 500;
const mergedPerStep = 5_000;

/** The sorted list, in steps. Equal elements keep their order. */
export function* sortedInSteps<T>(list: readonly T[], compare: (a: T, b: T) => number): Steps<T[]> {
  let runs: T[][] = [];
  for (let from = 0; from < list.length; from += sortedPerStep) {
    runs.push(list.slice(from, from + sortedPerStep).sort(compare));
    yield;
  }
  while (runs.length > 1) {
    const merged: T[][] = [];
    for (let i = 0; i < runs.length; i += 2) {
      merged.push(yield* mergedInSteps(runs[i]!, runs[i + 1] ?? [], compare));
    }
    runs = merged;
  }
  return runs[0] ?? [];
}

function* mergedInSteps<T>(left: readonly T[], right: readonly T[], compare: (a: T, b: T) => number): Steps<T[]> {
  const merged: T[] = [];
  let l = 0;
  let r = 0;
  while (l < left.length || r < right.length) {
    const isLeft = r === right.length || (l < left.length && compare(left[l]!, right[r]!) <= 0);
    merged.push(isLeft ? left[l++]! : right[r++]!);
    if (merged.length % mergedPerStep === 0) yield;
  }
  return merged;
}
