/** The look of each place for a person who sells: its true status, whether it is chosen, and whether it was refused. */
import type { GlyphName } from '../../../src/draw/glyphs.ts';
import { type Card, createLooks, type Painter } from '../../../src/draw/scene.ts';
import type { Hall } from '../../../src/rules/hall.ts';
import { categoryColours } from '../../../src/rules/palette.ts';
import { freeGlyph } from '../../../src/telling.ts';
import type { Words } from '../../messages/words.ts';
import type { LiveHall } from './live.ts';
import type { HallSelection } from './selection.ts';
import { type TrueStatus, trueStatuses } from './true-statuses.ts';

const glyphs: Record<Exclude<TrueStatus, 'free'>, GlyphName> = {
  held: 'held',
  booked: 'booked',
  blocked: 'closed',
  not_for_sale: 'closed',
};

type Painted = {
  live: LiveHall;
  selection: HallSelection;
  isRefused(label: string): boolean;
  /** Of the server, for its pictures. */
  origin: string;
};

export function createHallPainter({ live, selection, isRefused, origin }: Painted, hall: Hall, words: Words): Painter {
  const look = createLooks();

  function cardOf(counts: Int32Array, count: number, isOurs: boolean): Card {
    const free = counts[0]!;
    return {
      share: free / Math.max(count, 1),
      lines: [words.text('map.free', { free, count })],
      isOurs,
      isOutlined: isOurs,
    };
  }

  return {
    lookOf(spot) {
      const label = hall.labels[spot]!;
      const category = hall.categoryOf[spot]!;
      const isMarked = isRefused(label);
      if (selection.has(spot)) return look('chosen', category, isMarked);
      const status = trueStatuses[live.statuses!.of[spot]!]!;
      if (status === 'free') return look(freeGlyph(hall.accessibilityOf[spot]!), category, isMarked);
      // A reserved place has the mark: its name stands in the card.
      return look(glyphs[status], status === 'held' ? category : 0, isMarked || live.reservations.has(label));
    },
    cardOf: (block) =>
      cardOf(live.statuses!.inBlock[block]!, hall.blocks[block]!.spots.length, selection.inBlock(block) > 0),
    areaCardOf: (area) => cardOf(live.statuses!.inArea[area]!, hall.areas[area]!.capacity, selection.hasArea(area)),
    coloursOn: ({ ground, floor, surface, contrastMin }) =>
      categoryColours(hall.categories, false, { grounds: [ground, floor, surface], contrastMin }),
    addressOf: (picture) => new URL(picture, origin).href,
  };
}
