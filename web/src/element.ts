/**
 * `<parterre-map event="…" public-key="pk_…">`: the picker as an element. Attributes: `event` or `group`, `base-url`,
 * `public-key`, `bearer` (the key itself is the credential, without a session), `access` (the capability of an access
 * link, instead of a key), `max-selection`, `colours="palette"`, `holder` (the buyer, when the page's sessions belong
 * to persons), `locale`. The property `messages` has the host's own texts by key. A host with sessions of its own sets
 * the `token` property, a function that gives a token. The element reports by events that bubble: selectionchange,
 * hold, parterre-continue, holdexpired, holdreleased, booked, error.
 */

import { createMap, type ParterreMap } from './map.ts';
import type { Speech } from './messages/languages.ts';
import type { OwnMessages } from './messages/words.ts';
import type { MapOptions, SaleSubject } from './options.ts';
import type { Access } from './sale/access.ts';

/** A server has no elements: there the class only has its name. */
const Base = (globalThis.HTMLElement ?? class {}) as typeof HTMLElement;

export class ParterreMapElement extends Base {
  static readonly observedAttributes = [
    'event',
    'group',
    'base-url',
    'public-key',
    'access',
    'bearer',
    'holder',
    'max-selection',
    'colours',
    'locale',
  ];
  #map: ParterreMap | null = null;
  #token: (() => Promise<string>) | null = null;
  #messages: OwnMessages | null = null;
  #planned = false;

  /** The map, once it exists: `hold`, `extend`, `release`, `select` and the rest. */
  get map(): ParterreMap | null {
    return this.#map;
  }

  get token(): (() => Promise<string>) | null {
    return this.#token;
  }

  set token(token: (() => Promise<string>) | null) {
    this.#token = token;
    this.#restart();
  }

  connectedCallback(): void {
    // A page may have set these before the script defined the element: they then hide the properties of the class.
    for (const name of ['token', 'messages'] as const) this.#adopt(name);
    this.#restart();
  }

  #adopt<Name extends 'token' | 'messages'>(name: Name): void {
    if (!Object.hasOwn(this, name)) return;
    const value = this[name];
    delete (this as Partial<Pick<ParterreMapElement, Name>>)[name];
    (this as Pick<ParterreMapElement, Name>)[name] = value;
  }

  /** Texts of the host, by key. The map stays as it is. */
  get messages(): OwnMessages | null {
    return this.#messages;
  }

  set messages(messages: OwnMessages | null) {
    this.#messages = messages;
    this.#speak();
  }

  attributeChangedCallback(name: string): void {
    if (name === 'locale' && this.#map) this.#speak();
    else this.#restart();
  }

  disconnectedCallback(): void {
    this.#map?.destroy();
    this.#map = null;
  }

  #speech(): Speech {
    return { locale: this.getAttribute('locale') ?? undefined, messages: this.#messages ?? undefined };
  }

  #speak(): void {
    void this.#map?.speak(this.#speech());
  }

  /** Once for all attributes that are set in one turn. */
  #restart(): void {
    if (this.#planned) return;
    this.#planned = true;
    queueMicrotask(() => {
      this.#planned = false;
      this.#map?.destroy();
      const options = this.isConnected ? this.#options() : null;
      this.#map = options && createMap(this, options);
    });
  }

  #access(): Access | null {
    if (this.#token) return { token: this.#token };
    const capability = this.getAttribute('access');
    if (capability) return { capability };
    const publicKey = this.getAttribute('public-key');
    return publicKey ? { publicKey, bearer: this.hasAttribute('bearer') } : null;
  }

  /** An access link opens an event alone. */
  #sold(access: Access): SaleSubject | null {
    const event = this.getAttribute('event');
    const group = this.getAttribute('group');
    if (event) return { event, access };
    return group && !('capability' in access) ? { group, access } : null;
  }

  #options(): MapOptions | null {
    const access = this.#access();
    const sold = access && this.#sold(access);
    if (!sold) return null;
    const tell = (name: string) => (detail?: unknown) => {
      this.dispatchEvent(new CustomEvent(name, { detail, bubbles: true, composed: true }));
    };
    const baseUrl = this.getAttribute('base-url');
    const holder = this.getAttribute('holder');
    const locale = this.getAttribute('locale');
    const most = Number(this.getAttribute('max-selection'));
    return {
      ...sold,
      ...(baseUrl ? { baseUrl } : {}),
      ...(most > 0 ? { maxSelection: most } : {}),
      ...(holder ? { holder } : {}),
      ...(locale ? { locale } : {}),
      ...(this.#messages ? { messages: this.#messages } : {}),
      colours: this.getAttribute('colours') === 'palette' ? 'palette' : 'chart',
      onSelectionChange: tell('selectionchange'),
      onHold: tell('hold'),
      onContinue: tell('parterre-continue'),
      onHoldExpired: tell('holdexpired'),
      onHoldReleased: tell('holdreleased'),
      onBooked: tell('booked'),
      onError: tell('error'),
    };
  }
}
