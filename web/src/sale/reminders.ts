/**
 * Spoken reminders: as the time of a hold passes, with questions to the server once it is over, and when sales close or
 * open.
 */
import type { Words } from '../messages/words.ts';
import { passesWarning } from '../rules/hold.ts';

/** The pause between questions about a hold that has ended by the page's clock but not by the server's. */
const ASK_AGAIN_MS = 2_000;

type Listener = { words(): Words; say(text: string): void; isOver(): void };

export function createReminders({ words, say, isOver }: Listener) {
  let before = Infinity;
  let askedAt = -Infinity;
  let wasClosed: boolean | null = null;
  return {
    /** The hold is new, or has more time. */
    restart(): void {
      before = Infinity;
    },
    openOrClosed(isClosed: boolean): void {
      if (wasClosed !== isClosed && (isClosed || wasClosed)) say(words().text(isClosed ? 'say.closed' : 'say.open'));
      wasClosed = isClosed;
    },
    tick(now: number, expiresAt: number): void {
      const remaining = expiresAt - now;
      const warns = passesWarning(before, remaining);
      before = remaining;
      if (warns) say(words().text('say.left', { time: words().left(remaining) }));
      if (remaining > 0 || now - askedAt < ASK_AGAIN_MS) return;
      askedAt = now;
      isOver();
    },
  };
}
