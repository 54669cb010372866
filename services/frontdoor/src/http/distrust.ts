/**
 * Bytes that follow an ambiguous request on its connection must never be read as a request: that is request smuggling.
 * The server library ends the connection after our 400, but only after it has gone through all the bytes that it read
 * together with the request. Within the same loop turn it calls us for everything in them that looks like a request.
 *
 * The library tells connections apart by address alone. Until the turn ends, every request from the address is cut off
 * unanswered. Others behind the same address may lose a connection in that turn, and repeat.
 */
import type { HttpResponse } from 'uWebSockets.js';

let distrusted: string | null = null;

export function distrust(response: HttpResponse): void {
  distrusted = addressOf(response);
  setImmediate(() => {
    distrusted = null;
  });
}

/** Whether the request must not be looked at. If so, its connection ends after the answers to earlier requests. */
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
