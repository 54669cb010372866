/**
 * The page of an open session: the editor, saving and publishing, with the page around that hears of them. Every change
 * of saving draws the bar again and is told to the page around once.
 */
import { nothing } from 'lit-html';
import { keepAsking, whenOnline } from '../src/feed/keep-asking.ts';
import type { Clock } from '../src/sale/clock.ts';
import { Editor } from './document/editor.ts';
import type { PageAsks } from './embed/messages.ts';
import { Exporter } from './exporting/exporter.ts';
import type { Words } from './messages/words.ts';
import { bar } from './saving/bar.ts';
import { type Drafts, openDrafts } from './saving/drafts.ts';
import { Offers } from './saving/offers.ts';
import { Publisher } from './saving/publishing.ts';
import { Saving } from './saving/saving.ts';
import { refusalText } from './saving/telling.ts';
import type { DesignerSession, OpenChart, Problem, Server } from './session/calls.ts';
import { newKey } from './session/new-key.ts';
import { judgeOf, permissionsOf } from './session/opening.ts';
import type { Parent } from './session/parent.ts';
import { openShell } from './shell.ts';
import { Start } from './start/start.ts';
import { startPanel } from './start/start-panel.ts';

export type Surroundings = {
  root: HTMLElement;
  words: Words;
  server: Server;
  parent: Parent;
  clock: Clock;
  token: { get(): string | null; set(token: string | null): void; keep(token: string): void };
};

/** Between two looks at the chart of a page that is seen. */
const LOOK_MS = 15_000;
/** A session that ends this soon says so. */
const WARN_MS = 10 * 60_000;
const TIMER_MS_MAX = 2 ** 31 - 1;

export class Workplace {
  readonly #around: Surroundings;
  readonly #editor: Editor;
  readonly #saving: Saving;
  readonly #publisher: Publisher;
  readonly #offers: Offers;
  readonly #exporter: Exporter;
  readonly #start: Start;
  readonly #shell: ReturnType<typeof openShell>;
  #session: DesignerSession;
  #endsAt: number | null = null;
  /** One after the other: a refused token gives the one before it back. */
  #renewal: Promise<void> = Promise.resolve();
  #endTimers: ReturnType<typeof setTimeout>[] = [];
  /** The page does not have the published chart: the keys of the draft that it opened count as published. */
  #publishedKeys: ReadonlySet<string> = new Set();
  /** What the page around was told last. */
  #told: { state: Saving['state']; updatedAt: number };

  constructor(around: Surroundings, session: DesignerSession, chart: OpenChart) {
    this.#around = around;
    this.#session = session;
    this.#editor = new Editor(chart.doc, { permissions: permissionsOf(session), judge: judgeOf(session, chart) });
    const drafts = openDrafts(session.chartId, () => this.#redraw());
    this.#saving = this.#openSaving(drafts, chart);
    this.#told = { state: this.#saving.state, updatedAt: chart.meta.updatedAt };
    if (chart.meta.publishedVersion !== null) this.#publishedKeys = keysIn(chart.doc);
    this.#publisher = this.#openPublisher();
    this.#offers = new Offers(drafts, () => this.#redraw());
    this.#exporter = new Exporter({ document: () => this.#editor.document, changed: () => this.#redraw() });
    this.#start = new Start({ editor: this.#editor, changed: () => this.#redraw() });
    const parts = {
      bar: () => this.#bar(),
      start: () => this.#startPanel(),
      publishedKeys: () => this.#publishedKeys,
      currency: () => this.#session.currency ?? null,
    };
    this.#shell = openShell(around.root, { editor: this.#editor, words: around.words, ...parts });
    // For a look from the browser's console, and for tests.
    Object.assign(around.root, { editor: this.#editor, shell: this.#shell });
    this.#listen();
    this.#watchEnd();
    if (session.canEdit) void this.#offers.look(this.#saving);
  }

  get chartId(): string {
    return this.#session.chartId;
  }

  /** The marker of the chart that the server has. */
  get updatedAt(): number {
    return this.#saving.base.updatedAt;
  }

  hear(what: PageAsks): void {
    if (what.type === 'token') this.#renewal = this.#renewal.then(() => this.#renew(what.token, what.id));
    else if (what.type === 'focus') this.#focusMap();
    else void this.#saveForParent(what.id);
  }

  #openSaving(drafts: Drafts, { doc, meta, saves }: OpenChart): Saving {
    const ports = {
      chartId: this.#session.chartId,
      server: this.#around.server,
      draft: drafts.own,
      document: () => this.#editor.document,
      replace: (document: OpenChart['doc']) => this.#editor.replace(document),
      now: () => Date.now(),
      after(ms: number, run: () => void) {
        const timer = setTimeout(run, ms);
        return () => clearTimeout(timer);
      },
      newKey,
      changed: () => this.#changed(),
    };
    return new Saving(ports, { updatedAt: meta.updatedAt, document: doc }, saves);
  }

  #openPublisher(): Publisher {
    return new Publisher({
      chartId: this.#session.chartId,
      server: this.#around.server,
      save: () => this.#saving.save(),
      look: () => this.#saving.look(),
      updatedAt: () => this.updatedAt,
      newKey,
      changed: () => this.#redraw(),
      published: ({ meta, events }) => {
        this.#publishedKeys = keysIn(this.#editor.document);
        this.#around.parent.tell('published', { publishedVersion: meta.publishedVersion, ...events });
      },
    });
  }

  #bar() {
    return bar({
      words: this.#around.words,
      session: this.#session,
      saving: this.#saving,
      publisher: this.#publisher,
      offers: this.#offers,
      exporter: this.#exporter,
      document: () => this.#editor.document,
      endsAt: this.#endsAt,
      mayPublish: this.#session.canPublish && this.#editor.may.has('publish'),
      mayExport: this.#editor.may.has('export'),
      focus: (ids) => this.#shell.focus(ids),
      warnings: () => this.#shell.warnings(),
    });
  }

  #startPanel() {
    if (!this.#start.isOpen) return nothing;
    return startPanel({
      words: this.#around.words,
      start: this.#start,
      say: (text) => this.#shell.say(text),
      show: () => {
        this.#shell.bench.board.view.fit();
        this.#focusMap();
      },
    });
  }

  #focusMap(): void {
    this.#around.root.querySelector<HTMLElement>('[role=application]')?.focus();
  }

  #redraw(): void {
    this.#shell.redraw();
  }

  #changed(): void {
    this.#redraw();
    const { state, base, problem } = this.#saving;
    const { parent, words } = this.#around;
    const before = this.#told;
    this.#told = { state, updatedAt: base.updatedAt };
    if (state === 'dirty' && before.state === 'saved') parent.tell('dirty', { at: Date.now() });
    if (base.updatedAt !== before.updatedAt) parent.tell('saved', { updatedAt: base.updatedAt });
    if (state !== before.state && (state === 'refused' || state === 'ended') && problem)
      parent.tell('error', { code: problem.code, message: refusalText(words, problem) });
  }

  async #saveForParent(asked: number): Promise<void> {
    const isSaved = await this.#saving.save();
    const { base, problem, state } = this.#saving;
    if (isSaved) this.#around.parent.tell('saved', { updatedAt: base.updatedAt, asked });
    else this.#tellProblem(problem ?? { code: state, message: this.#around.words.text('save.refused') }, asked);
  }

  #tellProblem({ code, message = code }: Problem, asked: number): void {
    this.#around.parent.tell('error', { code, message, asked });
  }

  /** A fresh token of the platform. A token that does not open this chart changes nothing. */
  async #renew(given: string, asked: number): Promise<void> {
    const { server, token } = this.#around;
    const before = token.get();
    token.set(given);
    const told = await server.session();
    if (!told.ok || told.value.session.chartId !== this.chartId) {
      token.set(before);
      this.#tellProblem(told.ok ? { code: 'chart_not_found' } : told.problem, asked);
      return;
    }
    token.keep(given);
    this.#session = told.value.session;
    this.#editor.permit(permissionsOf(this.#session));
    this.#watchEnd();
    this.#saving.renewed();
    this.#redraw();
    void this.#saveForParent(asked);
  }

  #listen(): void {
    this.#editor.subscribe(({ isDocument }) => {
      if (isDocument) this.#saving.edited();
    });
    const look = () => {
      if (document.visibilityState === 'visible') void this.#saving.look();
    };
    keepAsking(look, LOOK_MS);
    document.addEventListener('visibilitychange', look);
    whenOnline(() => this.#saving.resume());
    window.addEventListener('beforeunload', (event) => {
      // A draft that is kept is offered by the next page.
      if (this.#saving.state !== 'saved' && !this.#saving.isKept) event.preventDefault();
    });
  }

  #watchEnd(): void {
    for (const timer of this.#endTimers) clearTimeout(timer);
    this.#endsAt = null;
    const left = Math.max(0, this.#session.expiresAt - this.#around.clock.now());
    const warn = () => {
      this.#endsAt = this.#session.expiresAt;
      this.#redraw();
    };
    this.#endTimers = [
      setTimeout(warn, Math.min(Math.max(0, left - WARN_MS), TIMER_MS_MAX)),
      setTimeout(() => void this.#saving.look(), Math.min(left + 1_000, TIMER_MS_MAX)),
    ];
  }
}

function keysIn({ categories }: OpenChart['doc']): ReadonlySet<string> {
  return new Set(categories.map(({ key }) => key));
}
