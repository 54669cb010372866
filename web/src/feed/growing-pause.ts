/** Does something after a pause that doubles each time until it is reset: 2 s at first, 60 s at most, with jitter. */
const PAUSE_MS_MIN = 2_000;
const PAUSE_MS_MAX = 60_000;

export function createGrowingPause(then: () => void) {
  let ms = PAUSE_MS_MIN;
  let timer: ReturnType<typeof setTimeout> | undefined;
  const end = (): void => clearTimeout(timer);
  return {
    begin(): void {
      end();
      timer = setTimeout(then, ms * (0.5 + Math.random() / 2));
      ms = Math.min(2 * ms, PAUSE_MS_MAX);
    },
    end,
    reset(): void {
      ms = PAUSE_MS_MIN;
    },
  };
}
