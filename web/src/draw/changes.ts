/** The parts of a chart that look different after places have changed. */
import { type Bounds, boundsOf } from '../rules/bounds.ts';
import type { Hall } from '../rules/hall.ts';
import type { Scene } from './scene.ts';
import { CHAIRS_REACH } from './seats.ts';

/** More parts than this count as everything. */
const PARTS_MAX = 400;

/** Null for everything. From afar a section changes with its seats. */
export function changedParts(
  scene: Scene,
  spots: Iterable<number>,
  areas: Iterable<number>,
  floor: number,
  isNear: boolean,
): Bounds[] | null {
  const { hall, bright } = scene;
  const parts = [...areas].map((area) => boundsOf(hall.areas[area]!.points));
  const blocks = new Set<number>();
  for (const spot of spots) {
    const index = hall.blockOf[spot]!;
    const block = hall.blocks[index]!;
    bright[index] = undefined;
    if (block.floor !== floor) continue;
    if (isNear || block.outline === null) parts.push(placeOf(hall, spot));
    else blocks.add(index);
    if (parts.length > PARTS_MAX) {
      bright.length = 0;
      return null;
    }
  }
  return [...parts, ...[...blocks].map((index) => ({ ...hall.blocks[index]!.bounds }))];
}

/** All that is drawn for a spot. */
function placeOf(hall: Hall, spot: number): Bounds {
  const { body } = hall.objects[hall.objectOf[spot]!]!;
  const isRound = body?.type === 'table' && body.shape === 'round';
  const extent = isRound ? 2 * (body.radius ?? 40) : Math.hypot(body?.width ?? 80, body?.height ?? 50);
  const reach = body ? extent / 2 + CHAIRS_REACH : hall.size[spot]! * RING_SHARE;
  const x = hall.x[spot]!;
  const y = hall.y[spot]!;
  return { left: x - reach, top: y - reach, right: x + reach, bottom: y + reach };
}

/** Half of a seat, its ring included. */
const RING_SHARE = 0.62;
