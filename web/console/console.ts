/**
 * The console: the session, the view of the address, and the frame around it. It draws itself at most once a frame,
 * after anything has changed.
 */
import { html, nothing, render, type TemplateResult } from 'lit-html';
import { createClock } from '../src/sale/clock.ts';
import { addressOf, firstPlace, placeOf, type ViewAddress } from './address.ts';
import { openEventMap } from './event/event-map.ts';
import { openEvents } from './events/events.ts';
import { Bar } from './frame/bar.ts';
import type { Words } from './messages/words.ts';
import { createServer } from './server/calls.ts';
import { Session, type SignedIn } from './session/session.ts';
import { SignIn } from './session/sign-in.ts';
import type { OpenView, Ports, View } from './view.ts';

/** By the first part of the path. */
const views: Readonly<Record<string, OpenView>> = {
  event: openEventMap,
  events: openEvents,
};

export class Console {
  readonly #root: HTMLElement;
  readonly #words: Words;
  readonly #session: Session;
  readonly #ports: Omit<Ports, 'who'>;
  readonly #signIn: SignIn;
  #bar: Bar | null = null;
  #view: View | null = null;
  #isDue = false;

  constructor(root: HTMLElement, words: Words) {
    const changed = (): void => this.#draw();
    const clock = createClock();
    this.#root = root;
    this.#words = words;
    this.#session = new Session(clock, changed, () => this.#begin());
    this.#signIn = new SignIn(words, this.#session, changed);
    const server = createServer(clock, this.#session);
    this.#ports = { words, server, changed, go: (place, how) => this.#go(place, how) };
    window.addEventListener('hashchange', () => this.#move());
    void this.#session.open();
  }

  /** Forgets the views of the last user. */
  #begin(): void {
    this.#view?.close();
    this.#view = null;
    this.#bar = null;
    this.#go(firstPlace, 'replace');
  }

  #go(place: ViewAddress, how?: 'replace'): void {
    const address = addressOf(place);
    if (how === 'replace') history.replaceState(null, '', address);
    else history.pushState(null, '', address);
    this.#move();
  }

  #move(): void {
    if (this.#view?.moved(placeOf(location.hash)) === false) {
      this.#view.close();
      this.#view = null;
    }
    this.#draw();
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
    if (state.kind === 'asking') return html`<p class="waiting">${this.#words.text('console.loading')}</p>`;
    if (state.kind === 'out') return html`<main class="cover">${this.#signIn.draw(false)}</main>`;
    const hasEnded = state.kind === 'ended';
    return html`<div class="console" ?inert=${hasEnded}>${this.#opened(state.who)}</div>
      ${hasEnded ? html`<dialog open class="cover">${this.#signIn.draw(true)}</dialog>` : nothing}`;
  }

  #opened(who: SignedIn): TemplateResult {
    const place = placeOf(location.hash);
    const ports = { ...this.#ports, who };
    this.#bar ??= new Bar(ports, () => void this.#session.signOut());
    this.#view ??= views[place.path[0]!]?.(place, ports) ?? null;
    document.title = `${this.#view?.title ?? ''} – ${this.#words.text('console.title')}`;
    const shown = this.#view?.draw() ?? html`<p role="alert">${this.#words.text('console.view.unknown')}</p>`;
    return html`${this.#bar.draw(place)}<main id="view">${shown}</main>`;
  }
}
