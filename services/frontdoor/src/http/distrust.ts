/**
 * What stands behind an ambiguous request on its connection must never be taken for a request: that is how requests are
 * smuggled. The server library ends the connection after our 400, but only once it has gone through all the bytes it
 * read together with it, and calls us for what looks like requests in them, within the same loop turn.
 *
 * The library tells connections apart by address alone. Until the turn ends, whatever comes from the address is cut off
 * unanswered: others behind the same address may lose a connection in that very turn, and repeat.
 */
import type { HttpResponse } from 'uWebSockets.js';

let distrusted: string | null = null;

export function distrust(response: HttpResponse): void {
  distrusted = addressOf(response);
  setImmediate(() => {
    distrusted = null;
  });
}

/** Whether the request is one that must not be looked at; its connection then ends, after what was answered before it. */
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
