/** The effects of a sale's events: messages for screen readers, and events for the host. */

import { leftOutText } from '../messages/places.ts';
import type { Words } from '../messages/words.ts';
import type { MapOptions } from '../options.ts';
import type { Sale } from './sale.ts';
import type { SaleEvents } from './sale-state.ts';

type Hearer = Pick<SaleEvents, 'changed' | 'selectionChanged' | 'outdated' | 'say'> & {
  sale(): Sale;
  words(): Words;
};

export function saleEvents(options: MapOptions, { sale, words, ...hearer }: Hearer): SaleEvents {
  const { say } = hearer;
  return {
    ...hearer,
    held: (hold) => options.onHold?.(hold),
    holdEnded: (why) => (why === 'expired' ? options.onHoldExpired?.() : options.onHoldReleased?.()),
    bought(labels) {
      const leftOut = sale().state.bought?.leftOut ?? [];
      const told = words().text('say.bought', { names: words().list(labels) });
      say(leftOut.length > 0 ? `${told} ${leftOutText(words(), leftOut)}` : told);
      options.onBooked?.(labels);
    },
    problem(problem, text) {
      say(text);
      options.onError?.({ ...problem, text });
    },
  };
}
