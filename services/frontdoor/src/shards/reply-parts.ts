/** Answers that come in several messages, put together again: of each command that waits, the copy begun last. */
import type { ReplyPart } from '@parterre/shared/commands';

type Gathered = { attempt: number | undefined; pieces: Uint8Array[] };

export class ReplyParts {
  readonly #gathered = new Map<number, Gathered>();

  /** The encoded reply, once this was the last part of it. What does not follow on the part before is passed over. */
  add({ id, attempt, index, of, bytes }: ReplyPart): Uint8Array | null {
    if (index === 0) this.#gathered.set(id, { attempt, pieces: [] });
    const gathered = this.#gathered.get(id);
    if (gathered?.attempt !== attempt || gathered?.pieces.length !== index) return null;
    gathered.pieces.push(bytes);
    if (gathered.pieces.length < of) return null;
    this.#gathered.delete(id);
    return Buffer.concat(gathered.pieces);
  }

  /** Nobody waits for it any more. */
  forget(id: number): void {
    this.#gathered.delete(id);
  }
}
