/**
 * The pointer carries a place of the map to another place.
 *
 * States: lifted → over a place or over none → dropped, or put back (a second finger came, or the place under the
 * pointer is none).
 */
import type { Point } from '@parterre/shared/charts/plan';
import type { Drag } from '../../../src/draw/gestures.ts';

export type Carrier = {
  mayLift(label: string): boolean;
  /** The carried place, and the place under the pointer; null when nothing is carried. */
  over(carried: { from: string; to: string | null } | null): void;
  /** `to` is `from` where the pointer was lifted without moving to another place. */
  drop(from: string, to: string): void;
};

/** Null where the place under the pointer is not for this carrier: the map takes the gesture. */
export function liftAt(carrier: Carrier, labelAt: (at: Point) => string | null, at: Point): Drag | null {
  const from = labelAt(at);
  if (from === null || !carrier.mayLift(from)) return null;
  carrier.over({ from, to: from });
  return {
    move: (now) => carrier.over({ from, to: labelAt(now) }),
    end(now) {
      const to = labelAt(now);
      carrier.over(null);
      if (to !== null) carrier.drop(from, to);
    },
    cancel: () => carrier.over(null),
  };
}
