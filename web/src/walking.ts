/** The keyboard's map, over the sale and the view: the map follows the focus. */
import type { View } from './draw/view.ts';
import type { Words } from './messages/words.ts';
import { createMirror, type Mirror, type MirrorListener } from './mirror.ts';
import type { Pointed } from './pointing.ts';
import type { House } from './sale/house.ts';
import type { Sale } from './sale/sale.ts';
import type { Judged } from './telling.ts';

type Setting = Pick<MirrorListener, 'zoom' | 'changed'> & {
  house(): House;
  sale: Sale;
  words(): Words;
  view(): View | null;
  pointed: Pointed;
  describe(spot: number): string[];
  judged(): Judged;
  focused(spot: number | null): void;
};

export function walkedMirror(root: HTMLElement, setting: Setting): Mirror {
  const { house, sale, words, view, pointed, describe, judged, focused, zoom, changed } = setting;
  return createMirror(
    root,
    () => {
      const { hall, statuses, offers } = house();
      const { selection, hold, quote } = sale.state;
      const judgedNow = [judged().marked, statuses.areCompanionsReleased];
      return {
        describedBy: [words(), hall, offers, statuses.of, statuses.version, selection, hold, quote, ...judgedNow],
        words: words(),
        hall,
        floor: view()?.floor ?? 0,
        freeIn: (block) => statuses.freeInBlock[block]!,
        freeInArea: (areaId) => statuses.freeInArea.get(areaId) ?? 0,
        describe: (spot) => words().join(describe(spot)),
        isChosen: (spot) => selection.has(hall.labels[spot]!),
      };
    },
    {
      ...pointed,
      focusSpot(spot) {
        const { x, y } = house().hall;
        focused(spot);
        view()?.focus(spot);
        if (spot !== null) view()?.reveal({ x: x[spot]!, y: y[spot]! });
      },
      focusBlock: (block) => view()?.focusBlock(block),
      enter: (block) => view()?.visit(house().hall.blocks[block]!.bounds),
      zoom,
      changed,
    },
  );
}
