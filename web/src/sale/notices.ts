/** The sale's messages to the buyer. Each is shown beside the map, and spoken once. */
import { heldNames, labelName, takenText, withdrawnText } from '../messages/places.ts';
import { isOutdated, type Problem, problemText } from '../messages/problems.ts';
import type { Words } from '../messages/words.ts';
import type { Hall } from '../rules/hall.ts';
import type { Hold } from '../rules/hold.ts';
import { isWithdrawn, type Selection } from '../rules/selection.ts';
import type { SaleSetting, SaleState } from './sale-state.ts';

type Setting = Pick<SaleSetting, 'words' | 'hall' | 'statuses' | 'lackingOf' | 'events'>;
type Change = Partial<Omit<SaleState, 'notice'>>;

export type Notices = ReturnType<typeof createNotices>;

export function createNotices(setting: Setting, state: SaleState, set: (change: Partial<SaleState>) => void) {
  const { words, hall, statuses, lackingOf, events } = setting;

  const nameOf = (label: string): string => labelName(words(), hall(), label);

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
    if (taken.length > 0) texts.push(takenText(words(), taken.map(nameOf), [...new Set(taken.flatMap(lackingOf))]));
    if (withdrawn.length > 0) texts.push(withdrawnText(words(), withdrawn.map(nameOf)));
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
      const text = problemText(words(), problem, nameOf);
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

/** `held` has the places of the hold. */
export function heldText(
  words: Words,
  { hall, held, hold, now }: { hall: Hall; held: Selection; hold: Hold; now: number },
  isBest: boolean,
): string {
  const time = words.minutes(hold.expiresAt - now);
  if (!isBest) return words.text('say.held', { time });
  return words.text('say.heldBest', { names: words.list(heldNames(words, hall, held)), time });
}

export function stillHeldText(
  words: Words,
  { hall, held, hold, now }: { hall: Hall; held: Selection; hold: Hold; now: number },
): string {
  const names = words.list(heldNames(words, hall, held));
  return words.text('say.stillHeld', { names, time: words.left(hold.expiresAt - now) });
}
