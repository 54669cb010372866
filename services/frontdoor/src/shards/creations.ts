/** Events that are being created, with the commands that wait for the creation. */
import type { Waiting } from './waiting-commands.ts';

export class Creations {
  readonly #parked = new Map<string, Waiting[]>();

  /** True if the command is the first to wait: the creation must begin. */
  park(waiting: Waiting): boolean {
    const { eventKey } = waiting.envelope;
    waiting.state = 'parked';
    const parked = this.#parked.get(eventKey);
    if (parked) parked.push(waiting);
    else this.#parked.set(eventKey, [waiting]);
    return parked === undefined;
  }

  /** The creation has ended: the commands that waited for it. */
  end(eventKey: string): readonly Waiting[] {
    const parked = this.#parked.get(eventKey) ?? [];
    this.#parked.delete(eventKey);
    return parked;
  }
}
