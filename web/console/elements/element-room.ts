/**
 * One part of an event in an element of another page: the room of the event without the console's frame, with its own
 * notices and questions. Its address stays inside: the page's own address never changes.
 *
 * States: asking (the page for a token, the server for the session's rights and the event) → open, with the code of the
 * part loading → shown; failed, which says why: the person tries again. Ended, when a token has ended and the page
 * gives no new one: the part stays under a notice, and goes on with the next token. An element that is left drops every
 * late answer.
 */
import type { Capability } from '@parterre/shared/protocol/catalog/scope';
import { html, nothing, render, type TemplateResult } from 'lit-html';
import type { Result } from '../../src/sale/calls.ts';
import { createClock } from '../../src/sale/clock.ts';
import { type Mode, placeOf, type ViewAddress } from '../address.ts';
import { MapPane } from '../event/hall/map-pane.ts';
import type { EventMeta, EventRoom, Tab } from '../event/tab.ts';
import { tabs } from '../event/tabs.ts';
import { adopt, dress } from '../frame/adopt.ts';
import { looks } from '../frame/looks.ts';
import { type Notice, Notices } from '../frame/notices.ts';
import { Questions } from '../frame/question.ts';
import { consoleWords, type Words } from '../messages/words.ts';
import { createServer, type Server } from '../server/calls.ts';
import type { Ports } from '../view.ts';
import { HostSession } from './host-session.ts';
import { elementLooks } from './looks.ts';
import { lackingFor, rightsIn } from './session-rights.ts';

adopt(looks);
adopt(elementLooks);

/** `base` is the address of the server, '' for the page's own; `locales` the languages to choose from. */
export type ElementOptions = {
  eventKey: string;
  place: ShadowRoot;
  base: string;
  locales: readonly string[];
  part: string;
  token(): (() => Promise<string>) | null;
  tell(name: `parterre-${string}`, detail: object): void;
};

export type OpenElement = { show(part: string): void; renew(): void; close(): void };

type Rights = { id: string; mode: Mode; workspaceId: string; capabilities: Capability[]; expiresAt: number };
type PartProblem = { text: string; code: string };

export function openElement(options: ElementOptions): OpenElement {
  const room = new ElementRoom(options);
  return { show: (part) => room.show(part), renew: () => room.renew(), close: () => room.close() };
}

class ElementRoom {
  readonly #options: ElementOptions;
  readonly #session: HostSession;
  readonly #server: Server;
  readonly #left = new AbortController();
  readonly #undress: () => void;
  readonly #surface = document.createElement('div');
  #words: Words | null = null;
  #notices: Notices | null = null;
  #questions: Questions | null = null;
  #rights: Rights | null = null;
  #meta: EventMeta | null = null;
  #pane: MapPane | null = null;
  #tab: Tab | null = null;
  #problem: PartProblem | null = null;
  #part: string;
  #query: ViewAddress['query'] = {};
  #path: readonly string[] = [];
  #opening = 0;
  #isDue = false;

  constructor(options: ElementOptions) {
    this.#options = options;
    this.#part = options.part;
    this.#session = new HostSession(options.token, () => this.#onSession());
    this.#server = createServer(createClock(), this.#session, () => null, options.base);
    this.#surface.className = 'parterre element';
    options.place.replaceChildren(this.#surface);
    this.#undress = dress(options.place);
    this.#surface.addEventListener('click', this.#follow, { signal: this.#left.signal });
    void this.#open();
  }

  show(part: string): void {
    if (part === this.#part) return;
    this.#part = part;
    this.#path = [];
    this.#query = {};
    if (this.#rights) void this.#enter();
  }

  /** The page has another function. It is asked now only where no session is open. */
  renew(): void {
    if (this.#session.state !== 'open' || this.#problem) this.again();
  }

  /** Goes on with a new token, or opens anew where nothing is open. */
  again(): void {
    if (this.#tab) void this.#session.again();
    else void this.#open();
  }

  close(): void {
    this.#left.abort();
    this.#session.close();
    this.#tab?.close();
    this.#pane?.close();
    this.#undress();
    this.#options.place.replaceChildren();
  }

  get #isLeft(): boolean {
    return this.#left.signal.aborted;
  }

  async #open(): Promise<void> {
    this.#problem = null;
    await this.#speak();
    if (this.#isLeft) return;
    this.#changed();
    if (!(await this.#session.open()) || this.#isLeft) return;
    const path = `events/${encodeURIComponent(this.#options.eventKey)}`;
    const session = await this.#server.get<{ session: Rights | null }>(`${path}/manage-session`, this.#left.signal);
    if (this.#isLeft) return;
    if (!session.ok) {
      this.#fail(session);
      return;
    }
    this.#rights = session.value.session;
    if (this.#rights === null) {
      this.#refuse({ code: 'unauthorized', text: this.#words!.text('wall.element.noToken') });
      return;
    }
    await this.#enter();
  }

  /** Shows the part, or why the session may not see it. */
  async #enter(): Promise<void> {
    this.#opening++;
    this.#tab?.close();
    this.#tab = null;
    this.#questions!.close();
    this.#problem = null;
    const problem = this.#problemOf(this.#part);
    if (problem) this.#refuse(problem);
    else if (this.#meta !== null || (await this.#read())) await this.#openTab();
  }

  async #speak(): Promise<void> {
    if (this.#words) return;
    const words = await consoleWords(this.#options.locales);
    const changed = () => this.#changed();
    this.#words = words;
    this.#notices = new Notices(words, changed);
    this.#questions = new Questions(words, changed);
    this.#surface.lang = words.locale;
    this.#surface.dir = words.direction;
  }

  async #read(): Promise<boolean> {
    const path = `events/${encodeURIComponent(this.#options.eventKey)}`;
    const answer = await this.#server.get<{ meta: EventMeta }>(path, this.#left.signal);
    if (this.#isLeft) return false;
    if (answer.ok) this.#meta = answer.value.meta;
    else if (this.#meta === null) this.#fail(answer);
    this.#changed();
    return answer.ok;
  }

  #fail(answer: Extract<Result<unknown>, { ok: false }>): void {
    const { text } = this.#words!;
    const { code, message } = answer.problem;
    const told = answer.status === 0 ? text('wall.element.silent') : (message ?? text('refused.other', { code }));
    this.#refuse({ code, text: answer.status === 404 ? text('map.failed') : told });
  }

  #refuse(problem: PartProblem): void {
    this.#problem = problem;
    this.#options.tell('parterre-error', problem);
    this.#changed();
  }

  async #openTab(): Promise<void> {
    const opening = ++this.#opening;
    const part = this.#part;
    const open = await tabs[part]!.load().catch(() => null);
    if (this.#isLeft || opening !== this.#opening) return;
    if (open === null) {
      this.#refuse({ code: 'no_answer', text: this.#words!.text('console.view.failed') });
      return;
    }
    this.#tab = open(this.#roomOf(part));
    this.#options.tell('parterre-ready', { mode: part, capabilities: [...this.#rights!.capabilities] });
    this.#changed();
  }

  #problemOf(part: string): PartProblem | null {
    const { text, list } = this.#words!;
    if (!Object.hasOwn(tabs, part)) {
      const modes = list(Object.keys(tabs), Object.keys(tabs).length);
      return { code: 'unknown_mode', text: text('wall.element.noMode', { mode: part, modes }) };
    }
    const lacking = lackingFor(part, this.#rights!.capabilities);
    if (lacking.length === 0) return null;
    return { code: 'capability_required', text: text('wall.element.forbidden', { capabilities: list(lacking) }) };
  }

  /** Every part has the rights of its own table. */
  #roomOf(part: string): EventRoom {
    const ports = this.#portsOf(part);
    const room: EventRoom = {
      key: this.#options.eventKey,
      ports,
      place: () => this.#place(),
      meta: () => this.#meta!,
      reread: async () => void (await this.#read()),
      map: () => {
        this.#pane ??= new MapPane(this.#options.eventKey, { place: () => this.#place(), ports });
        return this.#pane;
      },
    };
    return room;
  }

  #portsOf(part: string): Ports {
    const { id, capabilities, expiresAt } = this.#rights!;
    const { currency } = this.#meta!;
    return {
      words: this.#words!,
      server: this.#server,
      who: {
        user: { id, email: '', role: rightsIn(part, capabilities) },
        organisation: { id: '', name: '', currency, credits: 0 },
        csrfToken: '',
        expiresAt,
      },
      changed: () => this.#changed(),
      go: (place) => this.#go(place),
      tell: (notice) => this.#tell(notice),
      ask: (question) => this.#questions!.ask(question),
    };
  }

  #tell(notice: Notice): void {
    this.#notices!.tell(notice);
    this.#options.tell('parterre-done', { mode: this.#part, text: notice.text });
  }

  #place(): ViewAddress {
    const { mode, workspaceId } = this.#rights!;
    return {
      mode,
      workspaceId,
      path: ['event', this.#options.eventKey, this.#part, ...this.#path],
      query: this.#query,
    };
  }

  /** A place of another event, or a page of the console, is the host's to open. */
  #go({ path, query }: ViewAddress): void {
    const [view, key, part, ...rest] = path;
    const isHere = view === 'event' && key === this.#options.eventKey && part !== undefined;
    if (!isHere) {
      this.#options.tell('parterre-leave', { path: [...path], query: { ...query } });
      return;
    }
    const isOther = part !== this.#part;
    this.#part = part;
    this.#path = rest;
    this.#query = query;
    this.#pane?.moved();
    if (isOther) {
      this.#options.tell('parterre-mode', { mode: part });
      void this.#enter();
    } else this.#tab?.moved?.();
    this.#changed();
  }

  /** A link of the console changes the place inside. */
  #follow = (event: MouseEvent): void => {
    const link = (event.target as Element).closest('a');
    const address = link?.getAttribute('href');
    if (!address?.startsWith('#/')) return;
    event.preventDefault();
    this.#go(placeOf(address));
  };

  #onSession(): void {
    if (this.#session.state === 'ended') this.#options.tell('parterre-session-ended', {});
    this.#changed();
  }

  #changed(): void {
    if (this.#isDue || this.#isLeft) return;
    this.#isDue = true;
    requestAnimationFrame(() => {
      this.#isDue = false;
      if (!this.#isLeft && this.#words) render(this.#drawn(this.#words), this.#surface);
    });
  }

  #drawn({ text }: Words): TemplateResult {
    const { state } = this.#session;
    const again = html`<button @click=${() => this.again()}>${text('console.again')}</button>`;
    const told = this.#problem?.text ?? (state === 'ended' ? text('wall.element.ended') : null);
    const waits = state === 'none' && !this.#options.token() ? text('wall.element.noToken') : text('console.loading');
    return html`${told === null ? nothing : html`<p role="alert">${told} ${again}</p>`}
      ${this.#tab ? this.#tab.draw() : told === null ? html`<p role="status">${waits}</p>` : nothing}
      ${this.#notices!.draw()} ${this.#questions!.draw()}`;
  }
}
