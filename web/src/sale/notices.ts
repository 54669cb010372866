/** The sale's messages to the buyer. Each is shown beside the map, and spoken once. */
import { takenText, withdrawnText } from '../messages/places.ts';
import { isOutdated, type Problem, problemText } from '../messages/problems.ts';
import type { Words } from '../messages/words.ts';
import type { Hold } from '../rules/hold.ts';
import { isWithdrawn } from '../rules/selection.ts';
import type { SaleSetting, SaleState } from './sale-state.ts';

type Setting = Pick<SaleSetting, 'words' | 'hall' | 'statuses' | 'lackingOf' | 'events'>;
type Change = Partial<Omit<SaleState, 'notice'>>;

export type Notices = ReturnType<typeof createNotices>;

export function createNotices(setting: Setting, state: SaleState, set: (change: Partial<SaleState>) => void) {
  const { words, hall, statuses, lackingOf, events } = setting;

  /** `change` goes with the message. */
  function show(kind: 'problem' | 'news', text: string, change: Change = {}): void {
    set({ ...change, notice: { kind, text } });
    events.say(text);
  }

  /** Places of a choice that others have taken, or that the box office has withdrawn. */
  function goneText(gone: readonly string[]): string {
    const withdrawn = gone.filter((label) => isWithdrawn(hall(), statuses(), label));
    const taken = gone.filter((label) => !withdrawn.includes(label));
    const texts: string[] = [];
    if (taken.length > 0) texts.push(takenText(words(), taken, [...new Set(taken.flatMap(lackingOf))]));
    if (withdrawn.length > 0) texts.push(withdrawnText(words(), withdrawn));
    return texts.join(' ');
  }

  /** `key` names the button that gives a fixed hold up. */
  const aboutFixed = (key: 'note.firstHeld' | 'note.fixed') => (): void =>
    show('news', words().text(key, { change: words().text('hold.changePlaces') }));

  return {
    show,
    inform: (text: string) => show('news', text),
    firstHeld: aboutFixed('note.firstHeld'),
    fixed: aboutFixed('note.fixed'),
    gone: (labels: readonly string[], change?: Change) => show('problem', goneText(labels), change),
    refusal(problem: Problem): void {
      const text = problemText(words(), problem);
      set({ notice: { kind: 'problem', text, code: problem.code } });
      if (isOutdated(problem)) events.outdated();
      // The listener speaks it.
      events.problem(problem, text);
    },
    /** The reason of a refusal is over. */
    withdraw(code: string): void {
      if (state.notice?.code === code) set({ notice: null });
    },
  };
}

export function heldText(
  { text, list, minutes }: Words,
  { labels, expiresAt }: Hold,
  now: number,
  isBest: boolean,
): string {
  const time = minutes(expiresAt - now);
  return isBest ? text('say.heldBest', { names: list(labels), time }) : text('say.held', { time });
}

export const stillHeldText = ({ text, list, left }: Words, { labels, expiresAt }: Hold, now: number): string =>
  text('say.stillHeld', { names: list(labels), time: left(expiresAt - now) });
