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
