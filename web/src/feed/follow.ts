/**
 * Follows an event by its socket, and by looks at its map where no socket opens: a proxy or a policy may forbid it.
 *
 * States: live by the socket → waiting for the socket → (after a pause) looking, while the socket is still tried → live
 * by the socket. A look that fails makes the page wait; the next look may succeed. A refusal of access, from either,
 * ends both.
 */
import type { Result } from '../sale/calls.ts';
import { type Connection, type FeedApi, type FeedListener, followFeed } from './feed.ts';
import { keepLooking } from './looks.ts';

/** The time in which a socket opens, or opens again, on any usual network. */
const SOCKET_MS_MAX = 4_000;

export function followEvent(
  api: FeedApi,
  listener: FeedListener,
  look: () => Promise<Result<unknown>>,
): { stop(): void } {
  let looks: { stop(): void } | null = null;
  let lastLookFailed = true;
  let patience = setTimeout(startLooking, SOCKET_MS_MAX);
  let isPatient = true;
  let stopped = false;

  const ended: Connection['ended'] = (problem) => {
    stop();
    feed.stop();
    listener.ended(problem);
  };

  function startLooking(): void {
    isPatient = false;
    looks ??= keepLooking(look, {
      connection(state) {
        if (stopped) return;
        lastLookFailed = state === 'waiting';
        listener.connection(state);
      },
      ended,
    });
  }

  function endLooking(): void {
    clearTimeout(patience);
    isPatient = false;
    looks?.stop();
    looks = null;
    lastLookFailed = true;
  }

  function stop(): void {
    stopped = true;
    endLooking();
  }

  const feed = followFeed(api, {
    ...listener,
    connection(state) {
      if (stopped) return;
      if (state === 'live') {
        endLooking();
        listener.connection('live');
        return;
      }
      if (lastLookFailed) listener.connection('waiting');
      if (looks || isPatient) return;
      isPatient = true;
      patience = setTimeout(startLooking, SOCKET_MS_MAX);
    },
    ended,
  });
  return {
    stop() {
      stop();
      feed.stop();
    },
  };
}
