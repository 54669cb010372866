/**
 * The way into the session: one opening at a time, and one place for the page. A request of the page around that
 * arrives during an opening waits for its end. Then the open place hears it; without a place the next token opens
 * again.
 */
import type { PageAsks } from '../embed/messages.ts';

type PageListener = { hear(what: PageAsks): void };

export type EntrancePorts<Opened extends PageListener> = {
  /** Opens the session of the present token. Null where the page stays without a place, and says why. */
  open(): Promise<Opened | null>;
  /** The platform's fresh token, for a page that had none or an ended one. */
  take(token: string): void;
  /** Answers a request. The place is null where none opened. */
  answer(asked: number, place: Opened | null): void;
};

/** The element around has at most 100 requests under way. */
const WAITING_MAX = 100;

export class Entrance<Opened extends PageListener> {
  readonly #ports: EntrancePorts<Opened>;
  #place: Opened | null = null;
  #isOpening = false;
  #waiting: PageAsks[] = [];

  constructor(ports: EntrancePorts<Opened>) {
    this.#ports = ports;
  }

  /** Does nothing during an opening. `asked` is the request that the opening answers. */
  async open(asked: number | null = null): Promise<void> {
    if (this.#isOpening || this.#place) return;
    this.#isOpening = true;
    try {
      this.#place = await this.#ports.open();
    } finally {
      this.#isOpening = false;
      if (asked !== null) this.#ports.answer(asked, this.#place);
      const waiting = this.#waiting;
      this.#waiting = [];
      for (const what of waiting) this.hear(what);
    }
  }

  hear(what: PageAsks): void {
    if (this.#place) this.#place.hear(what);
    else if (this.#isOpening) this.#wait(what);
    else if (what.type === 'token') {
      this.#ports.take(what.token);
      void this.open(what.id);
    } else this.#refuse(what);
  }

  #wait(what: PageAsks): void {
    if (this.#waiting.length < WAITING_MAX) this.#waiting.push(what);
    else this.#refuse(what);
  }

  #refuse(what: PageAsks): void {
    if (what.type !== 'focus') this.#ports.answer(what.id, null);
  }
}
