/**
 * Values as bytes: whole numbers in as few bytes as they need, texts, and exact amounts of money. `Unpacker` reads in
 * the same order in which `Packer` writes. Both serve values that are kept in great numbers, where objects would take
 * ten times the memory.
 */

const bytesFirst = 1_024;
/** The most bytes that a whole number takes. */
const wholeBytesMax = 8;

export class Packer {
  bytes = Buffer.allocUnsafeSlow(bytesFirst);
  length = 0;

  /** 0 to 2^53. */
  whole(value: number): void {
    this.#reserve(wholeBytesMax);
    const { bytes } = this;
    let at = this.length;
    let rest = value;
    // Times exceed the range of bit operations.
    for (; rest >= 2 ** 28; rest = Math.floor(rest / 0x80)) bytes[at++] = (rest % 0x80) | 0x80;
    for (; rest >= 0x80; rest >>>= 7) bytes[at++] = (rest & 0x7f) | 0x80;
    bytes[at++] = rest;
    this.length = at;
  }

  /** A positive or negative number, usually near 0. */
  step(value: number): void {
    this.whole(value < 0 ? -2 * value - 1 : 2 * value);
  }

  /** Any number. A number with at most two decimals is short. */
  amount(value: number): void {
    // `+ 0` turns -0 into 0; `Object.is` tells them apart.
    const hundredths = Math.round(value * 100) + 0;
    const isShort = hundredths >= 0 && hundredths < 2 ** 51 && Object.is(hundredths / 100, value);
    this.whole(isShort ? hundredths + 1 : 0);
    if (isShort) return;
    this.#reserve(8);
    this.bytes.writeDoubleLE(value, this.length);
    this.length += 8;
  }

  /** One byte for each character if all are Latin-1, otherwise two. Null differs from the empty text. */
  text(value: string | null): void {
    if (value === null) {
      this.whole(0);
      return;
    }
    const isWide = !isLatin1(value);
    this.whole(1 + 2 * value.length + (isWide ? 1 : 0));
    this.#reserve(value.length * 2);
    const { bytes } = this;
    let at = this.length;
    for (let i = 0; i < value.length; i++) {
      const code = value.charCodeAt(i);
      bytes[at++] = code;
      if (isWide) bytes[at++] = code >> 8;
    }
    this.length = at;
  }

  /**
   * Each unit is written as its distance from the unit before. Runs of neighbours are written as runs if that is
   * shorter.
   */
  units(units: readonly number[] | null): void {
    if (units === null) {
      this.whole(0);
      return;
    }
    const runs = runsIn(units);
    const isRuns = 2 * runs < units.length;
    this.whole(1 + 2 * (isRuns ? runs : units.length) + (isRuns ? 1 : 0));
    let before = -1;
    for (let at = 0; at < units.length; ) {
      const first = units[at++]!;
      this.step(first - before);
      before = first;
      if (!isRuns) continue;
      while (at < units.length && units[at] === before + 1) before = units[at++]!;
      this.whole(before - first);
    }
  }

  #reserve(more: number): void {
    if (this.length + more <= this.bytes.length) return;
    const larger = Buffer.allocUnsafeSlow(Math.max(2 * this.bytes.length, this.length + more));
    this.bytes.copy(larger, 0, 0, this.length);
    this.bytes = larger;
  }
}

export class Unpacker {
  bytes: Buffer = Buffer.alloc(0);
  at = 0;

  whole(): number {
    const { bytes } = this;
    let byte = bytes[this.at++]!;
    if (byte < 0x80) return byte;
    let value = byte & 0x7f;
    let weight = 0x80;
    for (;;) {
      byte = bytes[this.at++]!;
      value += (byte & 0x7f) * weight;
      if (byte < 0x80) return value;
      weight *= 0x80;
    }
  }

  step(): number {
    const value = this.whole();
    return value % 2 === 1 ? -(value + 1) / 2 : value / 2;
  }

  amount(): number {
    const hundredths = this.whole();
    if (hundredths > 0) return (hundredths - 1) / 100;
    this.at += 8;
    return this.bytes.readDoubleLE(this.at - 8);
  }

  text(): string | null {
    const form = this.whole();
    if (form === 0) return null;
    const start = this.at;
    const isWide = (form - 1) % 2 === 1;
    const length = Math.floor((form - 1) / 2);
    this.at += isWide ? 2 * length : length;
    return this.bytes.toString(isWide ? 'utf16le' : 'latin1', start, this.at);
  }

  /** Reads a text that is not null. `likely` is returned if it equals the text, so that no new string is made. */
  textLike(likely: string | undefined): string {
    return likely !== undefined && this.isText(likely) ? likely : this.text()!;
  }

  /** Whether the next text equals `text`. Moves behind the next text only if the two are equal. */
  isText(text: string): boolean {
    const start = this.at;
    const form = this.whole();
    const isWide = (form - 1) % 2 === 1;
    const { bytes } = this;
    let at = this.at;
    let i = form > 0 && Math.floor((form - 1) / 2) === text.length ? 0 : text.length + 1;
    for (; i < text.length; i++) {
      const code = isWide ? bytes[at++]! | (bytes[at++]! << 8) : bytes[at++]!;
      if (code !== text.charCodeAt(i)) break;
    }
    this.at = i === text.length ? at : start;
    return i === text.length;
  }

  skipText(): void {
    const form = this.whole();
    if (form === 0) return;
    const length = Math.floor((form - 1) / 2);
    this.at += (form - 1) % 2 === 1 ? 2 * length : length;
  }

  units(): number[] | null {
    const form = this.whole();
    if (form === 0) return null;
    const isRuns = (form - 1) % 2 === 1;
    const units: number[] = [];
    let before = -1;
    for (let left = Math.floor((form - 1) / 2); left > 0; left--) {
      before += this.step();
      units.push(before);
      for (let more = isRuns ? this.whole() : 0; more > 0; more--) units.push(++before);
    }
    return units;
  }
}

function runsIn(units: readonly number[]): number {
  let runs = 0;
  for (let at = 0; at < units.length; at++) if (at === 0 || units[at] !== units[at - 1]! + 1) runs++;
  return runs;
}

export function isLatin1(text: string): boolean {
  for (let i = 0; i < text.length; i++) if (text.charCodeAt(i) > 0xff) return false;
  return true;
}
