/**
 * A request's body on its way. Bytes are kept only within bounds (I8): the route's length, the number of pieces, and
 * the bytes of all bodies together. The callers that are not admitted yet share a lower bound of their own.
 *
 * States of a body: waiting (its caller is not admitted) → reading → whole or refused. Each state may go to discarding,
 * which keeps nothing. A waiting body that has sent `earlyBodyBytesMax` is paused. The caller may go away in each
 * state; the end of a paused connection shows once it goes on. The server library closes the connection of a slow
 * sender: in each ten seconds 160 KB must arrive, or the rest. This does not hold while a body is paused: the deadlines
 * of the admission end the pause.
 */
import type { HttpResponse } from 'uWebSockets.js';
import { done, type Outcome, refuse } from '@parterre/shared/errors';
import {
  bodiesBytesMax,
  bodyBytesMax,
  bodyPiecesMax,
  discardedBytesMax,
  earlyBodiesBytesMax,
  earlyBodyBytesMax,
} from '@parterre/shared/limits';

/** The bytes that waiting bodies have taken, and those that all others have taken. */
const taken = { early: 0, admitted: 0 };
const takenMax = { early: earlyBodiesBytesMax, admitted: bodiesBytesMax };

const SMALLEST_BUFFER = 4 * 1024;
const nothing = Buffer.alloc(0);

const noRoom = refuse('overloaded', 'Too many bodies are being received at once. Try again.', { retryable: true });
/** Never sent: the caller is gone. */
const incomplete = refuse('invalid_request', 'The body did not arrive in full.');
const tooManyPieces = refuse('payload_too_large', `A body here comes in at most ${bodyPiecesMax} pieces.`);

export class IncomingBody {
  readonly #response: HttpResponse;
  readonly #declaredBytes: number | null;
  #state: 'waiting' | 'reading' | 'ended' | 'discarding' = 'discarding';
  #share: keyof typeof taken = 'early';
  #bytesMax = 0;
  #buffer = nothing;
  #length = 0;
  #pieces = 0;
  #discarded = 0;
  #isOver = false;
  #isPaused = false;
  #refused: Outcome<never> | null = null;
  #settle: ((body: Outcome<Buffer>) => void) | null = null;
  #onOver: (() => void) | null = null;

  /** Keeps nothing unless `keep` is called in the same turn. */
  constructor(response: HttpResponse, declaredBytes: number | null) {
    this.#response = response;
    this.#declaredBytes = declaredBytes;
    response.onData((chunk, isLast) => this.#take(chunk, isLast));
  }

  /** From now on the body is waiting, with the bound of its route. */
  keep(bytesMax: number): void {
    this.#state = 'waiting';
    this.#bytesMax = bytesMax;
    if (this.#declaredBytes !== null && this.#declaredBytes > bytesMax) this.#refuse(this.#tooLarge());
  }

  /** The whole body of an admitted caller. Refused with `payload_too_large` or `overloaded`. */
  whole(): Promise<Outcome<Buffer>> {
    if (this.#refused) return Promise.resolve(this.#refused);
    if (!this.#isOver) this.#admit();
    if (this.#refused) return Promise.resolve(this.#refused);
    if (this.#isOver) return Promise.resolve(done(this.#handOut()));
    return new Promise((resolve) => {
      this.#settle = resolve;
    });
  }

  /** Drops the body, and calls `then` once its end has come, or more than `discardedBytesMax` of it. */
  discard(then: () => void): void {
    this.#drop();
    if (this.#isOver || this.#isLong()) then();
    else this.#onOver = then;
    this.#goOn();
  }

  /** The answer is about to be written, or the caller is gone. `canGoOn` is false for a caller that is gone. */
  end(canGoOn: boolean): void {
    this.#onOver = null;
    if (canGoOn) {
      this.#drop();
      this.#goOn();
    } else {
      this.#isPaused = false;
      this.#refuse(incomplete);
    }
  }

  #take(chunk: ArrayBuffer, isLast: boolean): void {
    this.#isOver = isLast;
    this.#pieces++;
    if (this.#state === 'discarding' || this.#state === 'ended') this.#passOver(chunk.byteLength);
    else this.#add(chunk);
  }

  #passOver(bytes: number): void {
    this.#discarded += bytes;
    if (this.#onOver === null || !(this.#isOver || this.#isLong())) return;
    const onOver = this.#onOver;
    this.#onOver = null;
    onOver();
  }

  #isLong(): boolean {
    return this.#discarded > discardedBytesMax || this.#pieces > bodyPiecesMax;
  }

  #add(chunk: ArrayBuffer): void {
    const length = this.#length + chunk.byteLength;
    if (length > this.#bytesMax) this.#refuse(this.#tooLarge());
    else if (this.#pieces > bodyPiecesMax) this.#refuse(tooManyPieces);
    else if (taken[this.#share] + chunk.byteLength > takenMax[this.#share]) this.#refuse(noRoom);
    else {
      this.#makeRoom(length);
      // The library reuses the chunk's memory after this call.
      if (chunk.byteLength > 0) this.#buffer.set(new Uint8Array(chunk), this.#length);
      taken[this.#share] += chunk.byteLength;
      this.#length = length;
      if (this.#isOver) this.#finish();
      else if (this.#state === 'waiting' && length > earlyBodyBytesMax) this.#pause();
    }
  }

  #finish(): void {
    if (this.#settle === null) return;
    const settle = this.#settle;
    this.#settle = null;
    settle(done(this.#handOut()));
  }

  #handOut(): Buffer {
    const body = this.#buffer.subarray(0, this.#length);
    this.#drop();
    return body;
  }

  #admit(): void {
    taken.early -= this.#length;
    taken.admitted += this.#length;
    this.#share = 'admitted';
    this.#state = 'reading';
    this.#goOn();
  }

  /**
   * A declared length up to `bodyBytesMax` of an admitted caller is allocated at once. Otherwise the buffer doubles, so
   * that nobody gets memory for bytes that do not come.
   */
  #makeRoom(length: number): void {
    if (length <= this.#buffer.length) return;
    const doubled = Math.max(2 * this.#buffer.length, length, SMALLEST_BUFFER);
    const room = this.#state === 'reading' && this.#declaredBytes !== null ? Math.max(doubled, bodyBytesMax) : doubled;
    const buffer = Buffer.allocUnsafe(Math.min(room, this.#declaredBytes ?? this.#bytesMax));
    buffer.set(this.#buffer.subarray(0, this.#length));
    this.#buffer = buffer;
  }

  #tooLarge(): Outcome<never> {
    return refuse('payload_too_large', `A body here is at most ${this.#bytesMax} bytes.`);
  }

  #refuse(refused: Outcome<never>): void {
    this.#refused = refused;
    const settle = this.#settle;
    this.#settle = null;
    this.#drop();
    settle?.(refused);
  }

  #drop(): void {
    taken[this.#share] -= this.#length;
    this.#length = 0;
    this.#buffer = nothing;
    this.#state = this.#isOver ? 'ended' : 'discarding';
  }

  #pause(): void {
    if (this.#isPaused) return;
    this.#isPaused = true;
    this.#response.pause();
  }

  #goOn(): void {
    if (!this.#isPaused) return;
    this.#isPaused = false;
    this.#response.resume();
  }
}
