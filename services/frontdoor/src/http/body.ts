/** Reads a request's body, within the route's bound and within a bound on the memory of all bodies together. */
import type { HttpResponse } from 'uWebSockets.js';

/** The most bytes of bodies that are being read at once, over all requests. */
const BYTES_BEING_READ_MAX = 512 * 1024 * 1024;
let bytesBeingRead = 0;

/**
 * Calls `then` once: with the whole body, or as soon as the body is known not to fit. The server library discards the
 * rest of the body, so that a caller who is still sending can read the answer. Call the returned function when the
 * caller goes away.
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
    // The library reuses the chunk's memory after this call.
    if (chunk.byteLength > 0) chunks.push(Buffer.from(new Uint8Array(chunk)));
    if (length > bytesMax) end('too-large');
    else if (bytesBeingRead > BYTES_BEING_READ_MAX) end('no-room');
    else if (isLast) end(chunks.length === 1 ? chunks[0]! : Buffer.concat(chunks));
  });
  return onGone;
}
