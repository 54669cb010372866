/**
 * The map painted by channel: a colour and a letter for each channel, and a mark on the seats of the open one. Seats of
 * public sale keep their numbers. The shape still tells the status. Or the map as a buyer of a channel sees it.
 */
import type { GlyphName } from '../../src/draw/glyphs.ts';
import { createLooks, type Painter } from '../../src/draw/scene.ts';
import type { Hall } from '../../src/rules/hall.ts';
import { categoryColours } from '../../src/rules/palette.ts';
import { freeGlyph } from '../../src/telling.ts';
import type { TrueStatus } from '../event/hall/live.ts';
import type { Repaint } from '../event/hall/map-pane.ts';
import { type ChannelId, placesOfArea } from './assigning.ts';
import type { Channel } from './channel-book.ts';

/** The event as a buyer sees it. */
export type BuyersView = { default: string; seats: Record<string, string> };

export type Painted = {
  channels: readonly Channel[];
  /** By id, as colours are numbered: 1 for the first channel. */
  numbers: ReadonlyMap<string, number>;
  /** By id. */
  letters: ReadonlyMap<string, string>;
  open: ChannelId;
  view: BuyersView | null;
  channelOf(label: string): ChannelId;
  statusOf(label: string): TrueStatus;
  isChosen(label: string): boolean;
  /** “A 12”, in the words of the reader. */
  cardLine(letter: string, count: number): string;
  /** The colours on the map: of public sale, then of each channel. */
  coloured(colours: readonly string[]): void;
};

const glyphOf: Record<string, GlyphName> = { held: 'held', booked: 'booked' };

/** `painted` gives the present state at each drawing. */
export function byChannel(painted: () => Painted): Repaint {
  const look = createLooks();
  return (usual: Painter, hall: Hall): Painter => {
    const numberOf = (label: string): number => {
      const { channelOf, numbers } = painted();
      return numbers.get(channelOf(label) ?? '') ?? 0;
    };
    const linesOf = (labels: readonly string[]): string[] => {
      const { cardLine, channelOf, letters } = painted();
      const counts = new Map<string, number>();
      for (const label of labels) {
        const letter = letters.get(channelOf(label) ?? '');
        if (letter !== undefined) counts.set(letter, (counts.get(letter) ?? 0) + 1);
      }
      return [...counts].map(([letter, count]) => cardLine(letter, count));
    };
    return {
      ...usual,
      lookOf(spot) {
        const { channelOf, isChosen, open, statusOf, view } = painted();
        const label = hall.labels[spot]!;
        const number = numberOf(label);
        if (isChosen(label)) return look('chosen', number);
        const status = view ? (view.seats[label] ?? view.default) : statusOf(label);
        const isMarked = open !== null && view === null && channelOf(label) === open;
        if (status === 'free') return look(freeGlyph(hall.accessibilityOf[spot]!), number, isMarked);
        return look(glyphOf[status] ?? 'closed', number, isMarked);
      },
      cardOf(block) {
        const labels = hall.blocks[block]!.spots.map((spot) => hall.labels[spot]!);
        const card = usual.cardOf(block);
        return { ...card, lines: [...linesOf(labels), ...card.lines] };
      },
      areaCardOf(index) {
        const card = usual.areaCardOf(index);
        return { ...card, lines: [...linesOf(placesOfArea(hall.areas[index]!)), ...card.lines] };
      },
      textOf(spot) {
        const { channelOf, letters } = painted();
        return letters.get(channelOf(hall.labels[spot]!) ?? '') ?? hall.numbers[spot]!;
      },
      coloursOn({ ground, floor, surface, contrastMin }) {
        const { channels, coloured } = painted();
        const named = [{ color: '' }, ...channels.map(({ color }) => ({ color: color ?? '' }))];
        const colours = categoryColours(named, true, { grounds: [ground, floor, surface], contrastMin });
        coloured(colours);
        return colours;
      },
    };
  };
}
