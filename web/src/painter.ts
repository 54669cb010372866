/** The look of each seat on the map, and the cards of sections. Loaded with the drawing. */
import { type Card, createLooks, type Painter } from './draw/scene.ts';
import type { View } from './draw/view.ts';
import { priceText } from './messages/prices.ts';
import type { Words } from './messages/words.ts';
import { categoryColours } from './rules/palette.ts';
import { cheapestOf, fromPriceOf, type Price } from './rules/prices.ts';
import { ofArea } from './rules/selection.ts';
import { statusWords } from './rules/statuses.ts';
import { type Standing, standingOfArea, standingOfBlock } from './rules/supply.ts';
import { isAwaited, type SalePause } from './rules/waiting.ts';
import type { House } from './sale/house.ts';
import type { SaleState } from './sale/sale-state.ts';
import { freeGlyph, shapes, shutBy, standingKeys } from './telling.ts';

export type Painting = {
  words(): Words;
  house(): House;
  sale: SaleState;
  /** The labels of the seats that break a rule of the event, or that the choice would leave alone. */
  marked(): ReadonlySet<string>;
  /** The chart's own colours, not those for every kind of colour vision. */
  hasOwnColours: boolean;
  baseUrl: string;
};

type CardFacts = {
  total: number;
  free: number;
  ours: number;
  from: Price | null;
  standing: Standing;
  pause: SalePause | null;
};

type BlockCache<Value> = Map<number, { made: unknown[]; value: Value }>;

export function createPainter({ words, house, sale, marked, hasOwnColours, baseUrl }: Painting): Painter {
  const look = createLooks();
  const cards: BlockCache<Card> = new Map();
  const prices: BlockCache<Price | null> = new Map();
  let boughtLabels: ReadonlySet<string> = new Set();
  let boughtFrom: SaleState['bought'] = null;

  function isBought(label: string): boolean {
    if (sale.bought !== boughtFrom) {
      boughtFrom = sale.bought;
      boughtLabels = new Set(sale.bought?.items.map(({ label }) => label));
    }
    return boughtLabels.has(label);
  }

  function chosenIn(block: number): number {
    const { hall } = house();
    let count = 0;
    for (const { spot } of sale.selection.values()) if (spot !== null && hall.blockOf[spot] === block) count++;
    return count;
  }

  /** A block's value is made anew when one of the things that it is made of has changed. */
  function keptOf<Value>(kept: BlockCache<Value>, block: number, made: unknown[], make: () => Value): Value {
    const known = kept.get(block);
    if (known?.made.every((each, index) => each === made[index])) return known.value;
    const value = make();
    kept.set(block, { made, value });
    return value;
  }

  return {
    lookOf(spot) {
      const { hall, statuses } = house();
      const label = hall.labels[spot]!;
      const category = hall.categoryOf[spot]!;
      const isMarked = marked().has(label);
      if (sale.selection.has(label)) {
        return look(sale.hold && sale.held.has(label) ? 'reserved' : 'chosen', category, isMarked);
      }
      const status = statusWords[statuses.of[spot]!]!;
      if (status === 'free') return look(freeGlyph(hall.accessibilityOf[spot]!), category, isMarked);
      return look(sale.bought && isBought(label) ? 'bought' : shapes[status], 0);
    },
    cardOf(block) {
      const { hall, statuses, offers } = house();
      const free = statuses.freeInBlock[block]!;
      const ours = chosenIn(block);
      const standing = standingOfBlock(statuses, hall, block);
      const pause = shutBy(house());
      // Another seat may be free at another price while the number of free seats is the same.
      const from = keptOf(prices, block, [hall, offers, statuses.changesInBlock[block]], () =>
        fromPriceOf(hall, offers, statuses, block),
      );
      return keptOf(cards, block, [hall, free, ours, from, standing, pause?.reason, words()], () =>
        cardWith(words(), house(), { total: hall.blocks[block]!.spots.length, free, ours, from, standing, pause }),
      );
    },
    areaCardOf(index) {
      const { hall, statuses, offers } = house();
      const area = hall.areas[index]!;
      const free = statuses.freeInArea.get(area.id) ?? 0;
      const ours = ofArea(sale.selection, area.id)?.quantity ?? 0;
      const from = free > 0 ? cheapestOf(hall, offers, area.category) : null;
      const standing = standingOfArea(hall, offers, statuses, area);
      const total = area.capacity;
      return cardWith(words(), house(), { total, free, ours, from, standing, pause: shutBy(house()) });
    },
    coloursOn({ ground, floor, surface, contrastMin }) {
      return categoryColours(house().hall.categories, hasOwnColours, {
        grounds: [ground, floor, surface],
        contrastMin,
      });
    },
    addressOf: (picture) => new URL(picture, baseUrl).href,
  };
}

/** A closed sale invites nobody: its sections have names alone, and prices before it begins. */
function cardWith(words: Words, { event }: House, facts: CardFacts): Card {
  const { text } = words;
  const { total, free, ours, from, standing, pause } = facts;
  const told = standing === 'free' ? text('map.free', { count: free }) : text(standingKeys[standing]);
  const hasPrice = from !== null && Number.isFinite(from.price) && (pause === null || isAwaited(pause));
  const lines = [
    ...(ours > 0 ? [text('map.yours', { count: ours })] : []),
    ...(pause === null ? [told] : []),
    ...(hasPrice ? [text('price.from', { price: priceText(words, from, event) })] : []),
  ];
  return { share: free / Math.max(total, 1), lines, isOurs: ours > 0 };
}

type BuyersPlaces = Pick<SaleState, 'selection' | 'held' | 'bought'> & { marked: ReadonlySet<string> };

/** Repaints the buyer's places when they have changed. */
export function createOwnPaint() {
  let painted: BuyersPlaces | null = null;
  return (house: House, { selection, held, bought, marked }: BuyersPlaces, view: Pick<View, 'repaint'>): void => {
    const before = painted;
    const isSame = before?.selection === selection && before.held === held && before.bought === bought;
    if (isSame && before.marked === marked) return;
    painted = { selection, held, bought, marked };
    const spots = [...(before ? ownSpots(house, before) : []), ...ownSpots(house, painted)];
    view.repaint(
      spots,
      house.hall.areas.map((_, index) => index),
    );
  };
}

/** The spots whose look is the buyer's: chosen, held, bought or marked. */
function ownSpots({ hall }: House, { selection, held, bought, marked }: BuyersPlaces): number[] {
  const chosen = [...selection.values(), ...held.values()].flatMap(({ spot }) => (spot === null ? [] : [spot]));
  const labels = [...(bought?.items.map(({ label }) => label) ?? []), ...marked];
  return [...chosen, ...labels.flatMap((label) => hall.spotOf.get(label) ?? [])];
}
