/**
 * Many texts in two arrays: all characters, one byte each where all are Latin-1, and the start of each text. A plan has
 * 100,000 labels, whose memory as strings would be many times as much. The arrays move to another thread as they are.
 */

export type TextArrays = {
  codes: Uint8Array | Uint16Array;
  /** The start of each text in `codes`, and the end of the last text. */
  starts: Uint32Array;
};

export class TextColumn {
  readonly #codes: TextArrays['codes'];
  readonly #starts: Uint32Array;
  /** The same bytes as a Buffer, which makes strings. */
  readonly #bytes: Buffer;

  constructor({ codes, starts }: TextArrays) {
    this.#codes = codes;
    this.#starts = starts;
    this.#bytes = bytesOf(codes);
  }

  static of(texts: readonly string[]): TextColumn {
    const starts = new Uint32Array(texts.length + 1);
    for (let index = 0; index < texts.length; index++) starts[index + 1] = starts[index]! + texts[index]!.length;
    return new TextColumn({ codes: codesOf(texts.join('')), starts });
  }

  get arrays(): TextArrays {
    return { codes: this.#codes, starts: this.#starts };
  }

  get length(): number {
    return this.#starts.length - 1;
  }

  /** The bytes of memory. */
  get bytes(): number {
    return this.#codes.byteLength + this.#starts.byteLength;
  }

  at(index: number): string {
    return this.#textOf(this.#starts[index]!, this.#starts[index + 1]!);
  }

  /** The texts from `from` to `to`, without `to`, newly made: quicker than `at` for a caller that needs many. */
  range(from: number, to: number): string[] {
    const starts = this.#starts;
    const first = starts[from]!;
    const text = this.#textOf(first, starts[to]!);
    const texts = new Array<string>(to - from);
    for (let index = from; index < to; index++) {
      texts[index - from] = text.slice(starts[index]! - first, starts[index + 1]! - first);
    }
    return texts;
  }

  is(index: number, text: string): boolean {
    const codes = this.#codes;
    const starts = this.#starts;
    const start = starts[index]!;
    if (starts[index + 1]! - start !== text.length) return false;
    // Labels near each other differ at their end.
    for (let i = text.length - 1; i >= 0; i--) {
      if (codes[start + i] !== text.charCodeAt(i)) return false;
    }
    return true;
  }

  /** Whether the first texts are those of `other`. Compares bytes: a hundred thousand labels take 0.1 ms. */
  beginsWith({ length, arrays }: TextColumn): boolean {
    if (length > this.length || this.#codes.BYTES_PER_ELEMENT !== arrays.codes.BYTES_PER_ELEMENT) return false;
    return beginsWith(this.#starts, arrays.starts) && beginsWith(this.#codes, arrays.codes);
  }

  #textOf(start: number, end: number): string {
    const isLatin1 = this.#codes.BYTES_PER_ELEMENT === 1;
    return isLatin1 ? this.#bytes.toString('latin1', start, end) : this.#bytes.toString('utf16le', 2 * start, 2 * end);
  }
}

/** The same bytes, not copied. */
function bytesOf({ buffer, byteOffset, byteLength }: ArrayBufferView): Buffer {
  return Buffer.from(buffer, byteOffset, byteLength);
}

function beginsWith(column: ArrayBufferView, other: ArrayBufferView): boolean {
  return bytesOf(column).subarray(0, other.byteLength).equals(bytesOf(other));
}

/** UTF-16 as in JavaScript where a character is not Latin-1. */
function codesOf(text: string): Uint8Array | Uint16Array {
  // biome-ignore lint/suspicious/noControlCharactersInRegex: a label may hold any character.
  const isLatin1 = /^[\u0000-\u00ff]*$/.test(text);
  const codes = isLatin1 ? new Uint8Array(text.length) : new Uint16Array(text.length);
  for (let i = 0; i < codes.length; i++) codes[i] = text.charCodeAt(i);
  return codes;
}
