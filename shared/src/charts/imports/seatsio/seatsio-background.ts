/** Reads the background image of a seats.io drawing. */
import type { Point } from '../../plan.ts';
import { type Fields, fieldsOf, isTrue, moved, numberOf, pictureUrlOf, pointFrom } from '../reading.ts';
import { type Notes, quoted } from '../report.ts';
import type { FoundPicture } from '../venue.ts';
import type { Within } from './seatsio-seats.ts';

/** `floor` names the floor in notes; empty where the chart has one. */
export function readBackground(drawing: Fields, floor: string, { notes, unread }: Within): FoundPicture | null {
  const of = floor === '' ? '' : ` of floor ${quoted(floor)}`;
  if (Object.keys(fieldsOf(drawing.referenceChart)).length > 0) {
    notes.leftOut(
      'reference_chart',
      `The picture${of} that the chart was traced from. Upload it in the designer if you trace on.`,
    );
  }
  if (typeof drawing.backgroundImage !== 'object' || drawing.backgroundImage === null) return null;
  const image = fieldsOf(drawing.backgroundImage);
  unread.see('background image', image);
  const url = [image.backgroundImageUrl, image.url, image.imageUrl, image.src, image.href, image.name]
    .map(pictureUrlOf)
    .find((each) => each !== null);
  const place = zoomedPlace(image) ?? placeOf(image, drawing);
  if (url == null || place === null) {
    const at =
      place &&
      `, ${Math.round(place.width)} units wide about x ${Math.round(place.center.x)}, y ${Math.round(place.center.y)}`;
    notes.leftOut(
      'background_image',
      `The background image${of}: the file has no address or size of it. Upload it again in the designer${at ?? ''}.`,
    );
    return null;
  }
  noteHidden(image, of, notes);
  return { url, ...place, opacity: numberOf(image.opacity) };
}

type PictureFrame = { center: Point; width: number; height: number };

/** `origin` is the corner that the image would have at a zoom of 100. The zoom is in percent, about its middle. */
function zoomedPlace(image: Fields): PictureFrame | null {
  const width = numberOf(image.backgroundImageWidth);
  const height = numberOf(image.backgroundImageHeight);
  const corner = pointFrom(image.origin);
  if (width === null || height === null || corner === null) return null;
  const zoom = (numberOf(image.backgroundImageZoom) ?? 100) / 100;
  return { center: moved(corner, { x: width / 2, y: height / 2 }), width: width * zoom, height: height * zoom };
}

function placeOf(image: Fields, drawing: Fields): PictureFrame | null {
  const width = numberOf(image.width) ?? numberOf(drawing.width);
  const height = numberOf(image.height) ?? numberOf(drawing.height);
  if (width === null || height === null) return null;
  const corner = pointFrom(image.topLeft) ?? pointFrom(image) ?? { x: 0, y: 0 };
  return { center: pointFrom(image.center) ?? moved(corner, { x: width / 2, y: height / 2 }), width, height };
}

/** A background here is shown to buyers. */
function noteHidden(image: Fields, of: string, notes: Notes): void {
  if (image.showOnRenderedCharts === undefined || isTrue(image.showOnRenderedCharts)) return;
  notes.changed(
    'background_shown',
    `The file hides the background image${of} from buyers. Here buyers see it. Take it away in the designer if they should not.`,
  );
}
