/**
 * Follows an event over its WebSocket for as long as the page wants: a ticket for each connection, resumed after the
 * last version seen. The ticket of the first connection may be asked for while the page still loads.
 *
 * States: asking for a ticket → opening → live → waiting → asking …, and ended, which is final. Failures: no ticket (a
 * refusal of access ends the feed, any other failure waits and asks again); a socket that closes, by its code; a dead
 * open socket, known by a ping without a pong. A frame or a close of an earlier socket is ignored.
 */

import type { Problem } from '../messages/problems.ts';
import type { DeltaFrame, SnapshotFrame } from '../rules/statuses.ts';
import type { Result } from '../sale/calls.ts';
import { afterClose } from './reconnect.ts';

export type FeedFrame =
  | SnapshotFrame
  | (DeltaFrame & { resumed?: true })
  | { type: 'hidden'; hidden: string[]; closed: string[] }
  | { type: 'presence'; shoppingSessions: number; activeHolds: number }
  | { type: 'allocation'; allocationVersion: number }
  | { type: 'pong' };

export type Connection = {
  connection(state: 'live' | 'waiting'): void;
  /** For good. */
  ended(problem: Problem): void;
};

type Ticket = { protocols: string[] };

/** The answer about a ticket that was asked for before; null for none. */
export type FirstTicket = () => Promise<Result<Ticket>> | null;

export type FeedListener = Connection & {
  frame(frame: FeedFrame): void;
  firstTicket?: FirstTicket;
  /** The version to resume after; 0 for none. */
  version(): number;
};

/** The calls that a feed makes: for tickets, and for another credential. */
export type FeedApi = {
  call<T>(method: 'POST', action: 'subscribe-tickets', options: { body: object; once: true }): Promise<Result<T>>;
  renew(): Promise<unknown>;
  socketUrl: string;
};

/** A ticket lives for 30 s. The script of the page's head may have asked for it (early.ts). */
const FIRST_TICKET_MS_MAX = 12_000;
const PING_MS = 25_000;
const PONG_MS = 10_000;

const askTicket = (api: FeedApi): Promise<Result<Ticket>> =>
  api.call<Ticket>('POST', 'subscribe-tickets', { body: {}, once: true });

/** Asks for a ticket now. The function gives the answer once, and not after the ticket may have ended. */
export function askFirstTicket(api: FeedApi): FirstTicket {
  let asked: Promise<Result<Ticket>> | null = askTicket(api);
  const until = performance.now() + FIRST_TICKET_MS_MAX;
  return () => {
    const first = performance.now() < until ? asked : null;
    asked = null;
    return first;
  };
}

export function followFeed(api: FeedApi, listener: FeedListener): { stop(): void } {
  let socket: WebSocket | null = null;
  let attempt = 0;
  let stopped = false;
  let pinging: ReturnType<typeof setInterval> | undefined;
  let waiting: ReturnType<typeof setTimeout> | undefined;
  let dead: ReturnType<typeof setTimeout> | undefined;

  async function connect(): Promise<void> {
    const ticket = await (listener.firstTicket?.() ?? askTicket(api));
    if (stopped) return;
    if (!ticket.ok) {
      const denied = ticket.status === 401 || ticket.status === 403 || ticket.status === 404;
      if (denied) end(ticket.problem);
      else again(0);
      return;
    }
    const version = listener.version();
    const offered = ticket.value.protocols.filter((name) => !name.endsWith('.bin'));
    open(new WebSocket(api.socketUrl, version > 0 ? [...offered, `sv.${version}`] : offered));
  }

  function open(opened: WebSocket): void {
    socket = opened;
    opened.onmessage = ({ data }) => {
      if (socket !== opened) return;
      clearTimeout(dead);
      attempt = 0;
      const frame = JSON.parse(data) as FeedFrame;
      listener.connection('live');
      if (frame.type !== 'pong') listener.frame(frame);
    };
    opened.onclose = ({ code }) => {
      if (socket === opened) again(code);
    };
    clearInterval(pinging);
    pinging = setInterval(() => ping(opened), PING_MS);
  }

  function ping(opened: WebSocket): void {
    if (opened.readyState !== WebSocket.OPEN) return;
    opened.send('{"type":"ping"}');
    clearTimeout(dead);
    dead = setTimeout(() => {
      if (socket === opened) again(1006);
      opened.close();
    }, PONG_MS);
  }

  function again(code: number): void {
    letGo();
    if (stopped) return;
    const reaction = afterClose(code, attempt++, Math.random());
    if (reaction.kind === 'stop') {
      end({ code: reaction.because === 'revoked' ? 'buyer_access_revoked' : 'not_found' });
      return;
    }
    listener.connection('waiting');
    waiting = setTimeout(async () => {
      if (reaction.freshSession) await api.renew();
      if (!stopped) await connect();
    }, reaction.delayMs);
  }

  function end(problem: Problem): void {
    stopped = true;
    letGo();
    listener.ended(problem);
  }

  function letGo(): void {
    clearInterval(pinging);
    clearTimeout(waiting);
    clearTimeout(dead);
    socket = null;
  }

  /** A page that was asleep may have a dead socket, so it checks the socket when it wakes up. */
  const wake = () => {
    if (document.visibilityState === 'visible' && socket) ping(socket);
  };
  document.addEventListener('visibilitychange', wake);
  void connect();
  return {
    stop() {
      stopped = true;
      const last = socket;
      letGo();
      last?.close();
      document.removeEventListener('visibilitychange', wake);
    },
  };
}
