/** The effects of a sale's events: messages for screen readers, and events for the host. */
import type { MapOptions } from '../options.ts';
import { leftOutText, listText } from '../rules/words.ts';
import type { Sale } from './sale.ts';
import type { SaleEvents } from './sale-state.ts';

type Hearer = Pick<SaleEvents, 'changed' | 'selectionChanged' | 'closed' | 'say'> & { sale(): Sale };

export function saleEvents(options: MapOptions, { sale, ...hearer }: Hearer): SaleEvents {
  const { say } = hearer;
  return {
    ...hearer,
    held: (hold) => options.onHold?.(hold),
    holdEnded: (why) => (why === 'expired' ? options.onHoldExpired?.() : options.onHoldReleased?.()),
    bought(labels) {
      const leftOut = sale().state.bought?.leftOut ?? [];
      say(`Bought: ${listText(labels)}.${leftOut.length > 0 ? ` ${leftOutText(leftOut)}` : ''}`);
      options.onBooked?.(labels);
    },
    problem(problem, text) {
      say(text);
      options.onError?.({ ...problem, text });
    },
  };
}
