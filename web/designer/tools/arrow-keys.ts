/** Steps of the arrow keys. Arrows that follow each other soon are one step of undo. */

export type ArrowStep = {
  /** In chart units. */
  readonly dx: number;
  readonly dy: number;
  /** Long with Shift, and fine, which is one unit, with Ctrl or Alt. */
  readonly pace: 'fine' | 'plain' | 'long';
  /** For `Editor.apply`. */
  readonly gesture: string;
};

const arrows: Record<string, readonly [number, number]> = {
  ArrowLeft: [-1, 0],
  ArrowRight: [1, 0],
  ArrowUp: [0, -1],
  ArrowDown: [0, 1],
};
const LONG_STEPS = 5;
const GESTURE_MS = 1_000;

export class ArrowKeys {
  readonly #name: string;
  #pressedAt = -Infinity;
  #gesture = 0;

  constructor(name: string) {
    this.#name = name;
  }

  /** Null for other keys. */
  stepOf(event: KeyboardEvent, grid: number): ArrowStep | null {
    const arrow = arrows[event.key];
    if (!arrow) return null;
    const pace = event.ctrlKey || event.metaKey || event.altKey ? 'fine' : event.shiftKey ? 'long' : 'plain';
    const length = { fine: 1, plain: grid, long: LONG_STEPS * grid }[pace];
    if (event.timeStamp - this.#pressedAt > GESTURE_MS) this.#gesture++;
    this.#pressedAt = event.timeStamp;
    const [across, down] = arrow;
    return { dx: across * length, dy: down * length, pace, gesture: `${this.#name}-${this.#gesture}` };
  }
}
