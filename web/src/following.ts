/**
 * Keeps an open sale up to date: the statuses by the feed, prices and the state of sales now and then, the hold as time
 * passes. All of it ends by the returned function.
 */
import { keepAsking, whenOnline } from './feed/keep-asking.ts';
import type { Problem } from './messages/problems.ts';
import type { Words } from './messages/words.ts';
import { hasBegun } from './rules/waiting.ts';
import type { OpenedHouse } from './sale/house.ts';
import type { Sale } from './sale/sale.ts';

const TICK_MS = 250;
/** The pause between two checks whether sales are closed, give or take a third. */
const SALE_EVERY_MS = 30_000;

export type Connection = 'opening' | 'live' | 'waiting' | 'ended';

type Setting = {
  sale: Sale;
  words(): Words;
  now(): number;
  say(text: string): void;
  connected(state: Connection): void;
  ended(problem: Problem): void;
  redraw(): void;
  /** The sale has begun. */
  begun(): void;
};

export function followSale({ house, follow, readSale }: OpenedHouse, setting: Setting): () => void {
  const { sale, words, now, say, connected, ended, redraw, begun } = setting;
  let connection: Connection = 'opening';
  const feed = follow({
    connection(state) {
      if (connection === state) return;
      const isBack = state === 'live' && connection === 'waiting';
      connection = state;
      if (isBack) void readSale();
      if (isBack || state === 'waiting') say(words().text(isBack ? 'map.connected' : 'map.connectingAgain'));
      if (state === 'live') sale.connected();
      connected(state);
    },
    ended,
  });
  const ticking = setInterval(() => {
    sale.tick(now());
    // All pages wait for this moment: none asks the server at it.
    if (hasBegun(house.waiting, house.statuses, now())) {
      house.waiting = null;
      begun();
    }
    if (sale.state.hold) redraw();
  }, TICK_MS);
  const endings = [
    feed.stop,
    whenOnline(() => sale.connected()),
    keepAsking(() => void readSale(), SALE_EVERY_MS),
    () => clearInterval(ticking),
  ];
  return () => {
    for (const end of endings) end();
  };
}
