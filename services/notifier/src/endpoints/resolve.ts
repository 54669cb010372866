/**
 * Looks up the addresses of a receiver's name. The system's look-up (getaddrinfo) runs on the process's four worker
 * threads. Four names that never resolve would stop every other name and all file access there. So c-ares asks DNS here
 * without threads, within a time bound.
 *
 * Each look-up has a resolver of its own. Giving up a look-up therefore ends no other look-up, and a changed
 * resolv.conf takes effect with the next look-up. IPv4 and IPv6 are asked at once; once one of them has given
 * addresses, the other gets a moment more. Only DNS is asked, no hosts file, and no search domain is tried. `localhost`
 * is the loopback address, as in RFC 6761.
 */
import { Resolver } from 'node:dns';
import { receiverAddressesMax, resolveMs, resolveSecondMs } from '@parterre/shared/protocol/webhook-limits';
import type { Clock } from '@parterre/shared/runtime/clock';

const TRY_MS = 1_500;
const TRIES = 3;

/**
 * Calls `done` once, never before the function returns, with no addresses where no answer comes. The returned function
 * gives up.
 */
export type Resolve = (name: string, done: (addresses: string[]) => void) => () => void;

/** `servers`, each `address:port`, replace those of resolv.conf. */
export function createResolve(clock: Clock, servers: string[] | null): Resolve {
  return (name, done) => {
    if (isLocalhost(name)) return later(() => done(['127.0.0.1', '::1']));
    const resolver = new Resolver({ timeout: TRY_MS, tries: TRIES });
    if (servers) resolver.setServers(servers);
    const found: Record<'v4' | 'v6', string[] | null> = { v4: null, v6: null };
    let isOver = false;
    const cancelTimer = clock.after(resolveMs, end);
    let cancelSecond = () => {};

    function giveUp(): void {
      if (isOver) return;
      isOver = true;
      cancelTimer();
      cancelSecond();
      resolver.cancel();
    }
    function end(): void {
      if (isOver) return;
      giveUp();
      done([...(found.v4 ?? []), ...(found.v6 ?? [])].slice(0, receiverAddressesMax));
    }
    function answered(family: 'v4' | 'v6', addresses: string[] | undefined): void {
      if (isOver) return;
      found[family] = addresses ?? [];
      if (found.v4 && found.v6) end();
      else if (found[family].length > 0) cancelSecond = clock.after(resolveSecondMs, end);
    }
    resolver.resolve4(name, (_error, addresses) => answered('v4', addresses));
    resolver.resolve6(name, (_error, addresses) => answered('v6', addresses));
    return giveUp;
  };
}

function isLocalhost(name: string): boolean {
  return /(^|\.)localhost\.?$/i.test(name);
}

function later(run: () => void): () => void {
  let isOver = false;
  queueMicrotask(() => {
    if (!isOver) run();
  });
  return () => {
    isOver = true;
  };
}
