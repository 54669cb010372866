/**
 * Bounds on what people have posted by pressing a button, so that it cannot be used to flood a stranger: so many at once, and
 * for each organisation and host few at once and so many a minute. Retries of the schedule have bounds of their own (turns.ts).
 */
import {
  manualPostsAtOnce,
  manualPostsPerHostAtOnce,
  manualPostsPerHostMax,
  manualPostsWindowMs,
} from '@parterre/shared/webhook-limits';

/** Where posts under way stand in the way: one of them may be over at any time. */
const underWayMs = 1_000;

type Host = { since: number; posts: number; underWay: number };

export type ManualPosts = {
  /** 0: it has begun, and `end` is to be called once the post is over. Else there is no room, and may be some in so many ms. */
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
      const key = keyOf(organisationId, url);
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
      hosts.get(keyOf(organisationId, url))!.underWay -= 1;
      underWay -= 1;
    },
  };

  /** Those whose minute is over, the oldest first: there are no more of them than were posted to within one. */
  function forget(now: number): void {
    for (const [key, { since, underWay }] of hosts) {
      if (now - since < manualPostsWindowMs) return;
      if (underWay === 0) hosts.delete(key);
    }
  }
}

function keyOf(organisationId: string, url: string): string {
  return `${organisationId} ${URL.canParse(url) ? new URL(url).host : ''}`;
}
