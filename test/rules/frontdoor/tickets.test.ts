/** Tickets of two front doors: good once, for half a minute, for the access that was signed. */
import { createSecretKey } from 'node:crypto';
import { sha256 } from '@parterre/shared/protocol/ids';
import { beforeEach, describe, expect, test } from 'vitest';
import { redeemedPerMessageMax, ticketTtlMs } from '../../../services/frontdoor/src/feed-limits.ts';
import { offered } from '../../../services/frontdoor/src/sockets/rules/protocols.ts';
import { originMark, type TicketAccess } from '../../../services/frontdoor/src/tickets/ticket-token.ts';
import { createTickets, type Tickets } from '../../../services/frontdoor/src/tickets/tickets.ts';
import { ManualClock } from '../../support/manual-clock.ts';

const access: TicketAccess = {
  eventKey: 'gala',
  sees: 'reach',
  keyHash: sha256('bse_1'),
  accessEndsAt: 2_000_000,
  origin: originMark('https://shop.example'),
};

let clock: ManualClock;
let messages: string[][];
let here: Tickets;
let there: Tickets;
/** Runs the end of the event-loop turn. */
let endTurn: () => void;

function frontDoor(secrets = 'a', share: (ids: string[]) => void = () => {}): Tickets {
  const atTurnEnd = (run: () => void) => {
    endTurn = run;
  };
  const [key = '', ...before] = [...secrets];
  const keyOf = (secret: string) => createSecretKey(Buffer.alloc(32, secret));
  return createTickets({ keys: [keyOf(key), ...before.map(keyOf)], clock, atTurnEnd, share });
}

beforeEach(() => {
  clock = new ManualClock();
  messages = [];
  there = frontDoor();
  here = frontDoor('a', (ids) => {
    messages.push(ids);
    there.noteRedeemed(ids);
  });
});

function issue(from = here, of = access): string {
  const issued = from.issue(of);
  if (!issued.ok) throw new Error('no ticket');
  return issued.value.ticket;
}

test('a ticket opens its access once, at any front door of the deployment', () => {
  const ticket = issue();
  expect(there.redeem(ticket)).toEqual(access);
  expect(there.redeem(ticket)).toBeNull();
});

test('a ticket that is read stays valid until it is redeemed', () => {
  const ticket = issue();
  for (let i = 0; i < 2; i++) expect(there.read(ticket)).toEqual(access);
  there.redeem(ticket);
  expect(there.read(ticket)).toBeNull();
});

test('a front door tells the others of the tickets that it has redeemed, in one message a turn', () => {
  const tickets = Array.from({ length: redeemedPerMessageMax + 1 }, () => issue());
  for (const ticket of tickets) expect(here.redeem(ticket)).toEqual(access);
  expect(messages).toEqual([]);
  endTurn();
  expect(messages.map(({ length }) => length)).toEqual([redeemedPerMessageMax, 1]);
  for (const ticket of tickets) expect(there.redeem(ticket)).toBeNull();
});

test('issuing tells nobody', () => {
  endTurn = () => {};
  issue();
  endTurn();
  expect(messages).toEqual([]);
});

test('a ticket is good until its last millisecond, and redeemed for longer', () => {
  const ticket = issue();
  const late = issue();
  clock.advance(ticketTtlMs - 1);
  expect(here.redeem(ticket)).toEqual(access);
  expect(here.redeem(ticket)).toBeNull();
  clock.advance(1);
  expect(here.redeem(late)).toBeNull();
});

test('a ticket of a front door with another clock is good once, or not at all', () => {
  const ticket = issue();
  clock.wallOffset = -ticketTtlMs;
  expect(here.redeem(ticket)).toEqual(access);
  clock.advance(2 * ticketTtlMs - 1);
  expect(here.redeem(ticket)).toBeNull();
  const next = issue();
  clock.wallOffset = -3 * ticketTtlMs;
  expect(here.redeem(next)).toBeNull();
});

describe('a text that the deployment has not signed opens nothing', () => {
  const text = 'AAAA';
  const signature = 'A'.repeat(43);
  test.each([
    ['nothing', ''],
    ['the form of earlier tickets', '0'.repeat(32)],
    ['a made-up signature', `${signature}${text}`],
    ['a long text', `${signature}${'A'.repeat(5_000)}`],
    ['other characters', `${signature}${text}!`],
  ])('%s', (_, ticket) => {
    expect(here.redeem(ticket)).toBeNull();
  });

  test('a ticket with another content', () => {
    const ticket = issue();
    const own = ticket.slice(0, 43);
    const content = ticket.slice(43);
    const read = JSON.parse(Buffer.from(content, 'base64url').toString());
    const changed = read.map((each: unknown) => (each === 'reach' ? 'console' : each));
    expect(here.redeem(own + Buffer.from(JSON.stringify(changed)).toString('base64url'))).toBeNull();
    expect(here.redeem(ticket)).toEqual(access);
  });

  test('a ticket of another deployment', () => {
    expect(here.redeem(issue(frontDoor('b')))).toBeNull();
  });
});

test('while the secret changes a front door admits by both, and signs with the new one', () => {
  const overlap = frontDoor('ba');
  expect(overlap.redeem(issue(here))).toEqual(access);
  expect(frontDoor('b').redeem(issue(overlap))).toEqual(access);
  expect(here.redeem(issue(overlap))).toBeNull();
});

test('the longest ticket stands in a subprotocol, and has no credential and no origin in it', () => {
  const origin = `https://${'o'.repeat(3_000)}.example`;
  const longest = {
    ...access,
    eventKey: 'k'.repeat(128),
    origin: originMark(origin),
    sees: 'channelless-console',
  } as const;
  const issued = here.issue(longest);
  if (!issued.ok) throw new Error('no ticket');
  const { ticket, protocols, expiresAt } = issued.value;
  expect(expiresAt).toBe(clock.now() + ticketTtlMs);
  expect(protocols).toEqual(['parterre.v1', `tkt.${ticket}`]);
  for (const name of protocols) expect(name).toMatch(/^[\w.~!#$%&'*+^`|-]+$/);
  expect(ticket.length).toBeLessThan(1_000);
  expect(offered(protocols.join(', ')).ticket).toBe(ticket);
  expect(here.redeem(ticket)).toEqual(longest);
});
