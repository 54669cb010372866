/**
 * A request's body on its way. Bytes are kept only within bounds (I8): the route's length, the number of pieces, and
 * the bytes of all bodies together. The callers that are not admitted yet share a lower bound of their own.
 *
 * States of a body: waiting (its caller is not admitted) → reading → whole or refused. Each state may go to discarding,
 * which keeps nothing. A waiting body that has sent `earlyBodyBytesMax` is paused. The caller may go away in each
 * state; the end of a paused connection shows once it goes on. The server library closes the connection of a slow
 * sender: in each ten seconds 160 KB must arrive, or the rest. This does not hold while a body is paused: the deadlines
 * of the admission end the pause. A reading body has `bodyMsMax` from its first piece on, or from its admission, and in
 * proportion more on routes of longer bodies. So slow senders cannot keep the room of all bodies for long. A body in
 * one piece needs no timer.
 *
 * A large body in chunks stops once (reading → held → reading): past `largeBodyBytesMin` it is paused until its turn
 * has come. The rest of the library's read still comes meanwhile, and is kept.
 *
 * A body in more than `bodyPiecesMax` chunks is a flood. The library calls us for each chunk and reads on without a
 * pause, so the answer is written at once (reads.ts). The body is then cut off, and its last chunk is reported.
 */
import type { HttpResponse } from 'uWebSockets.js';
import { done, type Outcome, refuse } from '@parterre/shared/protocol/errors';
import {
  bodiesBytesMax,
  bodyBytesMax,
  bodyMsMax,
  bodyPiecesMax,
  chartBodyBytesMax,
  discardedBytesMax,
  discardMsMax,
  earlyBodiesBytesMax,
  earlyBodyBytesMax,
  largeBodyBytesMin,
} from '@parterre/shared/protocol/limits';
import type { Clock } from '@parterre/shared/runtime/clock';
import { SECOND_MS } from '@parterre/shared/runtime/units';
import type { BodyReceiver, Incoming } from '../admission/admission.ts';

/** The bytes that waiting bodies have taken, and those that all others have taken. */
const taken = { early: 0, admitted: 0 };
const takenMax = { early: earlyBodiesBytesMax, admitted: bodiesBytesMax };

const SMALLEST_BUFFER = 4 * 1024;
const nothing = Buffer.alloc(0);

const noRoom = refuse('overloaded', 'Too many bodies are being received at once. Try again.', { retryable: true });
/** Never sent: the caller is gone, or has its answer. */
const incomplete = refuse('invalid_request', 'The body did not arrive in full. Send the request again.');
function tooSlow(ms: number): Outcome<never> {
  const message = `A body here has ${ms / SECOND_MS} s to arrive. Send it over a faster connection, or send less at once.`;
  return refuse('payload_too_large', message);
}

export const tooManyPieces = refuse('payload_too_large', `A body here comes in at most ${bodyPiecesMax} pieces.`);

/** Both are called within the library's read, at most once: past `bodyPiecesMax`, and at the last chunk after this. */
export type Flood = { begins(): void; ends(): void };

export class IncomingBody implements Incoming {
  readonly declaredBytes: number | null;
  readonly #response: HttpResponse;
  readonly #clock: Clock;
  readonly #flood: Flood;
  #state: 'waiting' | 'reading' | 'held' | 'ended' | 'discarding' | 'cut off' = 'discarding';
  #share: keyof typeof taken = 'early';
  #bytesMax = 0;
  #msMax = bodyMsMax;
  #buffer = nothing;
  #length = 0;
  #pieces = 0;
  #discarded = 0;
  #isOver = false;
  #isPaused = false;
  #isTimed = false;
  #hasTurn = false;
  #refused: Outcome<never> | null = null;
  #receiver: BodyReceiver | null = null;
  #mayPass = false;
  #onOver: (() => void) | null = null;
  #stopTimer: () => void = () => {};

  /** Keeps nothing unless `keep` is called in the same turn. `onFault` hears of an exception, and ends the exchange. */
  constructor(
    response: HttpResponse,
    declaredBytes: number | null,
    clock: Clock,
    flood: Flood,
    onFault: (error: unknown) => void,
  ) {
    this.#response = response;
    this.declaredBytes = declaredBytes;
    this.#clock = clock;
    this.#flood = flood;
    response.onData((chunk, isLast) => {
      try {
        this.#take(chunk, isLast);
      } catch (error) {
        onFault(error);
      }
    });
  }

  /**
   * From now on the body is waiting, with the bound of its route. If it `mayPass`, its receiver reads it within the
   * call, and a body that comes in one piece is not copied.
   */
  keep(bytesMax: number, mayPass: boolean): void {
    this.#state = 'waiting';
    this.#bytesMax = bytesMax;
    this.#msMax = Math.round(bodyMsMax * Math.max(1, bytesMax / chartBodyBytesMax));
    this.#mayPass = mayPass;
    if (this.declaredBytes !== null && this.declaredBytes > bytesMax) this.#refuse(this.#tooLarge());
  }

  /**
   * Hands over the whole body of an admitted caller, perhaps at once. Refused with `payload_too_large` or `overloaded`.
   */
  whole(receiver: BodyReceiver): void {
    if (this.#refused) {
      receiver.onWhole(this.#refused);
      return;
    }
    this.#receiver = receiver;
    if (!this.#isOver) this.#admit();
    if (this.#needsTurn()) this.#hold();
    else if (this.#isOver) this.#finish();
  }

  bound(bytesMax: number): void {
    if (bytesMax >= this.#bytesMax) return;
    this.#bytesMax = bytesMax;
    if (!this.#refused && Math.max(this.declaredBytes ?? 0, this.#length) > bytesMax) this.#refuse(this.#tooLarge());
  }

  /** Whether the last byte has come. */
  get isOver(): boolean {
    return this.#isOver;
  }

  goOn(): void {
    this.#hasTurn = true;
    if (this.#state !== 'held') return;
    this.#state = 'reading';
    if (this.#isOver) this.#finish();
    else this.#goOn();
  }

  /** Drops the body. Calls `then` at its end, after more than `discardedBytesMax` of it, or after `discardMsMax`. */
  discard(then: () => void): void {
    this.#drop();
    if (this.#isOver || this.#isLong()) {
      then();
      return;
    }
    this.#onOver = then;
    this.#stopTimer = this.#clock.after(discardMsMax, () => this.#reportOver());
    this.#goOn();
  }

  /** The answer is about to be written, or the caller is gone. `canGoOn` is false for a caller that is gone. */
  end(canGoOn: boolean): void {
    this.#forgetOver();
    if (this.#state === 'cut off') return;
    if (canGoOn) {
      this.#drop();
      this.#goOn();
    } else {
      this.#isPaused = false;
      this.#refuse(incomplete);
      // The receiver may have discarded the body within the call.
      this.#forgetOver();
    }
  }

  #take(chunk: ArrayBuffer, isLast: boolean): void {
    if (this.#state === 'cut off') {
      if (isLast) this.#flood.ends();
      return;
    }
    this.#isOver = isLast;
    if (this.declaredBytes === null && ++this.#pieces > bodyPiecesMax) this.#cutOff();
    else if (this.#state === 'discarding' || this.#state === 'ended') this.#passOver(chunk.byteLength);
    else this.#add(chunk);
  }

  #cutOff(): void {
    this.#forgetOver();
    this.#refuse(incomplete);
    this.#state = 'cut off';
    this.#flood.begins();
    if (this.#isOver) this.#flood.ends();
  }

  #passOver(bytes: number): void {
    this.#discarded += bytes;
    if (this.#isOver || this.#isLong()) this.#reportOver();
  }

  #reportOver(): void {
    const onOver = this.#onOver;
    this.#forgetOver();
    onOver?.();
  }

  #forgetOver(): void {
    this.#stopTimer();
    this.#onOver = null;
  }

  #isLong(): boolean {
    return this.#discarded > discardedBytesMax;
  }

  #add(chunk: ArrayBuffer): void {
    const length = this.#length + chunk.byteLength;
    if (length > this.#bytesMax) this.#refuse(this.#tooLarge());
    else if (taken[this.#share] + chunk.byteLength > takenMax[this.#share]) this.#refuse(noRoom);
    else if (this.#mayPassOn(chunk)) this.#pass(chunk);
    else {
      this.#makeRoom(length);
      // The library reuses the chunk's memory after this call.
      if (chunk.byteLength > 0) this.#buffer.set(new Uint8Array(chunk), this.#length);
      taken[this.#share] += chunk.byteLength;
      this.#length = length;
      this.#onMore();
    }
  }

  #onMore(): void {
    if (this.#state === 'held') return;
    if (this.#state === 'reading' && this.#needsTurn()) this.#hold();
    else if (this.#isOver) this.#finish();
    else if (this.#state === 'reading') this.#limitTime();
    else if (this.#length > earlyBodyBytesMax) this.#pause();
  }

  /** Whether nobody has asked for the turn of this body yet. The length of a declared body tells it at the head. */
  #needsTurn(): boolean {
    return this.declaredBytes === null && !this.#hasTurn && this.#length > largeBodyBytesMin;
  }

  #hold(): void {
    this.#state = 'held';
    if (!this.#isOver) this.#pause();
    this.#receiver?.onLarge(this.#length);
  }

  #mayPassOn(chunk: ArrayBuffer): boolean {
    if (!this.#isOver || !this.#mayPass || this.#receiver === null) return false;
    return this.#length === 0 && chunk.byteLength <= largeBodyBytesMin;
  }

  #pass(chunk: ArrayBuffer): void {
    this.#drop();
    this.#settle(done(Buffer.from(chunk)));
  }

  #finish(): void {
    if (this.#receiver !== null) this.#settle(done(this.#handOut()));
  }

  #settle(body: Outcome<Buffer>): void {
    const receiver = this.#receiver;
    this.#receiver = null;
    receiver?.onWhole(body);
  }

  #handOut(): Buffer {
    const body = this.#length === this.#buffer.length ? this.#buffer : this.#buffer.subarray(0, this.#length);
    this.#drop();
    return body;
  }

  #admit(): void {
    taken.early -= this.#length;
    taken.admitted += this.#length;
    this.#share = 'admitted';
    this.#state = 'reading';
    if (this.#length > 0) this.#limitTime();
    this.#goOn();
  }

  #limitTime(): void {
    if (this.#isTimed) return;
    this.#isTimed = true;
    this.#stopTimer = this.#clock.after(this.#msMax, () => this.#refuse(tooSlow(this.#msMax)));
  }

  /**
   * A declared length up to `bodyBytesMax` of an admitted caller is allocated at once. Otherwise the buffer doubles, so
   * that nobody gets memory for bytes that do not come.
   */
  #makeRoom(length: number): void {
    if (length <= this.#buffer.length) return;
    const doubled = Math.max(2 * this.#buffer.length, length, SMALLEST_BUFFER);
    const room = this.#state === 'reading' && this.declaredBytes !== null ? Math.max(doubled, bodyBytesMax) : doubled;
    const buffer = Buffer.allocUnsafe(Math.min(room, this.declaredBytes ?? this.#bytesMax));
    if (this.#length > 0) buffer.set(this.#buffer.subarray(0, this.#length));
    this.#buffer = buffer;
  }

  #tooLarge(): Outcome<never> {
    return refuse('payload_too_large', `A body here is at most ${this.#bytesMax} bytes.`);
  }

  #refuse(refused: Outcome<never>): void {
    this.#refused = refused;
    this.#drop();
    this.#settle(refused);
  }

  #drop(): void {
    this.#stopTimer();
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
