/** Reads a request's body, within the route's bound and within what all bodies together may take of memory. */
import type { HttpResponse } from 'uWebSockets.js';

/** Bytes of bodies that are being read at once, over all requests. */
const BYTES_BEING_READ_MAX = 512 * 1024 * 1024;
let bytesBeingRead = 0;

/**
 * Calls `then` once: with the whole body, or as soon as it is known not to fit. What comes after that is thrown away
 * by the server library, so that the answer can be read by a caller who is still sending. The result is to be called
 * when the caller goes away.
 */
export function readBody(
  response: HttpResponse,
  declaredBytes: number | null,
  bytesMax: number,
  then: (body: Buffer | 'too-large' | 'no-room') => void,
): () => void {
  if (declaredBytes !== null && declaredBytes > bytesMax) {
    then('too-large');
    return () => {};
  }
  let chunks: Buffer[] = [];
  let length = 0;
  let done = false;

  const end = (result: Buffer | 'too-large' | 'no-room'): void => {
    done = true;
    bytesBeingRead -= length;
    chunks = [];
    then(result);
  };
  const onGone = (): void => {
    if (!done) bytesBeingRead -= length;
    done = true;
    chunks = [];
  };
  response.onData((chunk, isLast) => {
    if (done) return;
    length += chunk.byteLength;
    bytesBeingRead += chunk.byteLength;
    // The chunk's memory is the library's: it is gone when this returns.
    if (chunk.byteLength > 0) chunks.push(Buffer.from(new Uint8Array(chunk)));
    if (length > bytesMax) end('too-large');
    else if (bytesBeingRead > BYTES_BEING_READ_MAX) end('no-room');
    else if (isLast) end(chunks.length === 1 ? chunks[0]! : Buffer.concat(chunks));
  });
  return onGone;
}
