/** The parts of the panel's view that come from the sale and the map. */
import type { View } from '../draw/view.ts';
import type { Words } from '../messages/words.ts';
import { viewFromSeat } from '../rules/hall.ts';
import { waitingNow } from '../rules/waiting.ts';
import type { House } from '../sale/house.ts';
import type { Sale } from '../sale/sale.ts';
import { describeSpot, type Judged } from '../telling.ts';
import type { Shown } from './side.ts';

type Parts = {
  house: House;
  judged: Judged;
  sale: Sale;
  words: Words;
  view: View | null;
  baseUrl: string;
  maxSelection: number;
};
type Acts = Pick<Shown, 'now' | 'goOn' | 'show' | 'say' | 'refocus'>;

export function shownOf({ house, judged, sale, words, view, baseUrl, maxSelection }: Parts, acts: Acts): Shown {
  const { event, hall, offers, performances, statuses, waiting } = house;
  return {
    event,
    hall,
    offers,
    performances,
    statuses,
    sale,
    words,
    maxSelection,
    ...acts,
    waiting: waitingNow(waiting, statuses),
    colours: view?.colours ?? hall.categories.map(({ color }) => color),
    isNear: view?.isNear ?? true,
    describe: (spot) => describeSpot(words, house, sale.state, judged, spot),
    pictureOf(spot) {
      const picture = viewFromSeat(hall, spot);
      return picture === null ? null : new URL(picture, baseUrl).href;
    },
  };
}
