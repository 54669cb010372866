/**
 * A ticket lets a viewer open a socket without a credential in its address. A ticket is good once, for `ticketTtlMs`,
 * at every front door with the same deployment secret.
 *
 * States of a ticket: issued → redeemed or expired. Issuing stores nothing and sends nothing: the ticket itself carries
 * its access, under a signature (ticket-token.ts). A front door remembers the tickets that it has redeemed, and tells
 * the others of them at the end of the event-loop turn, over core NATS. Nothing here awaits.
 *
 * Once means: once at each front door, and once over all front doors as soon as they have heard of it, some
 * milliseconds later. A lost message, a link that is down or a restart lets a ticket in again at another front door
 * until it expires. The second viewer needs the ticket, and a page also the origin (sockets/sockets.ts). It sees the
 * map and can change nothing.
 */
import { done, type Outcome } from '@parterre/shared/protocol/errors';
import { randomText } from '@parterre/shared/protocol/ids';
import type { Clock } from '@parterre/shared/runtime/clock';
import type { AcceptedKeys } from '@parterre/shared/runtime/deployment-secret';
import { RecentMap } from '@parterre/shared/runtime/recent-map';
import { redeemedPerMessageMax, redeemedTicketsMax, ticketTtlMs } from '../feed-limits.ts';
import { readToken, type TicketAccess, writeToken } from './ticket-token.ts';

export type Ticket = { ticket: string; expiresAt: number; protocols: string[] };

export type Tickets = {
  issue(access: TicketAccess): Outcome<Ticket>;
  /** The access of a valid ticket, which stays valid. Null for a ticket that is unknown, used or expired. */
  read(ticket: string): TicketAccess | null;
  /** Uses up a valid ticket, and returns its access. Null for a ticket that is unknown, used or expired. */
  redeem(ticket: string): TicketAccess | null;
  /** Another front door has redeemed these tickets. */
  noteRedeemed(ids: readonly string[]): void;
};

export type TicketPorts = {
  keys: AcceptedKeys;
  clock: Clock;
  atTurnEnd(run: () => void): void;
  /** Tells the other front doors. Never throws. */
  share(ids: string[]): void;
};

const ID_LENGTH = 16;
/** The clocks of two front doors differ by less than this. */
const CLOCK_DRIFT_MS = ticketTtlMs;

export function createTickets({ keys, clock, atTurnEnd, share }: TicketPorts): Tickets {
  const keepMs = ticketTtlMs + CLOCK_DRIFT_MS;
  const redeemed = new RecentMap<true>(clock, { entriesMax: redeemedTicketsMax, keepMs });
  let untold: string[] = [];

  function tell(): void {
    for (let at = 0; at < untold.length; at += redeemedPerMessageMax)
      share(untold.slice(at, at + redeemedPerMessageMax));
    untold = [];
  }

  function note(id: string): void {
    redeemed.set(id, true);
    if (untold.push(id) === 1) atTurnEnd(tell);
  }

  function valid(ticket: string): ReturnType<typeof readToken> {
    const read = readToken(keys, ticket);
    if (read === null) return null;
    const leftMs = read.expiresAt - clock.now();
    return leftMs <= 0 || leftMs > keepMs || redeemed.get(read.id) ? null : read;
  }

  return {
    issue(access) {
      const expiresAt = clock.now() + ticketTtlMs;
      const ticket = writeToken(keys[0], { id: randomText(ID_LENGTH), expiresAt, access });
      return done({ ticket, expiresAt, protocols: ['parterre.v1', `tkt.${ticket}`] });
    },
    read: (ticket) => valid(ticket)?.access ?? null,
    redeem(ticket) {
      const read = valid(ticket);
      if (read === null) return null;
      note(read.id);
      return read.access;
    },
    noteRedeemed(ids) {
      for (const id of ids) redeemed.set(id, true);
    },
  };
}
