/**
 * Decides when an answer may be written, and closes a connection with its last answer. The server library handles all
 * bytes of a read at once, and reads again at once while its buffer of 512 KiB was full. It calls us for everything in
 * them that looks like a request, and asks us nothing in between.
 *
 * No answer is written within the read of its request (`isAnswerable`). A request behind a pending answer makes the
 * library close the connection without a call to us. So no caller holds the loop with a row of requests, and a caller
 * that does not read piles up no answers.
 *
 * The last request of a connection: no byte behind it is ever taken for a request, which would be request smuggling.
 * The library ends a connection on `end(…, true)` only after the read. So the answer stays pending until the body and
 * the read are over: a promise may settle within the read, `setImmediate` runs after it. From then on the answer and
 * the close are one step, or the answer stays pending until the connection has taken all its bytes (`sendAndClose`).
 *
 * A flood of chunks may keep the library reading for ever, so its answer is written within the read
 * (`endWithinRead`). The library closes the connection after this read. Bytes behind the flood's last chunk look like a
 * request to it. They come in the same turn of the loop and from the same address, and `isBehindFlood` finds them.
 * Ordinary requests of this address in this one turn lose their connection too.
 */
import type { HttpResponse } from 'uWebSockets.js';
import type { Answer } from '../answers/answers.ts';
import { type Exchange, type HttpCounters, writeHead } from './exchange.ts';
import { bytesOf, pieceAt } from './sending.ts';

let turn = 0;
let isArmed = false;
const floodAddresses = new Set<string>();

/** The number of the loop's turn. It changes once all reads of the turn are over. */
export function currentTurn(): number {
  if (!isArmed) {
    isArmed = true;
    setImmediate(() => {
      isArmed = false;
      turn++;
      // An empty set is not cleared for nothing: each clearing allocates.
      if (floodAddresses.size > 0) floodAddresses.clear();
    });
  }
  return turn;
}

/** Whether an answer may be written now: the read of its request is over, and more requests may follow. */
export function isAnswerable(exchange: Exchange): boolean {
  return !exchange.lastOfConnection && exchange.turn !== currentTurn();
}

/** Runs `then` after the read, and for a last request once its body is over. */
export function onceAnswerable(exchange: Exchange, then: () => void): void {
  const afterRead = () =>
    setImmediate(() => {
      if (!exchange.ended) then();
    });
  if (exchange.lastOfConnection && exchange.body) exchange.body.discard(afterRead);
  else afterRead();
}

/**
 * Sends a body of at least one byte and closes the connection. Call this after status and headers, in the same cork.
 * The library takes an answer for complete when it has the number of bytes that each call tells. The first call tells
 * the true number, for Content-Length. The later calls tell one more, so that the answer stays pending.
 *
 * The last byte goes alone: the library takes it only after it has handed over everything before. `onSent` is called
 * once, just before the close.
 */
export function sendAndClose(exchange: Exchange, parts: readonly Uint8Array[], onSent: () => void): void {
  const { response } = exchange;
  const total = bytesOf(parts);
  const sendOn = (): boolean => {
    while (response.getWriteOffset() < total) {
      const offset = response.getWriteOffset();
      const piece = pieceAt(parts, offset).subarray(0, Math.max(1, total - 1 - offset));
      let taken = false;
      response.cork(() => {
        [taken] = response.tryEnd(piece, total + 1);
      });
      if (!taken) return false;
    }
    onSent();
    // Not within the library's own call of `onWritable`, which still uses the connection afterwards.
    setImmediate(() => {
      if (!exchange.gone) response.close();
    });
    return true;
  };
  response.onWritable(() => exchange.ended || sendOn());
  response.tryEnd(pieceAt(parts, 0).subarray(0, total - 1), total);
  setImmediate(() => {
    if (!exchange.ended) sendOn();
  });
}

/** Ends a flood of chunks, within the library's read. An answer that is already on its way is cut short. */
export function endWithinRead(exchange: Exchange, counters: HttpCounters, answer: Answer & { body: string }): void {
  if (exchange.gone) return;
  const { response } = exchange;
  if (exchange.isBegun) {
    response.end('', true);
  } else {
    writeHead(exchange, counters, answer);
    if (exchange.headOnly) response.endWithoutBody(0, true);
    else response.end(answer.body, true);
  }
  exchange.gone = true;
  if (exchange.ended) return;
  exchange.ended = true;
  counters.underWay--;
  exchange.onGone?.();
}

/** The last chunk of a flood has come. A request in the same read may follow. */
export function noteEndOfFlood(address: string): void {
  currentTurn();
  floodAddresses.add(address);
}

/** Whether a request may consist of bytes behind a flood. Its connection is to be closed. */
export function isBehindFlood(response: HttpResponse): boolean {
  return floodAddresses.size > 0 && floodAddresses.has(addressOf(response));
}

export function addressOf(response: HttpResponse): string {
  return Buffer.from(response.getRemoteAddressAsText()).toString();
}
