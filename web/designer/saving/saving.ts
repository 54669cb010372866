/**
 * Keeps the chart on the server as it is on the page. Every edit is kept in this browser at once (drafts.ts), and saved
 * after a pause over the state that it was made from (`expectedUpdatedAt`). One request is under way at a time.
 *
 * States:
 * - saved: the server has the page's document.
 * - dirty: it has not. A save begins after a pause of PAUSE_MS, and PAUSE_MS_MAX after the first edit at the latest.
 * - saving: a save is under way. Edits go on, and are saved next.
 * - offline: the last request had no answer, or one that may pass. The same save is repeated under its Idempotency-Key,
 *   after growing pauses and when the browser has a network again.
 * - conflict: somebody else changed the same things. The page has both changes but for these, where mine stand (or an
 *   object that one side deleted) until a person chooses. Nothing is saved before.
 * - refused: the server refuses this document. The next edit tries again.
 * - ended: the session has ended. Nothing is sent until the platform gives a fresh token.
 *
 * Failure at each await:
 * - a save (`#send`): without an answer its outcome is unknown, so this save is repeated before any other. If the page
 *   ends meanwhile, the draft is still in this browser with the state that it was made from. The next page merges it
 *   with what the server has: a save that had arrived is then no change.
 * - theirs (`#look`): without an answer the page stays as it was, offline. Edits that come meanwhile are part of mine:
 *   the merge itself does not wait.
 * - a draft (drafts.ts): if the browser keeps none, the page says so, and asks before it is closed.
 */
import type { ChartDocument } from '@parterre/shared/chart/document';
import type { MergeConflict, Merged } from '../document/merge.ts';
import type { Answer, Failure, OpenChart, Problem, SaveNote, Server } from '../session/calls.ts';
import { mayPass } from '../session/calls.ts';
import type { Base, OwnDraft } from './drafts.ts';
import { type News, noNews, type Person, peopleOf, withChanges, withCollisions } from './news.ts';

export type SavingState = 'saved' | 'dirty' | 'saving' | 'offline' | 'conflict' | 'refused' | 'ended';

export type Choice = 'mine' | 'theirs';
/** One thing that two sides changed. `people` made their side. `choice` is null until a person chooses. */
export type OpenConflict = { conflict: MergeConflict; people: readonly Person[]; choice: Choice | null };

export type SavingPorts = {
  chartId: string;
  server: Pick<Server, 'save' | 'news'>;
  draft: OwnDraft;
  document(): ChartDocument;
  replace(document: ChartDocument): void;
  merge(base: ChartDocument, mine: ChartDocument, theirs: ChartDocument): Merged;
  withSide(document: ChartDocument, conflict: MergeConflict, side: Choice): ChartDocument;
  now(): number;
  after(ms: number, run: () => void): () => void;
  newKey(): string;
  /** Called after each change of this object. */
  changed(): void;
};

const PAUSE_MS = 1_500;
const PAUSE_MS_MAX = 10_000;
const RETRY_MS_MIN = 1_000;
const RETRY_MS_MAX = 60_000;

type Attempt = { document: ChartDocument; expectedUpdatedAt: number; key: string };

export class Saving {
  readonly #ports: SavingPorts;
  #base: Base;
  #state: SavingState = 'saved';
  #attempt: Attempt | null = null;
  #isBusy = false;
  #failures = 0;
  #firstEditAt: number | null = null;
  #cancelTimer = () => {};
  #problem: Problem | null = null;
  #news = noNews;
  /** The last saves of the chart that the server told. */
  #saves: readonly SaveNote[];
  #conflicts: OpenConflict[] = [];
  /** The state that counts once all conflicts are chosen. */
  #baseAfter: Base | null = null;
  #onChosen = () => {};
  #waiting: ((isSaved: boolean) => void)[] = [];

  /** `saves`: the last saves of the chart, as it was opened. */
  constructor(ports: SavingPorts, base: Base, saves: readonly SaveNote[] = []) {
    this.#ports = ports;
    this.#base = base;
    this.#saves = saves;
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

  /** Changes by other people since the last dismissal. */
  get news(): News {
    return this.#news;
  }

  get conflicts(): readonly OpenConflict[] {
    return this.#conflicts;
  }

  /** True while the browser keeps the changes that the server lacks. */
  get isKept(): boolean {
    return this.#ports.draft.isKept;
  }

  /** The page's document has changed. */
  edited(): void {
    const document = this.#ports.document();
    if (document === this.#base.document && this.#attempt === null && this.#conflicts.length === 0) {
      this.#settle();
      return;
    }
    this.#ports.draft.keep({ base: this.#base, document });
    if (this.#state === 'conflict' || this.#state === 'ended' || this.#isBusy) return;
    if (this.#attempt !== null) return;
    this.#become('dirty');
    this.#plan();
  }

  /** Saves now. Resolves with true once the server has the page's document; with false where it cannot. */
  save(): Promise<boolean> {
    if (this.#state === 'saved' && !this.#isBusy) return Promise.resolve(true);
    if (this.#state === 'conflict' || this.#state === 'ended') return Promise.resolve(false);
    const saved = new Promise<boolean>((resolve) => this.#waiting.push(resolve));
    this.#go();
    return saved;
  }

  /** Asks whether somebody else has saved. */
  async look(): Promise<void> {
    if (this.#isBusy || this.#attempt !== null || (this.#state !== 'saved' && this.#state !== 'dirty')) return;
    this.#isBusy = true;
    const answer = await this.#ports.server.news(this.#ports.chartId, this.#base.updatedAt);
    this.#isBusy = false;
    if (answer.ok) {
      if (answer.value) this.#takeTheirs(answer.value);
    } else if (answer.status === 401) this.#end(answer.problem);
    // Edits and calls of `save` that came meanwhile.
    if (this.#waiting.length > 0) this.#go();
    else if (this.#isBehind()) this.edited();
  }

  /** The browser has a network again, or the platform has given a fresh token. */
  resume(): void {
    if (this.#state === 'ended') {
      this.#problem = null;
      this.#become(this.#isBehind() ? 'dirty' : 'saved');
    }
    if (this.#state === 'offline' || this.#state === 'dirty') this.#go();
  }

  choose(index: number, choice: Choice): void {
    const open = this.#conflicts[index];
    if (!open) return;
    this.#conflicts = this.#conflicts.map((each, at) => (at === index ? { ...each, choice } : each));
    this.#ports.changed();
  }

  /** Takes the choices over. A conflict without a choice stays as the merge left it. */
  settleConflicts(): void {
    const after = this.#conflicts.reduce(
      (document, { conflict, choice }) =>
        choice === null ? document : this.#ports.withSide(document, conflict, choice),
      this.#ports.document(),
    );
    this.#conflicts = [];
    if (this.#baseAfter) this.#base = this.#baseAfter;
    this.#baseAfter = null;
    this.#onChosen();
    this.#onChosen = () => {};
    this.#become('dirty');
    if (after !== this.#ports.document()) this.#ports.replace(after);
    this.edited();
    this.#go();
  }

  /**
   * Takes over changes that an earlier page of this browser could not save. `then` is called once they are part of this
   * page's document, and of its own draft.
   */
  takeOver(found: { base: Base; document: ChartDocument }, then: () => void): void {
    const merged = this.#ports.merge(found.base.document, found.document, this.#ports.document());
    this.#ports.replace(merged.document);
    this.#ports.draft.keep({ base: this.#base, document: merged.document });
    this.#news = withCollisions(this.#news, merged.collisions);
    if (merged.conflicts.length > 0) {
      this.#openConflicts(merged.conflicts, this.#peopleSince(found.base), this.#base, then);
      return;
    }
    then();
    this.edited();
  }

  dismissNews(): void {
    this.#news = noNews;
    this.#ports.changed();
  }

  end(): void {
    this.#cancelTimer();
  }

  #isBehind(): boolean {
    return this.#ports.document() !== this.#base.document;
  }

  #become(state: SavingState): void {
    this.#state = state;
    if (state === 'dirty') this.#firstEditAt ??= this.#ports.now();
    this.#ports.changed();
  }

  /** The server has everything. */
  #settle(): void {
    this.#cancelTimer();
    this.#firstEditAt = null;
    this.#problem = null;
    this.#failures = 0;
    this.#ports.draft.drop();
    this.#answerWaiting(true);
    this.#become('saved');
  }

  #answerWaiting(isSaved: boolean): void {
    for (const tell of this.#waiting.splice(0)) tell(isSaved);
  }

  #plan(): void {
    const latest = (this.#firstEditAt ?? this.#ports.now()) + PAUSE_MS_MAX;
    this.#in(Math.max(0, Math.min(PAUSE_MS, latest - this.#ports.now())));
  }

  #in(ms: number): void {
    this.#cancelTimer();
    this.#cancelTimer = this.#ports.after(ms, () => this.#go());
  }

  #go(): void {
    this.#cancelTimer();
    if (this.#isBusy || this.#state === 'conflict' || this.#state === 'ended') return;
    if (this.#attempt === null && !this.#isBehind()) this.#settle();
    else void this.#send();
  }

  async #send(): Promise<void> {
    const { server, chartId, document, newKey } = this.#ports;
    this.#attempt ??= { document: document(), expectedUpdatedAt: this.#base.updatedAt, key: newKey() };
    const { document: doc, expectedUpdatedAt, key } = this.#attempt;
    this.#firstEditAt = null;
    this.#isBusy = true;
    this.#become('saving');
    const answer = await server.save(chartId, { doc, expectedUpdatedAt }, key);
    this.#isBusy = false;
    if (answer.ok) {
      this.#attempt = null;
      this.#failures = 0;
      this.#base = { updatedAt: answer.value.meta.updatedAt, document: doc };
      this.edited();
    } else await this.#refused(answer);
  }

  async #refused(failure: Failure): Promise<void> {
    const { status, problem } = failure;
    if (mayPass(failure)) {
      this.#later();
      return;
    }
    this.#attempt = null;
    if (status === 401) this.#end(problem);
    else if (problem.reason === 'stale_chart') await this.#fetchTheirs();
    else {
      this.#problem = problem;
      this.#answerWaiting(false);
      this.#become('refused');
    }
  }

  async #fetchTheirs(): Promise<void> {
    this.#isBusy = true;
    const answer: Answer<OpenChart | null> = await this.#ports.server.news(this.#ports.chartId, this.#base.updatedAt);
    this.#isBusy = false;
    if (!answer.ok) {
      if (answer.status === 401) this.#end(answer.problem);
      else this.#later();
      return;
    }
    if (answer.value) this.#takeTheirs(answer.value);
    if (this.#state !== 'conflict') this.#go();
  }

  #takeTheirs({ meta, doc, saves = [] }: OpenChart): void {
    const before = this.#base;
    const theirs: Base = { updatedAt: meta.updatedAt, document: doc };
    const wasBehind = this.#isBehind();
    const merged = this.#ports.merge(before.document, this.#ports.document(), doc);
    this.#saves = saves;
    const people = this.#peopleSince(before);
    const news = withChanges(this.#news, { people, at: meta.updatedAt, changes: merged.theirs });
    this.#news = withCollisions(news, merged.collisions);
    if (merged.conflicts.length > 0) {
      this.#ports.replace(merged.document);
      this.#openConflicts(merged.conflicts, people, theirs, () => {});
      return;
    }
    this.#ports.replace(merged.document);
    this.#base = wasBehind ? theirs : { ...theirs, document: this.#ports.document() };
    this.edited();
  }

  /** The people who saved the chart after this state. */
  #peopleSince({ updatedAt }: Base): Person[] {
    return peopleOf(this.#saves.filter(({ at }) => at > updatedAt));
  }

  #openConflicts(
    conflicts: readonly MergeConflict[],
    people: readonly Person[],
    baseAfter: Base,
    then: () => void,
  ): void {
    this.#cancelTimer();
    this.#conflicts = conflicts.map((conflict) => ({ conflict, people, choice: null }));
    this.#baseAfter = baseAfter;
    this.#onChosen = then;
    this.#answerWaiting(false);
    this.#become('conflict');
  }

  #later(): void {
    const most = Math.min(RETRY_MS_MIN * 2 ** this.#failures, RETRY_MS_MAX);
    this.#failures++;
    this.#become('offline');
    this.#in(most);
  }

  #end(problem: Problem): void {
    this.#cancelTimer();
    this.#attempt = null;
    this.#problem = problem;
    this.#answerWaiting(false);
    this.#become('ended');
  }
}
