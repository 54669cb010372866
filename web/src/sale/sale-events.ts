/** The effects of a sale's events: messages for screen readers, and events for the host. */

import { itemName, labelName, leftOutText } from '../messages/places.ts';
import type { Words } from '../messages/words.ts';
import type { MapOptions } from '../options.ts';
import type { Hall } from '../rules/hall.ts';
import type { Sale } from './sale.ts';
import type { SaleEvents } from './sale-state.ts';

type Hearer = Pick<SaleEvents, 'changed' | 'selectionChanged' | 'outdated' | 'say'> & {
  sale(): Sale;
  words(): Words;
  hall(): Hall;
};

export function saleEvents(options: MapOptions, { sale, words, hall, ...hearer }: Hearer): SaleEvents {
  const { say } = hearer;
  return {
    ...hearer,
    held: (hold) => options.onHold?.(hold),
    holdEnded: (why) => (why === 'expired' ? options.onHoldExpired?.() : options.onHoldReleased?.()),
    bought(labels) {
      const { items = [], leftOut = [] } = sale().state.bought ?? {};
      const names = items.map((item) => itemName(words(), hall(), item));
      const told = words().text('say.bought', { names: words().list(names) });
      const left = leftOut.map((label) => labelName(words(), hall(), label));
      say(left.length > 0 ? `${told} ${leftOutText(words(), left)}` : told);
      options.onBooked?.(labels);
    },
    problem(problem, text) {
      say(text);
      options.onError?.({ ...problem, text });
    },
  };
}
