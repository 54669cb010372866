/**
 * Where seats went in the last minutes, on the shared map: the newest sales are a disc with a dot and a mark, older
 * ones a disc with a dot, the others of this quarter of an hour a paler one. Free places are plain and without a
 * colour, so shape tells a new sale, and colour tells its age once more.
 */
import { createLooks, type Painter } from '../../src/draw/scene.ts';
import type { Hall } from '../../src/rules/hall.ts';

const MINUTE_MS = 60_000;
/** The newest first. Each is told apart on light and on dark ground, and by persons who see fewer colours. */
export const heats = [
  { withinMs: 2 * MINUTE_MS, colour: '#ff6d00' },
  { withinMs: 5 * MINUTE_MS, colour: '#ffb300' },
  { withinMs: 15 * MINUTE_MS, colour: '#b39ddb' },
] as const;

/** The index in `heats`; null for an older sale. */
export function heatOf(soldAt: number, now: number): number | null {
  const age = now - soldAt;
  const heat = heats.findIndex(({ withinMs }) => age <= withinMs);
  return heat === -1 ? null : heat;
}

/** `soldAt` tells the time of a place's sale, `now` the present time of the server. */
export function momentumPainter(
  usual: Painter,
  hall: Hall,
  soldAt: (label: string) => number | undefined,
  now: () => number,
): Painter {
  const look = createLooks();
  /** The colour of places without a category. */
  const plain = hall.categories.length;
  const firstHeat = plain + 1;
  return {
    ...usual,
    lookOf(spot) {
      const its = usual.lookOf(spot);
      const at = its.glyph === 'booked' ? soldAt(hall.labels[spot]!) : undefined;
      const heat = at === undefined ? null : heatOf(at, now());
      if (heat !== null) return look('special', firstHeat + heat, heat === 0);
      return its.glyph === 'booked' || its.glyph === 'closed' || its.glyph === 'held' || its.glyph === 'chosen'
        ? its
        : look('free', plain);
    },
    coloursOn: (theme) => {
      return [...usual.coloursOn(theme).slice(0, plain), theme.edge, ...heats.map(({ colour }) => colour)];
    },
  };
}
