/**
 * Prevents request smuggling: bytes that follow an ambiguous request on its connection must never be served as a
 * request. The server library ends the connection after our 400, but first it parses all bytes that it read together
 * with the request. Within the same loop turn it calls us for every apparent request in these bytes.
 *
 * The library tells connections apart by address alone. Until the turn ends, every request from the address is cut off
 * unanswered. Other callers behind the same address may lose a connection in that turn, and must repeat their requests.
 */
import type { HttpResponse } from 'uWebSockets.js';

let distrusted: string | null = null;

export function distrust(response: HttpResponse): void {
  distrusted = addressOf(response);
  setImmediate(() => {
    distrusted = null;
  });
}

/**
 * True for a request from the distrusted address. The caller must ignore such a request. Its connection ends after the
 * answers to earlier requests.
 */
export function cutOff(response: HttpResponse): boolean {
  if (distrusted === null || distrusted !== addressOf(response)) return false;
  let gone = false;
  response.onAborted(() => {
    gone = true;
  });
  setImmediate(() => {
    if (!gone) response.close();
  });
  return true;
}

export function addressOf(response: HttpResponse): string {
  return Buffer.from(response.getRemoteAddressAsText()).toString();
}
