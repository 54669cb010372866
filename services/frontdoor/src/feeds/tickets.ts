/**
 * A ticket lets a viewer open a socket without a credential in its address. A ticket is good once, for `ticketTtlMs`.
 * It is stored in a KV bucket under its hash, so that any front door can take it. Taking deletes the ticket with the
 * expected revision, so that at most one of two front doors succeeds.
 *
 * Failure at each await: the bucket does not answer. Issuing is then refused, retryable. Taking then finds no ticket,
 * and the viewer comes back with a new ticket.
 */
import { type KV, Kvm } from '@nats-io/kv';
import type { Clock } from '@parterre/shared/clock';
import { done, type Outcome, refuse } from '@parterre/shared/errors';
import { randomText, sha256 } from '@parterre/shared/ids';
import { ticketTtlMs } from '@parterre/shared/limits';
import type { NatsConnection } from '@parterre/shared/nats';
import { names } from '@parterre/shared/subjects';
import type { Audience } from '../pictures/pictures.ts';

/**
 * `keyHash` names the key or session that the ticket was issued to. The access of this key or session ends at
 * `accessEndsAt`; null means that it has no end. `origin` is the origin of the page that asked for the ticket, empty for
 * a caller without a page.
 */
export type TicketAccess = {
  eventKey: string;
  audience: Audience;
  keyHash: string;
  accessEndsAt: number | null;
  origin: string;
};

export type Tickets = {
  issue(access: TicketAccess): Promise<Outcome<{ ticket: string; expiresAt: number; protocols: string[] }>>;
  /** Uses up a valid ticket, and returns its access. Null for an unknown, used or expired ticket. */
  take(ticket: string): Promise<TicketAccess | null>;
};

const TICKET_LENGTH = 32;
const TICKET_FORM = /^[0-9A-Za-z]{32}$/;
const BUCKET_BYTES_MAX = 64 * 1024 * 1024;

export async function openTickets(nats: NatsConnection, clock: Clock, replicas: number): Promise<Tickets> {
  const bucket = await new Kvm(nats).create(names.ticketBucket, {
    ttl: ticketTtlMs,
    history: 1,
    max_bytes: BUCKET_BYTES_MAX,
    replicas,
  });
  return {
    async issue(access) {
      const ticket = randomText(TICKET_LENGTH);
      const expiresAt = clock.now() + ticketTtlMs;
      try {
        await bucket.put(sha256(ticket), JSON.stringify({ ...access, expiresAt }));
      } catch {
        return refuse('overloaded', 'No ticket could be issued. Try again.', { retryable: true });
      }
      return done({ ticket, expiresAt, protocols: ['parterre.v1', `tkt.${ticket}`] });
    },
    async take(ticket) {
      if (!TICKET_FORM.test(ticket)) return null;
      try {
        return await takeOnce(bucket, sha256(ticket), clock.now());
      } catch {
        // Another front door took the ticket between the read and the delete, or the bucket is out of reach.
        return null;
      }
    },
  };
}

async function takeOnce(bucket: KV, key: string, now: number): Promise<TicketAccess | null> {
  const entry = await bucket.get(key);
  if (entry?.operation !== 'PUT') return null;
  const { expiresAt, ...access } = entry.json<TicketAccess & { expiresAt: number }>();
  if (expiresAt <= now) return null;
  await bucket.delete(key, { previousSeq: entry.revision });
  return access;
}
