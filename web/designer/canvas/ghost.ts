/** An object that is not there yet, or that is only proposed, over the map. */
import type { ChartObject } from '@parterre/shared/charts/document';
import { chairPositions, seatPositions } from '@parterre/shared/charts/geometry';
import type { Point } from '@parterre/shared/charts/plan';
import { decorOf } from '../../src/rules/decor.ts';
import type { Overlay } from './overlay.ts';

const CHAIR_SIZE = 18;
/** More seats are shown by their outline alone. */
const SEATS_MAX = 3_000;

export function ghost(overlay: Overlay, object: ChartObject): void {
  switch (object.type) {
    case 'row':
      if (object.seatCount <= SEATS_MAX)
        overlay.ghosts(flat(seatPositions(object)), object.path ? CHAIR_SIZE : object.seatSpacing * 0.82);
      return;
    case 'table':
      overlay.ghosts(flat(chairPositions(object)), CHAIR_SIZE);
      overlay.veil(outlineOf(object));
      return;
    case 'booth':
      overlay.veil(outlineOf(object));
      return;
    case 'section':
      overlay.veil(object.outline);
      return;
    case 'gaArea':
      overlay.veil(object.points);
      return;
    default: {
      const decor = decorOf(object, 0);
      if (decor?.outline) overlay.veil(decor.isRound ? ellipse(decor.bounds) : decor.outline);
      else if (decor) overlay.note({ x: decor.bounds.left, y: decor.bounds.top }, decor.label);
      else overlay.veil(outlineOf(object as unknown as Body));
    }
  }
}

type Body = {
  center: Point;
  shape?: string | undefined;
  radius?: number | undefined;
  width?: number | undefined;
  height?: number | undefined;
  rotation?: number | undefined;
};

/** The shape of a table, a booth or a picture. */
export function outlineOf({ center, shape, radius = 40, width = 80, height = 50, rotation = 0 }: Body): Point[] {
  if (shape === 'round') {
    return ellipse({
      left: center.x - radius,
      right: center.x + radius,
      top: center.y - radius,
      bottom: center.y + radius,
    });
  }
  const cos = Math.cos((rotation * Math.PI) / 180);
  const sin = Math.sin((rotation * Math.PI) / 180);
  return [
    [-1, -1],
    [1, -1],
    [1, 1],
    [-1, 1],
  ].map(([across, down]) => {
    const dx = (across! * width) / 2;
    const dy = (down! * height) / 2;
    return { x: center.x + dx * cos - dy * sin, y: center.y + dx * sin + dy * cos };
  });
}

function ellipse({ left, top, right, bottom }: { left: number; top: number; right: number; bottom: number }): Point[] {
  return Array.from({ length: 48 }, (_, step) => ({
    x: (left + right) / 2 + (Math.cos((step * Math.PI) / 24) * (right - left)) / 2,
    y: (top + bottom) / 2 + (Math.sin((step * Math.PI) / 24) * (bottom - top)) / 2,
  }));
}

function flat(points: readonly Point[]): number[] {
  return points.flatMap(({ x, y }) => [x, y]);
}
