/**
 * The places that have what the brush paints: they stay bright, and bear a dot where their category alone would not
 * tell. A lens is made for one state of the document. It is asked for each seat that a tile draws, and by no frame.
 */
import { accessibilityKinds } from '@parterre/shared/charts/accessibility';
import type { ChartDocument, ChartObject } from '@parterre/shared/charts/document';
import type { SeatFilter } from '../../src/draw/scene.ts';
import type { Hall } from '../../src/rules/hall.ts';
import { viewFromSeat } from '../../src/rules/hall.ts';
import { labelsOf, tiersIn } from '../painting/applicability.ts';
import type { PaintWhat } from '../painting/painting.ts';
import { testOf } from '../painting/tier-places.ts';
import type { LiveHall } from './live-hall.ts';

export type Lens = NonNullable<SeatFilter> & {
  /** Its places have a dot. */
  readonly isDotted: boolean;
  /** The labels of the tier; empty for what belongs to the objects themselves. */
  readonly labels: ReadonlySet<string>;
};

/** Null for a category, whose colour tells enough, and for a tier that the chart lacks. */
export function lensOf(what: PaintWhat | null, live: LiveHall, document: ChartDocument): Lens | null {
  const { hall } = live;
  switch (what?.kind) {
    case 'restrictedView':
      return dotted(
        (spot) => hall.restricted.has(spot),
        areas(live, (area) => area.restrictedView === true),
      );
    case 'view':
      return dotted(
        (spot) => viewFromSeat(hall, spot) !== null,
        areas(live, (area) => Boolean(area.viewFromSeatUrl)),
      );
    case 'way': {
      const isMeant = (way: number) => (what.way === 'lift' ? way === 2 : way !== 0);
      return dotted(
        (spot) => isMeant(hall.wayOf[spot]!),
        (index) => isMeant(hall.areas[index]!.way),
      );
    }
    case 'accessibility': {
      const bit = 1 << accessibilityKinds.indexOf(what.accessibility);
      const spot = (spot: number) => (hall.accessibilityOf[spot]! & bit) !== 0;
      return { spot, area: () => false, isDotted: false, labels: new Set() };
    }
    case 'tier':
      return tierLens(what, hall, document);
    default:
      return null;
  }
}

function tierLens(what: Extract<PaintWhat, { kind: 'tier' }>, hall: Hall, document: ChartDocument): Lens | null {
  const found = tiersIn(document).find(({ category, tier }) => category.key === what.category && tier.id === what.tier);
  if (!found) return null;
  const category = document.categories.indexOf(found.category);
  const test = testOf(found.tier);
  return {
    spot: (spot) => hall.categoryOf[spot] === category && test(hall.labels[spot]!, hall.accessibilityOf[spot]!),
    area: (index) => hall.areas[index]!.category === category && test(hall.areas[index]!.label, 0),
    isDotted: true,
    labels: new Set(labelsOf(found.tier)),
  };
}

function dotted(spot: (spot: number) => boolean, area: (index: number) => boolean): Lens {
  return { spot, area, isDotted: true, labels: new Set() };
}

/** Areas are few, and the hall does not keep these fields of them. */
function areas({ objects, hall }: LiveHall, has: (area: ChartObject) => boolean): (index: number) => boolean {
  const ids = new Set(objects.filter((object) => object.type === 'gaArea' && has(object)).map(({ id }) => id));
  return (index) => ids.has(hall.areas[index]!.id);
}
