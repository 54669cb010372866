/**
 * The chart's own pictures. A picture is loaded when a part of the map that shows it is first drawn, so a chart may
 * have any number of them, and it is drawn when it has come. Pictures of one address are loaded once.
 */
import { type Bounds, overlaps, turnedBounds } from '../rules/bounds.ts';
import type { Picture } from '../rules/decor.ts';
import type { Hall } from '../rules/hall.ts';

export type Pictures = {
  /** A floor with pictures shows them through the floors of its sections. */
  isOn(floor: number): boolean;
  /** The pictures in this part of the chart, the pen being set to chart units. */
  draw(pen: CanvasRenderingContext2D, floor: number, rect: Bounds): void;
};

/** A picture that does not come stays away. */
export function makePictures({ pictures }: Hall, addressOf: (picture: string) => string, loaded: () => void): Pictures {
  const images = new Map<string, { image: HTMLImageElement; isThere: boolean }>();

  /** Null until it has come. */
  function imageAt(address: string): HTMLImageElement | null {
    const known = images.get(address);
    if (known) return known.isThere ? known.image : null;
    const entry = { image: new Image(), isThere: false };
    images.set(address, entry);
    entry.image.addEventListener('load', () => {
      entry.isThere = true;
      loaded();
    });
    entry.image.referrerPolicy = 'no-referrer';
    entry.image.src = addressOf(address);
    return null;
  }

  return {
    isOn: (floor) => pictures.some((each) => each.floor === floor && images.get(each.address)?.isThere),
    draw(pen, floor, rect) {
      for (const picture of pictures) {
        const { bounds, rotation } = picture;
        if (picture.floor !== floor || (bounds && !overlaps(turnedBounds(bounds, rotation), rect))) continue;
        const image = imageAt(picture.address);
        if (image) drawPicture(pen, picture, image);
      }
    },
  };
}

function drawPicture(pen: CanvasRenderingContext2D, picture: Picture, image: HTMLImageElement): void {
  const { left, top, right, bottom } = boundsOf(picture, image);
  const width = right - left;
  const height = bottom - top;
  pen.save();
  pen.globalAlpha = picture.opacity;
  pen.translate(left + width / 2, top + height / 2);
  pen.rotate((picture.rotation * Math.PI) / 180);
  pen.drawImage(image, -width / 2, -height / 2, width, height);
  pen.restore();
}

function boundsOf(
  { bounds, at, isCentred, scale }: Picture,
  { naturalWidth, naturalHeight }: HTMLImageElement,
): Bounds {
  if (bounds) return bounds;
  const width = naturalWidth * scale;
  const height = naturalHeight * scale;
  const left = isCentred ? at.x - width / 2 : at.x;
  const top = isCentred ? at.y - height / 2 : at.y;
  return { left, top, right: left + width, bottom: top + height };
}
