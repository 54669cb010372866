/** Each message has these fields. `chartId` is null until the session is known. */
type Message<Type extends string> = { version: 1; type: Type; chartId: string | null };

/** The events of the element, with their `detail`. Each one bubbles. Times are in milliseconds since 1970. */
export interface DesignerEvents {
  'parterre-ready': Message<'ready'> & {
    authority: 'read-only' | 'edit' | 'publish';
    name: string;
    updatedAt: number;
  };
  'parterre-dirty': Message<'dirty'> & { at: number };
  'parterre-saved': Message<'saved'> & { updatedAt: number };
  'parterre-published': Message<'published'> & {
    publishedVersion: number | null;
    refreshed: string[];
    needsUpdate: string[];
  };
  'parterre-error': Message<'error'> & { code: string; message: string };
}

export declare class ParterreDesignerElement extends HTMLElement {
  static readonly observedAttributes: string[];
  connectedCallback(): void;
  attributeChangedCallback(name: string): void;
  disconnectedCallback(): void;
  /** Saves now. True once the server has everything. */
  save(): Promise<boolean>;
  /** Goes on with a fresh session of the same chart, by its `designerUrl`. */
  renew(designerUrl: string): Promise<boolean>;
  focus(): void;
}

declare global {
  interface HTMLElementTagNameMap {
    'parterre-designer': ParterreDesignerElement;
  }
}
