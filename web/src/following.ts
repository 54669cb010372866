/**
 * Keeps an open sale up to date: the statuses by the feed, prices and the state of sales now and then, the hold as time
 * passes. All of it ends by the returned function.
 */
import { keepAsking, whenOnline } from './feed/keep-asking.ts';
import type { Problem } from './messages/problems.ts';
import type { Words } from './messages/words.ts';
import { passesWarning } from './rules/hold.ts';
import { areCompanionsReleased, countdownTo, hasBegun, hasEnded, OPENING_MARKS_MS } from './rules/waiting.ts';
import type { House, OpenedHouse } from './sale/house.ts';
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
  /** The sale has begun or ended, or companions' places have become places for all. */
  turned(): void;
};

export function followSale({ house, follow, readSale }: OpenedHouse, setting: Setting): () => void {
  const { sale, words, now, say, connected, ended, redraw, turned } = setting;
  const isSecondOver = createCountdown(setting);
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
    const time = now();
    sale.tick(time);
    // All pages wait for these moments: none asks the server at them.
    if (hasBegun(house.waiting, house.statuses, time)) {
      house.waiting = null;
      turned();
    } else if (hasEnded(house.waiting, house.salesEndAt, time)) {
      house.waiting = { reason: 'sales_ended', opensAt: null };
      turned();
    }
    const areReleased = areCompanionsReleased(house.companionsUntil, time);
    if (house.statuses.areCompanionsReleased !== areReleased) {
      house.statuses.areCompanionsReleased = areReleased;
      turned();
    }
    if (isSecondOver(house, time) || sale.state.hold) redraw();
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

/** Speaks the time until the sale begins at few marks. The function tells whether the shown seconds have changed. */
function createCountdown({ say, words }: Pick<Setting, 'say' | 'words'>) {
  let before = Number.POSITIVE_INFINITY;
  return ({ waiting }: House, now: number): boolean => {
    const left = countdownTo(waiting, now) ?? Number.POSITIVE_INFINITY;
    if (passesWarning(before, left, OPENING_MARKS_MS)) say(words().text('say.begins', { time: words().left(left) }));
    const isOver = Math.ceil(left / 1000) !== Math.ceil(before / 1000);
    before = left;
    return isOver;
  };
}
