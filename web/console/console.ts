/**
 * The console: the session, the view of the address, and the frame around it. It draws itself at most once a frame,
 * after anything has changed.
 */
import { html, nothing, render, type TemplateResult } from 'lit-html';
import { createClock } from '../src/sale/clock.ts';
import { addressOf, firstPlace, placeOf, type ViewAddress } from './address.ts';
import { Bar } from './frame/bar.ts';
import { Notices } from './frame/notices.ts';
import { Questions } from './frame/question.ts';
import type { Words } from './messages/words.ts';
import type { Operator } from './operator/operator-view.ts';
import { createServer } from './server/calls.ts';
import { Session, type SignedIn } from './session/session.ts';
import { SignIn } from './session/sign-in.ts';
import type { OpenView, Ports, View } from './view.ts';
import { views } from './views.ts';

export class Console {
  readonly #root: HTMLElement;
  readonly #words: Words;
  readonly #session: Session;
  readonly #ports: Omit<Ports, 'who'>;
  readonly #signIn: SignIn;
  readonly #notices: Notices;
  readonly #questions: Questions;
  readonly #clock = createClock();
  #operator: Operator | null = null;
  #operatorState: 'idle' | 'loading' | 'failed' = 'idle';
  #bar: Bar | null = null;
  #view: View | null = null;
  /** The code of the view that is being loaded. */
  #opening: Promise<OpenView> | 'failed' | null = null;
  #isDue = false;

  constructor(root: HTMLElement, words: Words) {
    const changed = (): void => this.#draw();
    const clock = this.#clock;
    this.#root = root;
    this.#words = words;
    this.#session = new Session(clock, changed, () => this.#begin());
    this.#signIn = new SignIn(words, this.#session, changed);
    const server = createServer(clock, this.#session, () => placeOf(location.hash).mode);
    this.#notices = new Notices(words, changed);
    this.#questions = new Questions(words, changed);
    this.#ports = {
      words,
      server,
      changed,
      go: (place, how) => this.#go(place, how),
      tell: (notice) => this.#notices.tell(notice),
      ask: (question) => this.#questions.ask(question),
    };
    window.addEventListener('hashchange', () => this.#move());
    void this.#session.open();
  }

  /** Forgets the views of the last user, and what they kept in this tab: another person may sit down here. */
  #begin(): void {
    sessionStorage.clear();
    this.#leave();
    this.#bar = null;
    this.#notices.clear();
    this.#questions.close();
    this.#go(firstPlace, 'replace');
  }

  #go(place: ViewAddress, how?: 'replace'): void {
    const address = addressOf(place);
    if (how === 'replace') history.replaceState(null, '', address);
    else history.pushState(null, '', address);
    this.#move();
  }

  #move(): void {
    if (this.#view?.moved(placeOf(location.hash)) === false) this.#leave();
    this.#draw();
  }

  #leave(): void {
    this.#view?.close();
    this.#view = null;
    this.#opening = null;
  }

  #draw(): void {
    if (this.#isDue) return;
    this.#isDue = true;
    requestAnimationFrame(() => {
      this.#isDue = false;
      render(this.#drawn(), this.#root);
    });
  }

  #drawn(): TemplateResult {
    const { state } = this.#session;
    const place = placeOf(location.hash);
    if (place.path[0] === 'operator') return this.#drawnOperator(place);
    this.#operator?.close();
    this.#operator = null;
    if (state.kind === 'asking') return html`<p class="waiting">${this.#words.text('console.loading')}</p>`;
    if (state.kind === 'out') return html`<main class="cover">${this.#signIn.draw(false)}</main>`;
    const hasEnded = state.kind === 'ended';
    return html`<div class="console" ?inert=${hasEnded}>${this.#opened(state.who)}</div>
      ${hasEnded ? html`<dialog open class="cover">${this.#signIn.draw(true)}</dialog>` : nothing}`;
  }

  /** The operator's page needs no session. Its code, and its token, are there only while its address is. */
  #drawnOperator(place: ViewAddress): TemplateResult {
    const { text } = this.#words;
    if (this.#operator === null && this.#operatorState === 'idle') void this.#openOperator();
    document.title = `${text('house.operator')} – ${text('console.title')}`;
    const waiting = this.#operatorState === 'failed' ? text('console.view.failed') : text('console.loading');
    return html`<main id="view">${this.#operator?.draw(place) ?? html`<p role="status">${waiting}</p>`}</main>
      ${this.#notices.draw()} ${this.#questions.draw()}`;
  }

  async #openOperator(): Promise<void> {
    this.#operatorState = 'loading';
    const code = await import('./operator/operator-view.ts').catch(() => null);
    this.#operatorState = code === null ? 'failed' : 'idle';
    const { server: _, ...ports } = this.#ports;
    if (code) this.#operator = new code.Operator(ports, this.#clock);
    this.#draw();
  }

  #opened(who: SignedIn): TemplateResult {
    const place = placeOf(location.hash);
    const ports = { ...this.#ports, who };
    this.#bar ??= new Bar(ports, () => void this.#session.signOut());
    if (!this.#view) void this.#open(place, ports);
    const mode = place.mode === 'test' ? `[${this.#words.text('frame.mode.test')}] ` : '';
    document.title = `${mode}${this.#view?.title ?? ''} – ${this.#words.text('console.title')}`;
    return html`${this.#bar.draw(place)}<main id="view">${this.#view?.draw() ?? this.#missing(place)}</main>
      ${this.#notices.draw()} ${this.#questions.draw()}`;
  }

  #missing(place: ViewAddress): TemplateResult {
    const { text } = this.#words;
    if (this.#opening === 'failed') {
      return html`<p role="alert">${text('console.view.failed')}</p>
        <button @click=${() => location.reload()}>${text('console.again')}</button>`;
    }
    return Object.hasOwn(views, place.path[0]!)
      ? html`<p role="status">${text('console.loading')}</p>`
      : html`<p role="alert">${text('console.view.unknown')}</p>`;
  }

  /** Loads the code of a view. A view that is left meanwhile is not made. */
  async #open(place: ViewAddress, ports: Ports): Promise<void> {
    const name = place.path[0]!;
    if (this.#opening !== null || !Object.hasOwn(views, name)) return;
    const loading = views[name]!.load();
    this.#opening = loading;
    const open = await loading.catch(() => null);
    if (this.#opening !== loading) return;
    if (open === null) this.#opening = 'failed';
    else {
      this.#opening = null;
      this.#view = open(placeOf(location.hash), ports);
    }
    this.#draw();
  }
}
