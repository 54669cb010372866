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

import { holdExtendsMax } from '@parterre/shared/protocol/page-limits';
import type { Problem } from '../messages/problems.ts';
import type { Words } from '../messages/words.ts';
import type { BestWanted } from '../rules/best.ts';
import { endOf, type Hold, isInDoubt, nameOf, passesWarning } from '../rules/hold.ts';
import * as choose from '../rules/selection.ts';
import type { Result } from './calls.ts';
import { type Choice, createChoice } from './choice.ts';
import type { FoundHold, HoldCall } from './counter.ts';
import { createNotices, heldText, type Notices, stillHeldText } from './notices.ts';
import type { Busy, SaleSetting, SaleState } from './sale-state.ts';

type HoldAttempt = HoldCall & { selection: choose.Selection };

export class Sale {
  readonly state: SaleState = {
    selection: choose.nothing,
    hold: null,
    held: choose.nothing,
    bought: null,
    busy: null,
    notice: null,
    quote: null,
    lost: null,
  };
  /** The feed's statuses of the hold's labels since it was made. */
  readonly #heard = new Map<string, string>();
  readonly #setting: SaleSetting;
  #unanswered: HoldAttempt | null = null;
  #repeated: HoldAttempt | null = null;
  readonly #reminders = createReminders({
    words: () => this.#words,
    say: (text) => this.#setting.events.say(text),
    isOver: () => void this.#find(this.state.hold!),
  });
  readonly notices: Notices;
  readonly choice: Choice;
  constructor(setting: SaleSetting) {
    this.#setting = setting;
    this.notices = createNotices(setting, this.state, (change) => this.#set(change));
    const { hall, statuses, maxSelection, isClosed, isAwaited } = setting;
    this.choice = createChoice({
      hall,
      statuses,
      maxSelection,
      isClosed,
      isAwaited,
      isFixed: () => this.isFixed,
      own: () => this.#own(),
      selection: () => this.state.selection,
      held: () => this.state.held,
      rules: setting.rules,
      select: (selection) => this.#set({ selection, notice: null, bought: null, quote: null }),
      refuseChange: () => this.notices.fixed(),
      refuse: (problem) => this.notices.refusal(problem),
      tellGone: (labels) => this.notices.gone(labels),
    });
  }

  /** The chart has changed: the same labels have other places on it. The next statuses tell which are gone. */
  rebuilt(): void {
    const now = this.#setting.hall();
    const { selection, held, lost } = this.state;
    this.choice.moveTo(now);
    if (this.#unanswered) this.#unanswered.selection = choose.movedTo(now, this.#unanswered.selection);
    const moved = { selection: choose.movedTo(now, selection), held: choose.movedTo(now, held) };
    // No event for the host: the choice is the same.
    Object.assign(this.state, moved, { lost: lost && choose.movedTo(now, lost) });
  }

  /** Called after the prices and the state of sales were read, and when the map turns stale or fresh. */
  checkOpen(): void {
    const { isClosed, isAwaited, statuses, events } = this.#setting;
    const closed = statuses().isStale ? 'refused.stale' : isAwaited?.() ? 'waiting.not_started' : 'say.closed';
    this.#reminders.openOrClosed(isClosed() ? closed : null);
    if (!isClosed()) for (const code of closings) this.notices.withdraw(code);
    events.changed();
  }

  /** Holds the selection, in place of the present hold. */
  async hold(): Promise<boolean> {
    const wanted = this.state.selection;
    if (wanted.size === 0) return false;
    const before = this.#unanswered;
    if (before && choose.sameSelection(before.selection, wanted)) return this.#ask(before);
    const { counter, hall, total } = this.#setting;
    if (this.isFixed) {
      this.notices.fixed();
      return false;
    }
    // A fixed hold of the earlier choice may exist: the buyer decides about this hold before any other.
    if (before && (before.best || !counter.replaces)) return this.#ask(before);
    // The outcome of the earlier hold must be known first: the new hold then replaces it.
    if (before) return (await this.#ask(before)) && this.hold();
    const replaces = this.state.hold && nameOf(this.state.hold);
    const asked = { key: counter.newKey(), wanted: choose.wantedOf(hall(), wanted), replaces };
    return this.#ask({ ...asked, expectedTotal: total(), selection: wanted });
  }

  /** Holds the best free seats, beside the selection, which stays to be held. Only without a hold. */
  async holdBest(best: BestWanted): Promise<boolean> {
    if (this.state.hold || this.state.busy) return false;
    if (this.#unanswered) return this.#ask(this.#unanswered);
    const { counter, hall, statuses } = this.#setting;
    const wanted = counter.chooseBest ? await counter.chooseBest(best, hall(), statuses()) : [];
    if (wanted === null) this.notices.refusal({ code: 'conflict', ofBest: true });
    if (wanted === null || this.state.hold || this.#unanswered) return false;
    const asked = { key: counter.newKey(), wanted, replaces: null, best };
    return this.#ask({ ...asked, selection: choose.nothing });
  }

  /** Choices of the best free places, the best first; nothing is held. Empty if the server refused, which is told. */
  async alternatives(best: BestWanted, count: number): Promise<choose.Selection[]> {
    if (this.state.hold || this.state.busy || this.#unanswered) return [];
    const { counter, hall, statuses } = this.#setting;
    const found = await counter.alternatives(best, count, hall(), statuses());
    if (!found.ok) this.notices.refusal(found.problem);
    return found.ok && this.state.hold === null ? found.value : [];
  }

  forgetLost(): void {
    this.#set({ lost: null });
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
        this.#reminders.restart();
        kept.set(name, times);
        this.#set({ hold: { ...hold, expiresAt, extends: times } });
        events.say(this.#words.text('say.extended', { time: this.#words.minutes(expiresAt - this.#setting.now()) }));
      },
    );
  }

  /** The buyer may take the release back, as long as the places are free. */
  release(): Promise<boolean> {
    return this.#release(null, this.#words.text('note.released'));
  }

  /** Gives a fixed hold up, and keeps its places chosen. */
  change(): Promise<boolean> {
    return this.#release(() => this.state.selection, this.#words.text('note.releasedToChange'));
  }

  /** `chosen` is the choice that stays; null for the places that were not held, and a way back to the others. */
  async #release(chosen: (() => choose.Selection) | null, text: string): Promise<boolean> {
    const { hold } = this.state;
    if (!hold) return false;
    const call = () => this.#setting.counter.release(nameOf(hold));
    return this.#during('release', call, (booked) => {
      if (booked) this.#endBooked(booked);
      else this.#endHold('released', text, { chosen: chosen?.() ?? null, hasWayBack: chosen === null });
    });
  }

  /** After a reload: resumes this tab's hold. */
  async resumeStored(): Promise<void> {
    const stored = this.#setting.kept.get();
    if (!stored || !(await this.#resume(stored.holdId, stored.extends))) return;
    const { hold } = this.state;
    if (!hold) return;
    this.#setting.events.say(stillHeldText(this.#words, this.#heldNow(hold)));
  }

  /** The connection is back. A hold that got no answer waits for the buyer, who hears so. */
  connected(): void {
    const { notice, hold } = this.state;
    if (notice?.code !== 'no_answer') return;
    if (this.#unanswered === null) {
      this.notices.withdraw('no_answer');
      return;
    }
    const count = choose.thingsIn(this.#unanswered.selection);
    const words = this.#words;
    const name = this.#unanswered.best ? words.text('finder.find') : words.text('hold.do', { count });
    this.notices.inform(words.text('note.pressAgain', { button: hold ? words.text('hold.change') : name }));
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
    this.#reminders.tick(now, hold.expiresAt);
  }

  /** There is no hold that the best seats would have to replace. */
  get canFind(): boolean {
    return this.state.hold === null;
  }

  /** The present hold can only be given up or bought as it is. */
  get isFixed(): boolean {
    return this.state.hold !== null && !this.#setting.counter.replaces;
  }

  get #words(): Words {
    return this.#setting.words();
  }

  /** The places of this page's hold, possibly unanswered. */
  #own(): ReadonlySet<string> {
    const { hold, held } = this.state;
    return new Set([...(hold?.labels ?? []), ...held.keys(), ...(this.#unanswered?.selection.keys() ?? [])]);
  }

  #heldNow(hold: Hold) {
    return { hall: this.#setting.hall(), held: this.state.held, hold, now: this.#setting.now() };
  }

  #set(change: Partial<SaleState>): void {
    const { selection } = this.state;
    Object.assign(this.state, change);
    if (this.state.selection !== selection) this.#setting.events.selectionChanged();
    this.#setting.events.changed();
  }

  async #during<T>(busy: Busy, call: () => Promise<Result<T>>, done: (value: T) => void): Promise<boolean> {
    if (this.state.busy) return false;
    // A hold is also read again after a refusal, which then stays in sight.
    this.#set({ busy, notice: busy === 'resume' ? this.state.notice : null });
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
    const end = endOf(problem);
    if (this.state.hold && end) {
      if (end === 'booked') this.#endBooked(this.state.hold);
      else if (end === 'released')
        this.#endHold('released', this.#words.text('note.releasedElsewhere'), { chosen: null, hasWayBack: false });
      else this.#endHold('expired', this.#words.text('note.timeUp'), { chosen: null, hasWayBack: true });
      return;
    }
    if (busy === 'resume' && end) {
      this.#forget();
      return;
    }
    if (this.state.hold && problem.reason === 'extend_limit')
      this.#set({ hold: { ...this.state.hold, extends: holdExtendsMax } });
    let { selection, lost } = this.state;
    const own = this.#own();
    for (const { label } of problem.conflicts ?? []) {
      if (own.has(label)) continue;
      selection = choose.without(selection, label);
      lost = lost && choose.without(lost, label);
    }
    const quote = problem.code === 'price_changed' ? (problem.items ?? null) : null;
    this.#set({ selection, quote, lost: lost && lost.size > 0 ? lost : null });
    this.notices.refusal(problem);
    // The call may have been carried out: the hold's state shows it. A hold asked twice in vain waits for the buyer.
    const isSecond = this.#unanswered !== null && this.#unanswered === this.#repeated;
    this.#repeated = this.#unanswered;
    const mayBeDone = problem.outcome === 'unknown' && busy !== 'resume' && !isSecond;
    if (mayBeDone && this.state.hold) void this.#find(this.state.hold);
  }

  #keep(value: FoundHold, held: choose.Selection, selection: choose.Selection, quote = this.state.quote): void {
    const { counter, kept, events } = this.#setting;
    this.#heard.clear();
    this.#reminders.restart();
    const hold = { ...value, extends: value.extends ?? 0 };
    kept.set(nameOf(hold), hold.extends);
    const isWhole = choose.sameSelection(selection, held);
    if (isWhole) this.choice.forgetRemoved();
    const mayDiffer = isWhole || counter.replaces;
    this.#set({ hold, selection: mayDiffer ? selection : held, held, bought: null, quote, lost: null });
    events.held(hold);
    if (!mayDiffer) this.notices.firstHeld();
  }

  #forget(): void {
    this.choice.forgetRemoved();
    this.#setting.kept.drop();
    this.#set({ hold: null, held: choose.nothing });
  }

  /** Without `chosen`, the places that were not held yet stay chosen. The held ones may have a way back. */
  #endHold(
    why: 'expired' | 'released',
    text: string,
    { chosen, hasWayBack }: { chosen: choose.Selection | null; hasWayBack: boolean },
  ): void {
    const { held, selection: all } = this.state;
    this.#forget();
    const part = (isHeld: boolean) => new Map([...all].filter(([label]) => held.has(label) === isHeld));
    const selection = chosen ?? part(false);
    const ours = part(true);
    const lost = hasWayBack && ours.size > 0 ? ours : null;
    this.notices.show(why === 'expired' ? 'problem' : 'news', text, { selection, lost });
    this.#setting.events.holdEnded(why);
  }

  /**
   * Removes places from the selection that others have taken. During a call the new holder is still unknown. The end of
   * a hold may be missing on the map: the server tells whether its places are free.
   */
  #dropLost(): void {
    const { selection, busy, lost } = this.state;
    const { hall, statuses } = this.#setting;
    if (busy || statuses().version === 0) return;
    const own = new Set([...this.#own(), ...(lost?.keys() ?? [])]);
    const gone = choose.lostOf(hall(), selection, statuses(), own);
    if (gone.length === 0) return;
    this.notices.gone(gone, { selection: gone.reduce(choose.without, selection), quote: null });
  }

  /** Asks about a hold whose places are no longer held: the shop has booked them, or they are given up. */
  #judge(): void {
    const { hold, busy } = this.state;
    if (!hold || busy || !isInDoubt(hold, (label) => this.#heard.get(label))) return;
    this.#heard.clear();
    void this.#find(hold);
  }

  #endBooked({ items, labels }: Pick<FoundHold, 'items' | 'labels'>): void {
    const leftOut = choose.notHeld(this.state.selection, this.state.held).map(({ label }) => label);
    this.#forget();
    this.#set({ selection: choose.nothing, notice: null, bought: { items, leftOut } });
    this.#setting.events.bought(labels);
  }

  #ask(asked: HoldAttempt): Promise<boolean> {
    const { counter, events, kept } = this.#setting;
    // A hold that this page names is found again after a reload, with or without an answer.
    if (counter.namesHolds && !this.state.busy) kept.set(asked.key, 0);
    const call = async () => {
      this.#unanswered = asked;
      const answer = await this.#holdFromStart(asked);
      if (!answer.ok && (answer.status === 0 || answer.status >= 500)) return answer;
      this.#unanswered = null;
      if (!answer.ok && counter.namesHolds) kept.drop();
      return answer;
    };
    return this.#during('hold', call, (value) => {
      if (value.isBooked) return this.#endBooked(value);
      // A hold in place of another has the other's renewals.
      const times = asked.replaces === null ? 0 : this.state.hold?.extends;
      const held = asked.best ? choose.selectionOf(this.#setting.hall(), value.items) : asked.selection;
      // The buyer may have chosen on during the call.
      const all = asked.best ? new Map([...this.state.selection, ...held]) : this.state.selection;
      this.#keep({ ...value, extends: times ?? 0 }, held, all, null);
      events.say(heldText(this.#words, this.#heldNow(this.state.hold!), asked.best !== undefined));
    });
  }

  /** A page's clock may be ahead by a moment. A hold that comes just before the start is sent again at the start. */
  async #holdFromStart(asked: HoldAttempt): Promise<Result<FoundHold>> {
    const { counter, now } = this.#setting;
    let answer = await counter.hold(asked);
    for (let tries = 1; tries < START_TRIES_MAX && !answer.ok; tries++) {
      const { code, opensAt = Number.POSITIVE_INFINITY } = answer.problem;
      const waitMs = Math.max(opensAt - now(), 0) + START_PAUSE_MS;
      if (code !== 'sales_not_started' || waitMs > START_WAIT_MS_MAX) return answer;
      await new Promise((resolve) => setTimeout(resolve, waitMs));
      answer = await counter.hold(asked);
    }
    return answer;
  }

  /** Reads the state of this page's hold, which a hold with a lost answer may have replaced. */
  #find(hold: Hold): Promise<boolean> {
    return this.#unanswered ? this.#ask(this.#unanswered) : this.#resume(nameOf(hold));
  }

  #resume(name: string, known = 0): Promise<boolean> {
    const { counter, hall } = this.#setting;
    const call = () => counter.resume(name);
    return this.#during('resume', call, (value) => {
      if (value.isBooked) return this.#endBooked(value);
      const { hold, held: before, selection } = this.state;
      const held = choose.selectionOf(hall(), value.items);
      this.#keep({ ...value, extends: hold?.extends ?? known }, held, choose.besideHold(selection, before, held));
    });
  }
}

type Listener = { words(): Words; say(text: string): void; isOver(): void };
/** The text that tells why nothing is sold. */
type Closed = 'say.closed' | 'refused.stale' | 'waiting.not_started';

/** Refusals whose reason is over once the sale is open. */
const closings = ['event_closed', 'journal_lost_records', 'sales_not_started', 'sales_ended'];

/** Of a hold that comes before the start by the server's clock. */
const START_TRIES_MAX = 3;
const START_WAIT_MS_MAX = 2_000;
const START_PAUSE_MS = 100;

/** The pause between questions about a hold that has ended by the page's clock but not by the server's. */
const ASK_AGAIN_MS = 2_000;

/**
 * Spoken reminders: as the time of a hold passes, with questions to the server once it is over, and when sales close or
 * open.
 */
function createReminders({ words, say, isOver }: Listener) {
  let before = Infinity;
  let askedAt = -Infinity;
  let closedBefore: Closed | null = null;
  return {
    /** The hold is new, or has more time. */
    restart(): void {
      before = Infinity;
    },
    openOrClosed(closed: Closed | null): void {
      const opened = closedBefore === 'waiting.not_started' ? 'say.begun' : 'say.open';
      if (closed !== closedBefore) say(words().text(closed ?? opened));
      closedBefore = closed;
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
