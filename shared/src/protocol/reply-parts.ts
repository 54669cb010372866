/** Joins replies that come in several messages. For each waiting command it gathers the copy that began last. */
import type { ReplyPart } from './commands.ts';

type Gathered = { attempt: number | undefined; pieces: Uint8Array[] };

export class ReplyParts {
  readonly #gathered = new Map<number, Gathered>();

  /** The encoded reply once its last part has come; null before. A part out of order is ignored. */
  add({ id, attempt, index, of, bytes }: ReplyPart): Uint8Array | null {
    if (index === 0) this.#gathered.set(id, { attempt, pieces: [] });
    const gathered = this.#gathered.get(id);
    if (gathered?.attempt !== attempt || gathered?.pieces.length !== index) return null;
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
