/**
 * Sends large bodies piece by piece, as the caller's connection takes them. If the server library got a body whole, it
 * would copy all bytes that the connection does not take at once, for each reader. The pieces are views of the body's
 * bytes.
 *
 * States of a body: sending → waiting, when the connection takes no more → sending, when it takes more → sent. Each
 * state may go to aborted: the caller is gone, or has read nothing for the library's time-out of 10 seconds, which
 * closes the connection. The exchange is then aborted (requests.ts), and the bytes are freed.
 */
import type { HttpResponse } from 'uWebSockets.js';
import type { Body } from '../answers/answers.ts';

/** Smaller bodies go to the library whole. */
const PIECES_FROM_BYTES = 64 * 1024;
const PIECE_BYTES = 256 * 1024;

/** The body in one piece, or its parts if it is to be sent piece by piece. */
export function bodyToSend(body: Body): string | Uint8Array | readonly Uint8Array[] {
  if (typeof body === 'string') return body.length < PIECES_FROM_BYTES ? body : [Buffer.from(body)];
  const parts = body instanceof Uint8Array ? [body] : body;
  if (bytesOf(parts) >= PIECES_FROM_BYTES) return parts;
  return parts.length === 1 ? parts[0]! : Buffer.concat(parts);
}

export function asParts(body: string | Uint8Array | readonly Uint8Array[]): readonly Uint8Array[] {
  if (typeof body === 'string') return [Buffer.from(body)];
  return body instanceof Uint8Array ? [body] : body;
}

/**
 * Sends a small body. Call this after status and headers, in the same cork. Calls `onSent` once, when the library has
 * taken everything. If earlier answers still wait for their reader, this answer stays pending. A caller who sends on
 * and does not read loses its connection at the next request, and the library keeps one answer for it at most.
 */
export function sendWhole(response: HttpResponse, body: string | Uint8Array, onSent: () => void): void {
  // A total of 0 means the length of these bytes, which the library knows without counting the text's bytes again.
  if (response.tryEnd(body, 0)[1]) onSent();
  else sendOnWhenWritable(response, asParts(body), onSent);
}

/**
 * Call this after status and headers, in the same cork. Calls `onSent` once, when the connection has taken everything.
 */
export function sendPieces(response: HttpResponse, parts: readonly Uint8Array[], onSent: () => void): void {
  sendOnWhenWritable(response, parts, onSent);
  sendOn(response, parts, bytesOf(parts), onSent);
}

function sendOnWhenWritable(response: HttpResponse, parts: readonly Uint8Array[], onSent: () => void): void {
  const total = bytesOf(parts);
  response.onWritable(() => {
    let taken = true;
    response.cork(() => {
      taken = sendOn(response, parts, total, onSent);
    });
    return taken;
  });
}

/** False if the connection takes no more for now. */
function sendOn(response: HttpResponse, parts: readonly Uint8Array[], total: number, onSent: () => void): boolean {
  for (;;) {
    const [taken, ended] = response.tryEnd(pieceAt(parts, response.getWriteOffset()), total);
    if (ended) onSent();
    if (ended || !taken) return taken;
  }
}

export function bytesOf(parts: readonly Uint8Array[]): number {
  return parts.reduce((sum, { length }) => sum + length, 0);
}

/** The bytes after the first `offset` ones: at most PIECE_BYTES, all from one part. */
export function pieceAt(parts: readonly Uint8Array[], offset: number): Uint8Array {
  let start = offset;
  for (const part of parts) {
    if (start < part.length) return part.subarray(start, start + PIECE_BYTES);
    start -= part.length;
  }
  return new Uint8Array(0);
}
