/** Waits that double with each attempt. */
const PAUSE_MS_MIN = 2_000;
const PAUSE_MS_MAX = 60_000;

/** In the unit of `first`. `luck` of 0 to 1 spreads pages that failed together over the second half of the wait. */
export const grownDelay = (first: number, most: number, attempt: number, luck: number): number =>
  Math.min(first * 2 ** attempt, most) * (0.5 + luck / 2);

/** Calls `then` after a pause that doubles each time until it is reset: 2 s at first, 60 s at most. */
export function createGrowingPause(then: () => void) {
  let attempt = 0;
  let timer: ReturnType<typeof setTimeout> | undefined;
  const end = (): void => clearTimeout(timer);
  return {
    begin(): void {
      end();
      timer = setTimeout(then, grownDelay(PAUSE_MS_MIN, PAUSE_MS_MAX, attempt++, Math.random()));
    },
    end,
    reset(): void {
      attempt = 0;
    },
  };
}
