/** A buyer chooses on the map, by pointer or keys: the sale changes, and the change is said. */
import { labelName, placeName } from './messages/places.ts';
import type { Words } from './messages/words.ts';
import type { Pointed } from './pointing.ts';
import { ofArea } from './rules/selection.ts';
import type { House } from './sale/house.ts';
import type { Sale } from './sale/sale.ts';

type Setting = {
  house(): House;
  sale: Sale;
  words(): Words;
  describe(spot: number): string[];
  say(text: string): void;
};

export function createChoosing({ house, sale, words, describe, say }: Setting): Pointed {
  function choose(spot: number): void {
    const { hall } = house();
    const { state } = sale;
    const { selection: before, notice } = state;
    if (sale.choice.party.takes(spot)) {
      takeParty(spot);
      return;
    }
    sale.choice.toggle(spot);
    // A refusal of this choice was spoken.
    if (state.notice !== null && state.notice !== notice) return;
    if (before === state.selection) {
      explain(spot);
      return;
    }
    const told = { place: placeName(words(), hall, spot), count: state.selection.size };
    say(words().text(state.selection.has(hall.labels[spot]!) ? 'say.chosen' : 'say.givenUp', told));
  }

  /** A refusal of the choice was spoken. */
  function takeParty(spot: number): void {
    const { hall } = house();
    const count = sale.choice.party.size();
    const labels = sale.choice.party.take(spot);
    if (labels === null) sale.notices.inform(words().text('party.none', { count }));
    else if (labels.length > 0) {
      const places = words().list(labels.map((label) => labelName(words(), hall, label)));
      say(words().text('party.chosen', { places, count: sale.state.selection.size }));
    }
  }

  /** A place that cannot be chosen. What a partly free seat lacks also stands in the panel, where it stays. */
  function explain(spot: number): void {
    const { hall, lackingOf } = house();
    const lacking = lackingOf(hall.labels[spot]!);
    if (lacking.length === 0) {
      say(words().join(describe(spot)));
      return;
    }
    const told = { place: placeName(words(), hall, spot), performances: words().list(lacking) };
    sale.notices.inform(words().text('note.lacking', told));
  }

  function addPlace(areaId: string): void {
    const chosen = () => ofArea(sale.state.selection, areaId)?.quantity ?? 0;
    sale.choice.setArea(areaId, chosen() + 1);
    say(words().text('say.areaChosen', { count: chosen() }));
  }

  return { choose, addPlace };
}
