/**
 * The last request of a connection. No byte behind it is ever taken for a request: that would be request smuggling.
 *
 * The server library ends a connection on `end(…, true)` only after it has gone through all bytes of the same read. It
 * calls us for everything in them that looks like a request. But a request that follows while the answer is pending
 * makes the library close the connection, and it does not call us. So the answer stays pending until the read is over:
 * a promise may settle within the read, `setImmediate` runs after it. From then on the answer and the close are one
 * step, or the answer stays pending until the connection has taken all its bytes (`sendAndClose`).
 */
import type { Exchange } from './exchange.ts';
import { bytesOf, pieceAt } from './sending.ts';

/** Runs `then` when an answer may be written: at once, or for a last request once its body and its read are over. */
export function whenAnswerable(exchange: Exchange, then: () => void): void {
  if (!exchange.lastOfConnection) {
    then();
    return;
  }
  const afterRead = () =>
    setImmediate(() => {
      if (!exchange.ended) then();
    });
  if (exchange.body === null) afterRead();
  else exchange.body.discard(afterRead);
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
