/** Everything that the panel shows, and its acts. */
import type { Words } from '../messages/words.ts';
import type { Hall } from '../rules/hall.ts';
import type { Performance } from '../rules/performances.ts';
import type { Offers } from '../rules/prices.ts';
import type { BrokenRule } from '../rules/selection-rules.ts';
import type { Statuses } from '../rules/statuses.ts';
import type { SalePause } from '../rules/waiting.ts';
import type { BuyerEvent } from '../sale/api.ts';
import type { Sale } from '../sale/sale.ts';
import type { Filter } from './filter.ts';

export type PanelView = {
  words: Words;
  event: BuyerEvent;
  hall: Hall;
  offers: readonly Offers[];
  performances: readonly Performance[];
  statuses: Statuses;
  /** The one reason why nothing can be bought now. */
  waiting: SalePause | null;
  sale: Sale;
  /** The rules of the event that the choice breaks so far. */
  broken: readonly BrokenRule[];
  maxSelection: number;
  /** By category. */
  colours: readonly string[];
  /** The server's time. */
  now: number;
  /** True when single seats are visible. */
  isNear: boolean;
  filter: Filter;
  isOpen: boolean;
  /** The map is shown, not the list. */
  isMap: boolean;
  describe(spot: number): string[];
  /** The address of the picture of the view from a seat; null without one. */
  pictureOf(spot: number): string | null;
  /** Opens this picture. */
  lookFrom(spot: number): void;
  /** Opens or closes the sheet of a phone. */
  open(isOpen: boolean): void;
  setFilter(filter: Filter): void;
  /** The buyer goes on to pay for the hold. */
  goOn(): void;
  /** Shows these places on the map. */
  show(labels: readonly string[]): void;
  redraw(): void;
  say(text: string): void;
  /** When nothing has the focus any more, the first of these that exists gets it. */
  refocus(...selectors: string[]): void;
};
