/** The chart's own pictures: loaded when the hall is first drawn, and drawn when they have come. */
import type { Bounds } from '../rules/bounds.ts';
import type { Picture } from '../rules/decor.ts';
import type { Hall } from '../rules/hall.ts';

type Pen = CanvasRenderingContext2D;
export type Pictures = {
  /** A floor with pictures shows them through the floors of its sections. */
  isOn(floor: number): boolean;
  /** In chart units, the pen being set to them. */
  draw(pen: Pen, floor: number): void;
};

/** More pictures on one chart are not loaded. */
const PICTURES_MAX = 40;

/** A picture that does not come stays away. */
export function makePictures(hall: Hall, addressOf: (picture: string) => string, loaded: () => void): Pictures {
  const all = hall.pictures.slice(0, PICTURES_MAX).map((picture) => {
    const image = new Image();
    const entry = { picture, image, isThere: false };
    image.addEventListener('load', () => {
      entry.isThere = true;
      loaded();
    });
    image.src = addressOf(picture.address);
    return entry;
  });
  return {
    isOn: (floor) => all.some(({ picture, isThere }) => isThere && picture.floor === floor),
    draw(pen, floor) {
      for (const { picture, image, isThere } of all) {
        if (!isThere || picture.floor !== floor) continue;
        const { left, top, right, bottom } = boundsOf(picture, image);
        const [width, height] = [right - left, bottom - top];
        pen.save();
        pen.globalAlpha = picture.opacity;
        pen.translate(left + width / 2, top + height / 2);
        pen.rotate((picture.rotation * Math.PI) / 180);
        pen.drawImage(image, -width / 2, -height / 2, width, height);
        pen.restore();
      }
    },
  };
}

function boundsOf(
  { bounds, at, isCentred, scale }: Picture,
  { naturalWidth, naturalHeight }: HTMLImageElement,
): Bounds {
  if (bounds) return bounds;
  const [width, height] = [naturalWidth * scale, naturalHeight * scale];
  const left = isCentred ? at.x - width / 2 : at.x;
  const top = isCentred ? at.y - height / 2 : at.y;
  return { left, top, right: left + width, bottom: top + height };
}
