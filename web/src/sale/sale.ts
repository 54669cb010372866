/**
 * The buyer's selection, and the hold that keeps it: the picker's only state, changed only here.
 *
 * States of the hold: none → holding → held → (extending, releasing, updating by a hold that replaces it) → held or
 * none; after a reload resuming → held or none. Calls are made one after the other (`busy`). Failures: a refusal is
 * shown in words, and removes only seats from the selection that others have taken. Without an answer the outcome is
 * unknown, so nothing changes; the feed or the end of the hold makes the page ask (`resume`). An unanswered hold may
 * exist: before any other hold it is repeated under the same name with the same body, so no seat is ever held twice. A
 * hold that no other can replace is fixed: its selection stays until the hold is booked, released or over.
 */
import { holdExtendsMax } from '@parterre/shared/limits';
import { takenText } from '../messages/places.ts';
import { type Problem, problemText } from '../messages/problems.ts';
import type { Words } from '../messages/words.ts';
import type { Hall } from '../rules/hall.ts';
import { fateOf, type Hold, nameOf, passesWarning } from '../rules/hold.ts';
import * as choose from '../rules/selection.ts';
import type { Statuses } from '../rules/statuses.ts';
import type { Result } from './calls.ts';
import { type Choice, createChoice } from './choice.ts';
import type { Counter, FoundHold, HoldCall } from './counter.ts';
import type { KeptHold } from './kept-hold.ts';
import type { Busy, SaleEvents, SaleState } from './sale-state.ts';

type Setting = {
  counter: Counter;
  hall: () => Hall;
  statuses: () => Statuses;
  kept: KeptHold;
  maxSelection: number;
  words(): Words;
  isClosed(): boolean;
  /** The names of the performances that lack a label which another has free. */
  lackingOf(label: string): string[];
  events: SaleEvents;
};

type Asked = HoldCall & { selection: choose.Selection };

/** The pause between questions about a hold that has ended by the page's clock but not by the server's. */
const ASK_AGAIN_MS = 2_000;

export class Sale {
  readonly state: SaleState = {
    selection: choose.nothing,
    hold: null,
    held: choose.nothing,
    bought: null,
    busy: null,
    notice: null,
  };
  /** The feed's statuses of the hold's labels since it was made. */
  readonly #heard = new Map<string, string>();
  readonly #setting: Setting;
  #unanswered: Asked | null = null;
  #remainingBefore = Infinity;
  #askedAt = 0;
  #wasClosed: boolean | null = null;

  readonly choice: Choice;

  constructor(setting: Setting) {
    this.#setting = setting;
    const { hall, statuses, maxSelection, isClosed } = setting;
    this.choice = createChoice({
      ...{ hall, statuses, maxSelection, isClosed },
      isFixed: () => this.isFixed,
      own: () => this.#own(),
      selection: () => this.state.selection,
      select: (selection) => this.#set({ selection, notice: null, bought: null }),
      refuseChange: () => void this.#refuseChange(),
      refuse: (problem) => this.#tell(problem),
    });
  }

  /** The connection is back: the notice about it is out of date. */
  connected(): void {
    this.#unsay('no_answer');
  }

  /** Called after the prices and the state of sales were read. */
  checkOpen(): void {
    const { isClosed, events } = this.#setting;
    const [was, is] = [this.#wasClosed, isClosed()];
    this.#wasClosed = is;
    if (was !== is && (is || was)) events.say(this.#words.text(is ? 'say.closed' : 'say.open'));
    if (!is) this.#unsay('event_closed');
    events.changed();
  }

  /** Holds the selection, in place of the present hold. */
  async hold(): Promise<boolean> {
    const wanted = this.state.selection;
    if (wanted.size === 0) return false;
    const before = this.#unanswered;
    if (before && choose.sameSelection(before.selection, wanted)) return this.#ask(before);
    const { counter, hall } = this.#setting;
    if (this.isFixed) return this.#refuseChange();
    if (before && !counter.replaces) return this.#holdFirst(before);
    // The outcome of the earlier hold must be known first: the new hold then replaces it.
    if (before && !(await this.#ask(before, wanted))) return false;
    const { hold } = this.state;
    const replaces = hold ? nameOf(hold) : null;
    const asked = { key: counter.newKey(), wanted: choose.wantedOf(hall(), wanted), replaces };
    return this.#ask({ ...asked, selection: wanted });
  }

  /** A fixed hold of the earlier choice may exist: the buyer decides about this hold before any other. */
  async #holdFirst(before: Asked): Promise<boolean> {
    const isHeld = await this.#ask(before);
    if (isHeld) this.inform(this.#toldChange('note.firstHeld'));
    return isHeld;
  }

  async extend(): Promise<boolean> {
    const { counter, events, kept } = this.#setting;
    const { hold } = this.state;
    if (!hold) return false;
    const name = nameOf(hold);
    return this.#during(
      'extend',
      () => counter.extend(name),
      ({ expiresAt, extends: times = hold.extends + 1, isBooked }) => {
        if (isBooked) return this.#endBooked(hold);
        this.#remainingBefore = Infinity;
        kept.set(name, times);
        this.#set({ hold: { ...hold, expiresAt, extends: times } });
        events.say(this.#words.text('say.extended', { time: this.#words.minutes(expiresAt - Date.now()) }));
      },
    );
  }

  release(): Promise<boolean> {
    return this.#release(choose.nothing, this.#words.text('note.released'));
  }

  /** Gives a fixed hold up, and keeps its places chosen. */
  change(): Promise<boolean> {
    return this.#release(this.state.selection, this.#words.text('note.releasedToChange'));
  }

  async #release(selection: choose.Selection, text: string): Promise<boolean> {
    const { hold } = this.state;
    if (!hold) return false;
    const call = () => this.#setting.counter.release(nameOf(hold));
    return this.#during('release', call, (booked) => {
      if (booked) this.#endBooked(booked);
      else this.#endHold('released', text, selection);
    });
  }

  /** After a reload: resumes this tab's hold. */
  async resumeStored(): Promise<void> {
    const stored = this.#setting.kept.get();
    if (!stored || !(await this.#resume(stored.holdId, stored.extends))) return;
    const { hold } = this.state;
    if (!hold) return;
    const { text, list, left } = this.#words;
    const told = { names: list(hold.labels), time: left(hold.expiresAt - Date.now()) };
    this.#setting.events.say(text('say.stillHeld', told));
  }

  /** The feed's statuses of labels; undefined for a label without one. */
  heard(statusOf: (label: string) => string | undefined): void {
    for (const label of this.#own()) {
      const status = statusOf(label);
      if (status !== undefined) this.#heard.set(label, status);
    }
    this.#dropLost();
    this.#judge();
  }

  /** Called as time passes: warns before a hold ends, and asks the server when it has ended. */
  tick(now: number): void {
    const { hold, busy } = this.state;
    if (!hold || busy) return;
    const remaining = hold.expiresAt - now;
    if (passesWarning(this.#remainingBefore, remaining))
      this.#setting.events.say(this.#words.text('say.left', { time: this.#words.left(remaining) }));
    this.#remainingBefore = remaining;
    if (remaining > 0 || now - this.#askedAt < ASK_AGAIN_MS) return;
    this.#askedAt = now;
    void this.#find(hold);
  }

  /** The present hold can only be given up or bought as it is. */
  get isFixed(): boolean {
    return this.state.hold !== null && !this.#setting.counter.replaces;
  }

  #refuseChange(): false {
    this.inform(this.#toldChange('note.fixed'));
    this.#setting.events.say(this.state.notice!.text);
    return false;
  }

  get #words(): Words {
    return this.#setting.words();
  }

  #toldChange(key: 'note.firstHeld' | 'note.fixed'): string {
    const { text } = this.#words;
    return text(key, { change: text('hold.changePlaces') });
  }

  /** Shows a text about the map beside it. */
  inform(text: string): void {
    this.#set({ notice: { kind: 'news', text } });
  }

  #unsay(code: string): void {
    if (this.state.notice?.code === code) this.#set({ notice: null });
  }

  /** The seats of this page's hold, possibly unanswered. */
  #own(): ReadonlySet<string> {
    return new Set([...(this.state.hold?.labels ?? []), ...(this.#unanswered?.selection.keys() ?? [])]);
  }

  #set(change: Partial<SaleState>): void {
    const { selection } = this.state;
    Object.assign(this.state, change);
    if (this.state.selection !== selection) this.#setting.events.selectionChanged();
    this.#setting.events.changed();
  }

  #tell(problem: Problem): void {
    const text = problemText(this.#words, problem);
    this.#set({ notice: { kind: 'problem', text, code: problem.code } });
    if (problem.code === 'event_closed') this.#setting.events.closed();
    this.#setting.events.problem(problem, text);
  }

  async #during<T>(busy: Busy, call: () => Promise<Result<T>>, done: (value: T) => void): Promise<boolean> {
    if (this.state.busy) return false;
    this.#set({ busy, notice: null });
    const answer = await call();
    this.state.busy = null;
    if (answer.ok) done(answer.value);
    else this.#refused(busy, answer.problem);
    this.#dropLost();
    this.#judge();
    this.#setting.events.changed();
    return answer.ok;
  }

  #refused(busy: Busy, problem: Problem): void {
    const { code, reason } = problem;
    const isGone = code === 'hold_not_found' || (code === 'cannot_extend' && reason !== 'extend_limit');
    if (this.state.hold && isGone) {
      this.#endHold('expired', this.#words.text('note.timeUp'));
      return;
    }
    if (busy === 'resume' && isGone) {
      this.#forget();
      return;
    }
    if (this.state.hold && reason === 'extend_limit')
      this.#set({ hold: { ...this.state.hold, extends: holdExtendsMax } });
    let { selection } = this.state;
    const own = this.#own();
    for (const { label } of problem.conflicts ?? []) if (!own.has(label)) selection = choose.without(selection, label);
    this.#set({ selection });
    this.#tell(problem);
    // The call may have been carried out: the hold's state shows it.
    if (problem.outcome === 'unknown' && this.state.hold && busy !== 'resume') void this.#find(this.state.hold);
  }

  #keep(value: FoundHold, held: choose.Selection, selection = held): void {
    const { kept, events } = this.#setting;
    this.#heard.clear();
    this.#remainingBefore = Infinity;
    const hold = { ...value, extends: value.extends ?? 0 };
    kept.set(nameOf(hold), hold.extends);
    this.#set({ hold, selection, held, bought: null });
    events.held(hold);
  }

  #forget(): void {
    this.#setting.kept.drop();
    this.#set({ hold: null, held: choose.nothing });
  }

  #endHold(why: 'expired' | 'released', text: string, selection: choose.Selection = choose.nothing): void {
    const { events } = this.#setting;
    this.#forget();
    this.#set({ selection, notice: { kind: why === 'expired' ? 'problem' : 'news', text } });
    events.say(text);
    events.holdEnded(why);
  }

  /** Removes seats from the selection that others have taken. During a call the new holder is still unknown. */
  #dropLost(): void {
    if (this.state.busy) return;
    const lost = choose.lostOf(this.state.selection, this.#setting.statuses(), this.#own());
    if (lost.length === 0) return;
    let { selection } = this.state;
    for (const label of lost) selection = choose.without(selection, label);
    const text = takenText(this.#words, lost, [...new Set(lost.flatMap(this.#setting.lackingOf))]);
    this.#set({ selection, notice: { kind: 'problem', text } });
    this.#setting.events.say(text);
  }

  /** Draws the conclusions of the feed about this page's hold. */
  #judge(): void {
    const { hold, busy } = this.state;
    if (!hold || busy) return;
    const fate = fateOf(hold, (label) => this.#heard.get(label), this.#setting.counter.hearsAll);
    if (fate === 'bought') this.#endBooked(hold);
    else if (fate === 'ask') {
      this.#heard.clear();
      void this.#find(hold);
    }
  }

  #endBooked({ items, labels }: Pick<FoundHold, 'items' | 'labels'>): void {
    const leftOut = choose.notHeld(this.state.selection, this.state.held).map(({ label }) => label);
    this.#forget();
    this.#set({ selection: choose.nothing, notice: null, bought: { items, leftOut } });
    this.#setting.events.bought(labels);
  }

  /** `shown` stays selected when the hold succeeds. */
  #ask(asked: Asked, shown = asked.selection): Promise<boolean> {
    const { counter, events, kept } = this.#setting;
    const { replaces, selection } = asked;
    // A hold that this page names is found again after a reload, with or without an answer.
    if (counter.namesHolds && !this.state.busy) kept.set(asked.key, 0);
    const call = async () => {
      this.#unanswered = asked;
      const answer = await counter.hold(asked);
      if (!answer.ok && (answer.status === 0 || answer.status >= 500)) return answer;
      this.#unanswered = null;
      if (!answer.ok && counter.namesHolds) kept.drop();
      return answer;
    };
    return this.#during('hold', call, (value) => {
      if (value.isBooked) return this.#endBooked(value);
      // A hold in place of another has the other's renewals.
      const times = replaces === null ? 0 : this.state.hold?.extends;
      this.#keep({ ...value, extends: times ?? 0 }, selection, shown);
      events.say(this.#words.text('say.held', { time: this.#words.minutes(value.expiresAt - Date.now()) }));
    });
  }

  /** Reads the state of this page's hold, which a hold with a lost answer may have replaced. */
  #find(hold: Hold): Promise<boolean> {
    return this.#unanswered ? this.#ask(this.#unanswered, this.state.selection) : this.#resume(nameOf(hold));
  }

  #resume(name: string, known = 0): Promise<boolean> {
    const { counter, hall } = this.#setting;
    const call = () => counter.resume(name);
    return this.#during('resume', call, (value) => {
      if (value.isBooked) return this.#endBooked(value);
      const times = this.state.hold?.extends ?? known;
      this.#keep({ ...value, extends: times }, choose.selectionOf(hall(), value.items));
    });
  }
}
