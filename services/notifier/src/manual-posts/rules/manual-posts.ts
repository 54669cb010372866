/**
 * Bounds manual posts, so that nobody can flood a stranger's host with a button (I8): at once in all, and for each
 * organisation and host at once and in a minute. Scheduled attempts have bounds of their own
 * (deliveries/rules/slots.ts).
 */
import {
  manualPostsAtOnce,
  manualPostsPerHostAtOnce,
  manualPostsPerHostMax,
  manualPostsWindowMs,
} from '@parterre/shared/protocol/webhook-limits';

/** The pause where posts under way fill a bound: a post may end at any time. */
const underWayMs = 1_000;

type Host = { since: number; posts: number; underWay: number };

export type ManualPosts = {
  /**
   * Returns 0 if the post may begin. The caller then calls `end` once the post is over. Otherwise there is no room, and
   * the value is the pause in ms before another try.
   */
  begin(organisationId: string, url: string, now: number): number;
  end(organisationId: string, url: string): void;
};

export function createManualPosts(): ManualPosts {
  const hosts = new Map<string, Host>();
  let underWay = 0;

  return {
    begin(organisationId, url, now) {
      if (underWay >= manualPostsAtOnce) return underWayMs;
      forget(now);
      const key = hostKey(organisationId, url);
      const host = hosts.get(key) ?? { since: now, posts: 0, underWay: 0 };
      if (now - host.since >= manualPostsWindowMs) {
        host.since = now;
        host.posts = 0;
      }
      if (host.posts >= manualPostsPerHostMax) return host.since + manualPostsWindowMs - now;
      if (host.underWay >= manualPostsPerHostAtOnce) return underWayMs;
      host.posts += 1;
      host.underWay += 1;
      underWay += 1;
      hosts.set(key, host);
      return 0;
    },
    end(organisationId, url) {
      hosts.get(hostKey(organisationId, url))!.underWay -= 1;
      underWay -= 1;
    },
  };

  /**
   * Forgets hosts whose window is over, the oldest first. So there are never more hosts than were posted to within one
   * window.
   */
  function forget(now: number): void {
    for (const [key, { since, underWay }] of hosts) {
      if (now - since < manualPostsWindowMs) return;
      if (underWay === 0) hosts.delete(key);
    }
  }
}

function hostKey(organisationId: string, url: string): string {
  return `${organisationId} ${URL.canParse(url) ? new URL(url).host : ''}`;
}
