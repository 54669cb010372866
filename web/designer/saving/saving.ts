/**
 * Keeps the chart on the server as it is on the page. Every edit is kept in this browser at once (drafts.ts), and saved
 * after a pause (session/pace.ts) over the state that it was made from (`expectedUpdatedAt`). One save is under way at
 * a time.
 *
 * States:
 * - saved: the server has the page's document.
 * - dirty: it has not. A save begins after a pause.
 * - saving: a save is under way, or theirs are fetched after a stale one. Edits go on, and are saved next.
 * - offline: the last request had no answer, or an answer that passes by itself. The same save is repeated under its
 *   Idempotency-Key, after growing pauses and when the browser has a network again.
 * - conflict: another side changed the same things: a person, or a draft that this browser kept. The page has both
 *   sides' changes. Where both changed one thing, it has the page's own form until a person chooses. Nothing is under
 *   way, and nothing is saved before.
 * - refused: the server refuses this document, and the next edit tries again. Or another person's version is too large
 *   for the page: looks go on, until somebody saves a version that fits.
 * - ended: the session has ended. Nothing is sent until the platform gives a fresh token.
 *
 * A look for changes of others is no state (session/theirs.ts). A save does not wait for it, and its answer is dropped
 * then. A kept draft that fits is part of the page at once. A kept draft that conflicts with the page waits until no
 * save and no look is under way.
 *
 * Failure at each await:
 * - a save (`#send`): without an answer its outcome is unknown, so this save is repeated before any other, also by a
 *   later session. The server answers a repetition with the marker of the first run. If the page ends meanwhile, the
 *   draft is still in this browser with the state that it was made from. The next page merges it with the server's
 *   document: a save that had arrived is then no change.
 * - theirs (`#fetchTheirs`): without an answer the page stays as it was, offline, and the save begins anew. Edits that
 *   come meanwhile are part of mine: the merge itself does not wait.
 * - a draft (drafts.ts): if the browser keeps none, the page says so, and asks before it is closed.
 * - the page has taken a kept draft over into its own draft (`draft.safe`): the browser forgets the kept draft as soon
 *   as it has written the page's own draft. A browser that cannot write forgets the kept draft when the server has the
 *   changes. A page that ends earlier leaves both drafts, and the next page offers those
 *   whose changes the chart lacks.
 */

import type { ChartDocument } from '@parterre/shared/charts/document';
import { isSame } from '../document/fields.ts';
import { mergeDocuments } from '../document/merge.ts';
import {
  type Failure,
  isTransient,
  type OpenChart,
  type Problem,
  type SaveBody,
  type SaveNote,
} from '../session/calls.ts';
import { Pace } from '../session/pace.ts';
import type { SavingPorts } from '../session/saving-ports.ts';
import { Theirs } from '../session/theirs.ts';
import { type Choice, Conflicts, type OpenConflict } from './conflicts.ts';
import type { Base } from './drafts.ts';
import { type News, NewsDesk } from './news.ts';

export type SavingState = 'saved' | 'dirty' | 'saving' | 'offline' | 'conflict' | 'refused' | 'ended';

/**
 * One save. It is sent again under its key until its outcome is known.
 *
 * `isUnknown`: it was sent, and nobody answered.
 */
type Attempt = { readonly body: SaveBody; readonly key: string; isUnknown: boolean };

export class Saving {
  readonly #ports: SavingPorts;
  readonly #pace: Pace;
  #base: Base;
  #state: SavingState = 'saved';
  #attempt: Attempt | null = null;
  /** A save is under way, or the fetch of theirs after it. */
  #isBusy = false;
  readonly #theirs: Theirs;
  #problem: Problem | null = null;
  readonly #news: NewsDesk;
  readonly #conflicts = new Conflicts();
  /** The page takes over a document of `replace`: no edit of a person. */
  #isTaking = false;
  /** Drafts that wait until nothing is under way. */
  #drafts: { base: Base; document: ChartDocument; whenSafe: () => void }[] = [];
  #waiting: ((isSaved: boolean) => void)[] = [];

  /** `saves`: the last saves of the chart, as it was opened. */
  constructor(ports: SavingPorts, base: Base, saves: readonly SaveNote[] = []) {
    this.#news = new NewsDesk(saves);
    this.#ports = ports;
    this.#pace = new Pace(ports, () => this.#go());
    this.#theirs = new Theirs(ports);
    this.#base = base;
  }

  get state(): SavingState {
    return this.#state;
  }

  get base(): Base {
    return this.#base;
  }

  /** The last refusal, in the states `refused` and `ended`. */
  get problem(): Problem | null {
    return this.#problem;
  }

  /** What other people changed since a person last dismissed it. */
  get news(): News {
    return this.#news.unread;
  }

  get conflicts(): readonly OpenConflict[] {
    return this.#conflicts.list;
  }

  /** True while the browser keeps the changes that the server lacks. */
  get isKept(): boolean {
    return this.#ports.draft.isKept;
  }

  /** The page's document has changed. */
  edited(): void {
    if (this.#isTaking) return;
    const isOpen = this.#isUnderWay() || this.#conflicts.areOpen;
    if (!this.#isBehind() && !isOpen) {
      this.#settle();
      return;
    }
    this.#ports.draft.keep({ base: this.#base, document: this.#ports.document() });
    if (isOpen || this.#state === 'ended') return;
    this.#become('dirty');
    this.#pace.edited();
  }

  /** Saves now. Resolves with true once the server has the page's document; with false where it cannot. */
  save(): Promise<boolean> {
    if (this.#state === 'saved') return Promise.resolve(true);
    if (this.#state === 'conflict' || this.#state === 'ended') return Promise.resolve(false);
    const saved = new Promise<boolean>((resolve) => this.#waiting.push(resolve));
    this.#go();
    return saved;
  }

  /** Asks whether somebody else has saved. */
  async look(): Promise<void> {
    const isRefused = this.#state === 'refused' && this.#problem === this.#theirs.problem;
    const isOpen = this.#state === 'saved' || this.#state === 'dirty' || isRefused;
    if (this.#theirs.isLooking || this.#isBusy || !isOpen) return;
    const answer = await this.#theirs.look(this.#base.updatedAt);
    if (answer?.ok && answer.value) this.#takeTheirs(answer.value);
    else if (answer?.ok === false && answer.status === 401) this.#end(answer.problem);
    else if (answer?.ok === false && answer.problem === this.#theirs.problem) this.#refuse(answer.problem);
  }

  /** The browser has a network again. */
  resume(): void {
    if (this.#state === 'offline' || this.#state === 'dirty') this.#go();
  }

  /** The platform has given a fresh token. */
  renewed(): void {
    if (this.#state === 'ended') {
      this.#problem = null;
      this.#become(this.#isBehind() || this.#attempt ? 'dirty' : 'saved');
      this.#takeDraft();
    }
    this.resume();
  }

  choose(index: number, choice: Choice): void {
    this.#conflicts.choose(index, choice);
    this.#ports.changed();
  }

  /** Takes the choices over. */
  settleConflicts(): void {
    const { document, base, whenChosen } = this.#conflicts.settle(this.#ports.document());
    this.#base = base ?? this.#base;
    this.#become('dirty');
    this.#replace(document);
    this.edited();
    void this.#ports.draft.safe().then(whenChosen);
    this.#takeDraft();
    this.#go();
  }

  /**
   * Takes over changes that an earlier page of this browser could not save. `whenSafe` is called once they are part of
   * this page's document, and of its own draft.
   */
  takeOver({ base, document }: { base: Base; document: ChartDocument }, whenSafe: () => void): void {
    this.#drafts.push({ base, document, whenSafe });
    this.#takeDraft();
  }

  /** True if the page's document has every change of this draft. */
  has({ base, document }: { base: Base; document: ChartDocument }): boolean {
    const mine = this.#ports.document();
    const merged = mergeDocuments(base.document, mine, document, 'draft');
    return merged.conflicts.length === 0 && isSame(merged.document, mine);
  }

  dismissNews(): void {
    this.#news.dismiss();
    this.#ports.changed();
  }

  #isBehind(): boolean {
    return this.#ports.document() !== this.#base.document;
  }

  /** The outcome of a save is open. */
  #isUnderWay(): boolean {
    return this.#isBusy || this.#attempt !== null;
  }

  #replace(document: ChartDocument): void {
    this.#isTaking = true;
    try {
      this.#ports.replace(document);
    } finally {
      this.#isTaking = false;
    }
  }

  #become(state: SavingState): void {
    this.#state = state;
    this.#ports.changed();
  }

  /** The server has everything of this page. */
  #settle(): void {
    this.#pace.begun();
    this.#pace.answered();
    this.#ports.draft.drop();
    if (this.#state === 'ended') return;
    if (this.#theirs.problem) {
      this.#refuse(this.#theirs.problem);
      return;
    }
    this.#problem = null;
    this.#answerWaiting(true);
    this.#become('saved');
  }

  #answerWaiting(isSaved: boolean): void {
    for (const tell of this.#waiting.splice(0)) tell(isSaved);
  }

  #takeDraft(): void {
    const [next] = this.#drafts;
    if (!next || this.#conflicts.areOpen) return;
    // The draft counts as their side: what the page has stands until a person chooses.
    const merged = mergeDocuments(next.base.document, this.#ports.document(), next.document, 'draft');
    const mustWait = this.#isUnderWay() || this.#state === 'ended';
    if (merged.conflicts.length > 0 && mustWait) return;
    this.#drafts.shift();
    this.#replace(merged.document);
    this.#news.addCollisions(merged);
    if (merged.conflicts.length > 0) {
      this.#openConflicts(merged.conflicts, this.#news.peopleSince(next.base.updatedAt), null, next.whenSafe);
    } else {
      this.edited();
      void this.#ports.draft.safe().then(next.whenSafe);
      this.#takeDraft();
    }
  }

  #go(): void {
    this.#pace.stop();
    if (this.#isBusy || this.#state === 'conflict' || this.#state === 'ended') return;
    if (this.#attempt === null && !this.#isBehind()) this.#settle();
    else void this.#send();
  }

  async #send(): Promise<void> {
    this.#theirs.drop();
    this.#attempt ??= attemptOf(this.#base, this.#ports.document(), this.#ports.newKey());
    const { body, key } = this.#attempt;
    this.#pace.begun();
    this.#isBusy = true;
    this.#become('saving');
    const answer = await this.#ports.server.save(this.#ports.chartId, body, key);
    this.#isBusy = false;
    if (!answer.ok) return this.#refused(this.#attempt, answer);
    this.#attempt = null;
    this.#pace.answered();
    this.#base = { updatedAt: answer.value.meta.updatedAt, document: body.doc };
    this.edited();
    this.#goOn();
  }

  /** A request has ended: drafts that waited for it come first, then calls of `save`. */
  #goOn(): void {
    this.#takeDraft();
    if (this.#waiting.length > 0) this.#go();
  }

  async #refused(attempt: Attempt, failure: Failure): Promise<void> {
    const { status, problem } = failure;
    if (isTransient(failure)) {
      attempt.isUnknown = true;
      this.#later();
    } else if (status === 401) {
      // An earlier try of this save may have arrived. A fresh session repeats it.
      if (!attempt.isUnknown) this.#attempt = null;
      this.#end(problem);
    } else {
      this.#attempt = null;
      if (problem.reason === 'stale_chart') return this.#fetchTheirs(attempt);
      this.#refuse(problem);
      this.#goOn();
    }
  }

  #refuse(problem: Problem): void {
    this.#problem = problem;
    this.#answerWaiting(false);
    this.#become('refused');
  }

  async #fetchTheirs(attempt: Attempt): Promise<void> {
    this.#isBusy = true;
    const answer = await this.#theirs.fetch(this.#base.updatedAt);
    this.#isBusy = false;
    if (!answer.ok) return this.#refused(attempt, answer);
    if (!answer.value) return this.#later();
    this.#takeTheirs(answer.value);
    this.#takeDraft();
    this.#go();
  }

  #takeTheirs(chart: OpenChart): void {
    const { document: before, updatedAt } = this.#base;
    const theirs: Base = { updatedAt: chart.meta.updatedAt, document: chart.doc };
    const wasBehind = this.#isBehind();
    const merged = mergeDocuments(before, this.#ports.document(), chart.doc, 'people');
    this.#news.add(merged, chart, updatedAt);
    this.#replace(merged.document);
    if (merged.conflicts.length > 0) {
      this.#openConflicts(merged.conflicts, this.#news.peopleSince(updatedAt), theirs, () => {});
    } else {
      this.#base = wasBehind ? theirs : { ...theirs, document: this.#ports.document() };
      this.edited();
    }
  }

  #openConflicts(...opened: Parameters<Conflicts['open']>): void {
    this.#pace.stop();
    this.#theirs.drop();
    this.#conflicts.open(...opened);
    // The draft names the state before: a page that ends now finds the same conflicts again.
    this.#ports.draft.keep({ base: this.#base, document: this.#ports.document() });
    this.#answerWaiting(false);
    this.#become('conflict');
  }

  #later(): void {
    this.#answerWaiting(false);
    this.#become('offline');
    this.#pace.failed();
  }

  #end(problem: Problem): void {
    this.#pace.stop();
    this.#theirs.drop();
    this.#problem = problem;
    this.#answerWaiting(false);
    this.#become('ended');
  }
}

/** As the server bounds a chart's name. */
const NAME_LENGTH_MAX = 200;

/** A chart is listed under its name, which the document has too. */
function attemptOf({ updatedAt, document }: Base, doc: ChartDocument, key: string): Attempt {
  const name = doc.name.trim();
  const isRenamed = doc.name !== document.name && name !== '' && name.length <= NAME_LENGTH_MAX;
  return { body: { doc, expectedUpdatedAt: updatedAt, ...(isRenamed && { name }) }, key, isUnknown: false };
}
