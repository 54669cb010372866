/** Joins replies that come in several messages. For each waiting command it gathers the copy that began last. */
import type { ReplyPart } from './commands.ts';

type Gathered = { copy: number | undefined; pieces: Uint8Array[] };

export class ReplyParts {
  readonly #gathered = new Map<number, Gathered>();

  /** The encoded reply once its last part has come; null before. A part out of order is ignored. */
  add({ id, copy, index, of, bytes }: ReplyPart): Uint8Array | null {
    if (index === 0) this.#gathered.set(id, { copy, pieces: [] });
    const gathered = this.#gathered.get(id);
    if (gathered?.copy !== copy || gathered?.pieces.length !== index) return null;
    gathered.pieces.push(bytes);
    if (gathered.pieces.length < of) return null;
    this.#gathered.delete(id);
    return Buffer.concat(gathered.pieces);
  }

  /** No command waits for this reply any more. */
  forget(id: number): void {
    this.#gathered.delete(id);
  }
}
