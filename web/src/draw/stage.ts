/**
 * The canvas on the screen, and the layers of tiles behind it. While the map is zoomed, the layer at hand is copied
 * larger or smaller. At rest, and when it would become too coarse or too fine, a layer of the present scale takes its
 * place, tile by tile. Where a tile is missing, the last layer shows through, and under it the whole hall.
 */
import type { Bounds } from '../rules/bounds.ts';
import { type Camera, fitted, SEAT_PIXELS_MIN, type Size } from '../rules/camera.ts';
import { type Measure, makeMeasure } from './captions.ts';
import type { Scene } from './scene.ts';
import { Layer, penOf } from './tiles.ts';

/**
 * Milliseconds of a frame for drawing tiles: while the map moves, at rest, and for a hall that is not on the screen
 * yet.
 */
const fillMs = { moving: 2.5, resting: 10, first: 150 };
const SCALE_FACTOR_MAX = 2;

export type Stage = ReturnType<typeof makeStage>;
export type Frame = {
  scene: Scene;
  camera: Camera;
  size: Size;
  floor: number;
  isMoving: boolean;
  isZooming: boolean;
};

export function makeStage(host: HTMLElement, ratio: number) {
  const canvas = document.createElement('canvas');
  const pen = penOf(canvas);
  host.append(canvas);
  let font = '';
  const measure: Measure = makeMeasure(penOf(document.createElement('canvas')), () => font);
  let front: Layer | null = null;
  let back: Layer | null = null;
  let whole: Layer | null = null;
  let shown: Scene | null = null;
  let copied: Camera | null = null;

  function layerAt({ scene, floor }: Frame, scale: number): Layer {
    return new Layer(scene, { scale, floor, ratio, isNear: isNearAt(scene, scale) }, measure);
  }

  /** The layer for this frame. A new one starts empty. */
  function choose(frame: Frame): Layer {
    const { scene, camera, size, floor, isZooming } = frame;
    if (shown !== scene || front?.floor !== floor) {
      shown = scene;
      font = scene.theme.font;
      whole = layerAt(frame, fitted(scene.hall.bounds, size).scale);
      front = whole;
      back = null;
    }
    const factor = camera.scale / front!.scale;
    if (factor === 1) return front!;
    if (isZooming && factor < SCALE_FACTOR_MAX && factor > 1 / SCALE_FACTOR_MAX) return front!;
    back = front;
    front = camera.scale === whole!.scale ? whole : layerAt(frame, camera.scale);
    return front!;
  }

  return {
    canvas,
    pen,
    /** Draws a frame, `decorate` the marks over it. True if a further frame has something to draw. */
    draw(frame: Frame, now: number, isMarked: boolean, decorate: (pen: CanvasRenderingContext2D) => void): boolean {
      const { camera, size, scene, isMoving } = frame;
      const layer = choose(frame);
      const isFirst = layer === whole && !layer.covers(camera, size);
      const pace = isFirst ? 'first' : isMoving ? 'moving' : 'resting';
      const { isBehind, isChanged } = layer.fill(camera, size, now + fillMs[pace]);
      if (!isChanged && !isMarked && copied === camera) return isBehind;
      copied = camera;
      pen.setTransform(1, 0, 0, 1, 0, 0);
      if (!layer.covers(camera, size)) {
        pen.fillStyle = scene.theme.ground;
        pen.fillRect(0, 0, canvas.width, canvas.height);
        if (whole !== layer) whole?.copyTo(pen, camera, size);
        if (back && back !== whole) back.copyTo(pen, camera, size);
      } else back = null;
      layer.copyTo(pen, camera, size);
      pen.setTransform(ratio, 0, 0, ratio, 0, 0);
      decorate(pen);
      return isBehind;
    },
    /** `hasMoved`: layers behind the present one must not show their old pictures of these parts. */
    spoil(parts?: readonly Bounds[], hasMoved = false): void {
      for (const layer of new Set([front, back, whole])) layer?.spoil(parts, hasMoved && layer !== front);
    },
    /** Everything is drawn anew, in another size or another look. */
    reset(size: Size): void {
      const width = Math.round(size.width * ratio);
      const height = Math.round(size.height * ratio);
      if (canvas.width !== width || canvas.height !== height) {
        canvas.width = width;
        canvas.height = height;
      }
      shown = null;
      copied = null;
    },
    seatsOn: (camera: Camera, size: Size): number => front?.seatsOn(camera, size) ?? 0,
    isSharp: (camera: Camera): boolean => front?.scale === camera.scale,
    end: () => canvas.remove(),
  };
}

/** True when single seats are drawn at this scale. */
export function isNearAt({ seatSize }: Scene, scale: number): boolean {
  return seatSize * scale >= SEAT_PIXELS_MIN;
}
