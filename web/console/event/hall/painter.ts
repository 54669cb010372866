/** The look of each seat for a person who sells: its true status, and whether it is chosen. */

import type { GlyphName } from '../../../src/draw/glyphs.ts';
import { type Card, createLooks, type Painter } from '../../../src/draw/scene.ts';
import type { Hall } from '../../../src/rules/hall.ts';
import { categoryColours } from '../../../src/rules/palette.ts';
import { freeGlyph } from '../../../src/telling.ts';
import type { Words } from '../../messages/words.ts';
import type { LiveHall, TrueStatus } from './live.ts';

const glyphs: Record<Exclude<TrueStatus, 'free'>, GlyphName> = {
  held: 'held',
  booked: 'booked',
  blocked: 'closed',
  not_for_sale: 'closed',
};

export function createHallPainter(
  live: LiveHall,
  hall: Hall,
  words: Words,
  origin: string,
  isChosen: (label: string) => boolean,
): Painter {
  const look = createLooks();

  function cardOfLabels(labels: readonly string[]): Card {
    const free = labels.filter((label) => live.statusOf(label) === 'free').length;
    const lines = [words.text('map.free', { free, count: labels.length })];
    return { share: free / Math.max(labels.length, 1), lines, isOurs: labels.some(isChosen) };
  }

  return {
    lookOf(spot) {
      const label = hall.labels[spot]!;
      const category = hall.categoryOf[spot]!;
      if (isChosen(label)) return look('chosen', category);
      const status = live.statusOf(label);
      // A reserved place has the mark: its name stands in the card.
      if (status === 'free') return look(freeGlyph(hall.accessibilityOf[spot]!), category);
      return look(glyphs[status], status === 'held' ? category : 0, live.reservationOf(label) !== null);
    },
    cardOf: (block) => cardOfLabels(hall.blocks[block]!.spots.map((spot) => hall.labels[spot]!)),
    areaCardOf(index) {
      const { capacity } = hall.areas[index]!;
      return { share: 1, lines: [words.text('map.places', { count: capacity })], isOurs: false };
    },
    coloursOn: ({ ground, floor, surface, contrastMin }) =>
      categoryColours(hall.categories, false, { grounds: [ground, floor, surface], contrastMin }),
    addressOf: (picture) => new URL(picture, origin).href,
  };
}
