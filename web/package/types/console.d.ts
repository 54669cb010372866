/** A part of an event in a page of a platform. `token` gives a token of a manage session (`mse_…`). */
interface ConsoleElement extends HTMLElement {
  token: (() => Promise<string>) | null;
}

/** `<parterre-control-room event="…" base-url="…" locale="…">`. On a server this is an empty class. */
export class ParterreControlRoomElement extends HTMLElement implements ConsoleElement {
  token: (() => Promise<string>) | null;
}

/** `<parterre-event-manager event="…" mode="map" base-url="…" locale="…">`. On a server this is an empty class. */
export class ParterreEventManagerElement extends HTMLElement implements ConsoleElement {
  token: (() => Promise<string>) | null;
}

/** The events of both elements, with their `detail`. Each one bubbles. */
export interface ConsoleEvents {
  'parterre-ready': { mode: string; capabilities: string[] };
  'parterre-done': { mode: string; text: string };
  'parterre-mode': { mode: string };
  'parterre-leave': { path: string[]; query: Record<string, string> };
  'parterre-session-ended': Record<string, never>;
  'parterre-error': { code: string; text: string };
}

declare global {
  interface HTMLElementTagNameMap {
    'parterre-control-room': ParterreControlRoomElement;
    'parterre-event-manager': ParterreEventManagerElement;
  }
}
