/**
 * The canvas for text. While the map moves, the drawn text is moved and scaled with it, at almost no cost. The text is
 * drawn anew now and then, and when the map stands still.
 */
import type { Camera, Size } from '../rules/camera.ts';
import { type Captioned, drawCaptions } from './captions.ts';

export type Overlay = {
  canvas: HTMLCanvasElement;
  resize(size: Size): void;
  /** True when the text was only moved: call again soon. */
  draw(view: Captioned, now: number): boolean;
};

export const OVERLAY_EVERY_MS = 150;
/** Slow text is drawn less often: the pause after a drawing is this many times the drawing's duration. */
const RESTS = 12;

export function makeOverlay(pixelRatio: number): Overlay {
  const canvas = document.createElement('canvas');
  canvas.style.transformOrigin = '0 0';
  // A layer of its own moves without repainting.
  canvas.style.willChange = 'transform';
  const pen = canvas.getContext('2d', { willReadFrequently: true })!;
  let drawnFor: Camera | null = null;
  let drawnAt = 0;
  let restMs = OVERLAY_EVERY_MS;
  return {
    canvas,
    resize({ width, height }) {
      canvas.width = width * pixelRatio;
      canvas.height = height * pixelRatio;
      drawnFor = null;
    },
    draw(view, now) {
      const { scale, x, y } = view.camera;
      const isMoving = drawnFor !== null && (drawnFor.scale !== scale || drawnFor.x !== x || drawnFor.y !== y);
      if (isMoving && now - drawnAt < restMs) {
        const by = scale / drawnFor!.scale;
        canvas.style.transform = `translate(${x - drawnFor!.x * by}px, ${y - drawnFor!.y * by}px) scale(${by})`;
        return true;
      }
      canvas.style.transform = '';
      drawCaptions(pen, view, pixelRatio);
      drawnFor = view.camera;
      drawnAt = performance.now();
      restMs = Math.max(OVERLAY_EVERY_MS, (drawnAt - now) * RESTS);
      return false;
    },
  };
}
