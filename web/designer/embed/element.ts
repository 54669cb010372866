/**
 * `<parterre-designer designer-url="…">`: the designer in a frame of a platform's page. `designerUrl` of a designer
 * session is the attribute; `label` names the frame for screen readers. The element reports by events that bubble:
 * parterre-ready, parterre-dirty, parterre-saved, parterre-published, parterre-error. Messages are heard from the frame
 * itself with the origin of its address alone, and sent to this origin alone.
 */
import { createFrame, type DesignerFrame } from './frame.ts';
import type { DesignerMessage } from './messages.ts';

/** A server has no elements: there the class only has its name. */
const Base = (globalThis.HTMLElement ?? class {}) as typeof HTMLElement;

/** A shadow root is styled without a style of the page, which a strict policy refuses. */
const looks = `
:host { display: block; position: relative; block-size: clamp(480px, 88vh, 1000px); min-block-size: 320px; overflow: hidden; }
:host([hidden]) { display: none; }
iframe { position: absolute; inset: 0; inline-size: 100%; block-size: 100%; border: 0; }
`;

export class ParterreDesignerElement extends Base {
  static readonly observedAttributes = ['designer-url', 'label'];
  #frame: DesignerFrame | null = null;
  #isPlanned = false;

  connectedCallback(): void {
    this.#restart();
  }

  attributeChangedCallback(name: string): void {
    if (name === 'label') this.#frame?.name(this.#label());
    else this.#restart();
  }

  disconnectedCallback(): void {
    this.#frame?.end();
    this.#frame = null;
  }

  /** Saves now. Resolves with true once the server has everything; with false where it cannot. */
  save(): Promise<boolean> {
    return this.#frame?.save() ?? Promise.resolve(false);
  }

  /**
   * Goes on with a fresh session of the same chart, without loading the page again: for a session that ends, or has
   * ended. Resolves as `save` does.
   */
  renew(designerUrl: string): Promise<boolean> {
    const token = new URLSearchParams(new URL(designerUrl, location.href).hash.slice(1)).get('token');
    return token && this.#frame ? this.#frame.renew(token) : Promise.resolve(false);
  }

  override focus(): void {
    this.#frame?.focus();
  }

  #label(): string {
    return this.getAttribute('label') || 'Seat map designer';
  }

  /** Once for all attributes that are set in one turn. */
  #restart(): void {
    if (this.#isPlanned) return;
    this.#isPlanned = true;
    queueMicrotask(() => {
      this.#isPlanned = false;
      this.#frame?.end();
      this.#frame = null;
      const url = this.getAttribute('designer-url');
      if (!this.isConnected || !url) return;
      const shadow = this.shadowRoot ?? this.attachShadow({ mode: 'open', delegatesFocus: true });
      const sheet = new CSSStyleSheet();
      sheet.replaceSync(looks);
      shadow.adoptedStyleSheets = [sheet];
      this.#frame = createFrame(shadow, new URL(url, location.href), this.#label(), (message) => this.#tell(message));
    });
  }

  #tell(message: DesignerMessage): void {
    const { source: _, ...detail } = message;
    this.dispatchEvent(new CustomEvent(`parterre-${message.type}`, { detail, bubbles: true, composed: true }));
  }
}
