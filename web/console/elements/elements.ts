/**
 * Two elements for a platform's own back office, with the manage session of an event (`mse_…`):
 * `<parterre-control-room event="…">` and `<parterre-event-manager event="…" mode="map">`. Attributes: `event`,
 * `base-url` (the page's own origin where absent), `locale` (the language around the element where absent), and `mode`
 * of the manager, the name of a part. The property `token` is a function that gives a token of the session; it is asked
 * again when the token ends. The elements report by events that bubble: parterre-ready, parterre-done, parterre-mode,
 * parterre-leave, parterre-session-ended, parterre-error.
 *
 * Importing this defines the elements. A server has no elements, and importing it there does nothing. The code of a
 * part is loaded with the first element that is on a page.
 */
import type { OpenElement } from './element-room.ts';

/** A server has no elements: there the class only has its name. */
const Base = (globalThis.HTMLElement ?? class {}) as typeof HTMLElement;

class ConsoleElement extends Base {
  #token: (() => Promise<string>) | null = null;
  #room: OpenElement | null = null;
  #isPlanned = false;
  /** Counts the openings: a room whose code comes late is not opened. */
  #opening = 0;

  get token(): (() => Promise<string>) | null {
    return this.#token;
  }

  /** A new function is asked at once where no session is open. */
  set token(token: (() => Promise<string>) | null) {
    const isFirst = this.#token === null || token === null;
    this.#token = token;
    if (isFirst) this.#restart();
    else this.#room?.renew();
  }

  /** The name of the part that the element shows. */
  get mode(): string {
    return '';
  }

  connectedCallback(): void {
    // A page may have set the token before the script defined the element: it then hides the property of the class.
    if (Object.hasOwn(this, 'token')) {
      const { token } = this;
      delete (this as { token?: unknown }).token;
      this.token = token;
    }
    this.#restart();
  }

  disconnectedCallback(): void {
    this.#end();
  }

  attributeChangedCallback(name: string, before: string | null, after: string | null): void {
    if (before === after) return;
    if (name === 'mode' && this.#room) this.#room.show(this.mode);
    else this.#restart();
  }

  #end(): void {
    this.#opening++;
    this.#room?.close();
    this.#room = null;
  }

  /** Once for all attributes that are set in one turn. */
  #restart(): void {
    if (this.#isPlanned) return;
    this.#isPlanned = true;
    queueMicrotask(() => {
      this.#isPlanned = false;
      this.#end();
      const eventKey = this.getAttribute('event');
      if (this.isConnected && eventKey) void this.#open(eventKey, this.#opening);
    });
  }

  async #open(eventKey: string, opening: number): Promise<void> {
    const code = await import('./element-room.ts').catch(() => null);
    if (this.#opening !== opening) return;
    if (code === null) {
      this.#tell('parterre-error', { code: 'no_answer', text: 'The code of the element could not be loaded.' });
      return;
    }
    this.#room = code.openElement({
      eventKey,
      place: this.shadowRoot ?? this.attachShadow({ mode: 'open' }),
      base: (this.getAttribute('base-url') ?? '').replace(/\/$/, ''),
      locales: this.#locales(),
      part: this.mode,
      token: () => this.#token,
      tell: (name, detail) => this.#tell(name, detail),
    });
  }

  #locales(): string[] {
    const around = this.getAttribute('locale') || this.closest('[lang]')?.getAttribute('lang');
    return around ? [around] : [...navigator.languages];
  }

  #tell(name: string, detail: object): void {
    this.dispatchEvent(new CustomEvent(name, { detail, bubbles: true, composed: true }));
  }
}

const attributes = ['event', 'base-url', 'locale'];

export class ParterreControlRoomElement extends ConsoleElement {
  static readonly observedAttributes = attributes;

  override get mode(): string {
    return 'wall';
  }
}

export class ParterreEventManagerElement extends ConsoleElement {
  static readonly observedAttributes = [...attributes, 'mode'];

  override get mode(): string {
    return this.getAttribute('mode') || 'map';
  }
}

const registry = globalThis.customElements as CustomElementRegistry | undefined;
if (registry && !registry.get('parterre-control-room')) {
  registry.define('parterre-control-room', ParterreControlRoomElement);
  registry.define('parterre-event-manager', ParterreEventManagerElement);
}
