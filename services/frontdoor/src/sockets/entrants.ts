/**
 * Admits viewers: with a ticket at /pub/events/{key}/subscribe, with a credential at /v1/events/{key}/feed. An admitted
 * viewer has a replica of the event and a place. The place is freed when its socket closes, or when the caller is gone.
 *
 * Failure at each await (key, budget, event, session, replica): a refusal. A replica that does not reach the version to
 * resume from by the request's deadline: 503, and the viewer comes again.
 */
import { done, type Outcome, refuse } from '@parterre/shared/protocol/errors';
import { randomText } from '@parterre/shared/protocol/ids';
import { hash32 } from '@parterre/shared/runtime/hash';
import {
  type AdmissionPorts,
  type ConsoleAsking,
  countedAddress,
  credentialHash,
  endOfAccess,
  eventInScope,
  isOwnOrigin,
  knownInTime,
  mayUse,
  overSocketBudget,
  refusedCredential,
  unknownEvent,
} from '../admission/admission.ts';
import { type Answer, nothingHere } from '../answers/answers.ts';
import { untilDeadline } from '../caches/caches.ts';
import { viewerIdLengthMax } from '../feed-limits.ts';
import {
  type Feeds,
  type Place,
  type Replica,
  tooManyViewers,
  type Viewer,
  type ViewerSocket,
  type Wire,
} from '../feeds/feeds.ts';
import { seesMoney } from '../logs/logs.ts';
import {
  type Audience,
  audienceOf,
  channellessConsole,
  consoleAudience,
  publicAudience,
  serverAudience,
  withMoney,
} from '../pictures/pictures.ts';
import { originMark, type TicketAccess } from '../tickets/ticket-token.ts';
import type { Tickets } from '../tickets/tickets.ts';

/** `socket` is null until the viewer is let in. */
export type Entrant = {
  replica: Replica;
  viewer: Viewer;
  resumeFrom: number | null;
  socket: ViewerSocket | null;
  place: Place;
};

export type Asking = ConsoleAsking & {
  requestId: string;
  params: readonly string[];
  asker: null;
  deadlineAt: number;
  eventKey: string;
  host: string;
  ticket: string | null;
  resumeFrom: number | null;
  wire: Wire;
  viewerId: string;
};

/** The ports that sockets use. */
export type SocketPorts = AdmissionPorts & { feeds: Feeds; tickets: Tickets };

export type Admission = (ports: SocketPorts, asking: Asking) => Promise<Outcome<Entrant> | Answer>;

const SOCKET_NAME_LENGTH = 12;

const revoked = refuse('buyer_access_revoked', 'The key or session that this ticket was issued to has been revoked.');
const expired = refuse('buyer_access_expired', 'The session that this ticket was issued to has expired.');

/** A refused ticket is charged to the address, like every refused credential. */
export async function admitWithTicket(ports: SocketPorts, asking: Asking): Promise<Outcome<Entrant> | Answer> {
  const admitted = await admitTicket(ports, asking);
  return admitted.ok ? admitted : refusedCredential(ports, asking, admitted);
}

async function admitTicket(ports: SocketPorts, asking: Asking): Promise<Outcome<Entrant>> {
  if (asking.ticket === null) return nothingHere;
  const access = ports.tickets.read(asking.ticket);
  if (access === null || access.eventKey !== asking.eventKey || isForeign(access, asking)) return nothingHere;
  const { keyHash, accessEndsAt: expiresAt } = access;
  if (expiresAt !== null && expiresAt <= ports.clock.now()) return expired;
  // The key may have been revoked since the ticket was issued.
  if (!(await ports.principals.stands(keyHash))) return revoked;
  const found = await knownInTime(ports, access.eventKey, asking.deadlineAt);
  if (!found.ok) return found;
  // The event may have been deleted since the ticket was issued.
  if (found.value.event.status === 'deleted') return unknownEvent;
  const audience = await audienceFor(ports, access);
  if (!audience.ok) return audience;
  const shopper = audience.value.words === 'buyer' ? shopperOf(asking.viewerId, access) : null;
  const viewer = { audience: audience.value, wire: asking.wire, keyHash, expiresAt, shopper };
  const entrant = await entrantFor(ports, found.value.event, viewer, asking);
  // A refusal leaves the ticket valid, since most refusals ask the viewer to repeat the request.
  if (!entrant.ok || ports.tickets.redeem(asking.ticket) !== null) return entrant;
  ports.feeds.places.free(entrant.value.place);
  return nothingHere;
}

const audiences = {
  public: publicAudience,
  console: consoleAudience,
  'console-with-money': withMoney(consoleAudience),
  'channelless-console': channellessConsole,
  'channelless-console-with-money': withMoney(channellessConsole),
} as const;

/** A ticket names its session in place of the session's channels. */
async function audienceFor({ principals }: SocketPorts, { sees, keyHash }: TicketAccess): Promise<Outcome<Audience>> {
  if (sees !== 'reach') return done(audiences[sees]);
  const session = await principals.buyerSession(keyHash);
  return session.ok ? done(audienceOf(session.value)) : session;
}

/** A ticket is for the page that asked for it. Browsers always send the Origin of a page; other programs send none. */
function isForeign(access: TicketAccess, asking: Asking): boolean {
  return asking.origin !== '' && access.origin !== '' && access.origin !== originMark(asking.origin);
}

/**
 * The hash that identifies a buyer: by the client's viewerId if it has one, else by the session. With a publishable key
 * and no viewerId, each socket counts as another buyer.
 */
function shopperOf(viewerId: string, { keyHash, accessEndsAt }: TicketAccess): number {
  if (viewerId !== '' && viewerId.length <= viewerIdLengthMax) return hash32(`viewer ${viewerId}`);
  return hash32(accessEndsAt === null ? randomText(SOCKET_NAME_LENGTH) : `session ${keyHash}`);
}

const foreignPage = refuse(
  'forbidden',
  'Only a page of this host may open a socket with a session cookie. Send the Origin of the page.',
);

export async function admitKey(ports: SocketPorts, asking: Asking): Promise<Outcome<Entrant> | Answer> {
  const found = await ports.principals.console(asking);
  if (!found.ok) return refusedCredential(ports, asking, found);
  const principal = found.value;
  if (principal.kind === 'dashboard' && !isOwnOrigin(asking.origin, asking.host)) return foreignPage;
  const over = await overSocketBudget(ports, principal, asking);
  if (over) return over;
  const allowed = mayUse(['event:view'], principal);
  if (!allowed.ok) return allowed;
  const known = eventInScope(await knownInTime(ports, asking.eventKey, asking.deadlineAt), principal);
  if (!known.ok) return known;
  const access = { keyHash: credentialHash(principal, asking.authorization), expiresAt: endOfAccess(principal) };
  const audience = seesMoney(principal) ? withMoney(serverAudience) : serverAudience;
  const viewer = { audience, wire: asking.wire, shopper: null, ...access };
  return entrantFor(ports, known.value.event, viewer, asking);
}

const isBehind = refuse(
  'shard_unavailable',
  'This front door does not have the version that you resume from. Try again.',
  {
    retryable: true,
  },
);

async function entrantFor(
  ports: SocketPorts,
  event: Parameters<SocketPorts['feeds']['replicaOf']>[0],
  viewer: Viewer,
  { resumeFrom, deadlineAt, address }: Asking,
): Promise<Outcome<Entrant>> {
  if (!ports.feeds.hasRoom(event.organisationId)) return tooManyViewers;
  const replica = await untilDeadline(ports.clock, deadlineAt, ports.feeds.replicaOf(event));
  if (!replica.ok) return replica;
  if (!ports.feeds.hasRoomFor(replica.value, viewer)) return tooManyViewers;
  // A viewer that comes from another front door may be ahead of the replica here.
  const isAhead = resumeFrom !== null && resumeFrom > replica.value.version;
  if (isAhead) {
    const caughtUp = await untilDeadline(ports.clock, deadlineAt, replica.value.catchUpNow(resumeFrom).then(done));
    // No version is newer than the last known state of a halted event.
    if (!caughtUp.ok || !(caughtUp.value || replica.value.isStale)) return isBehind;
  }
  // The budgets of a load test are off, and all its viewers come from one machine.
  const place = ports.feeds.places.take(ports.budgets && countedAddress(address()), viewer);
  if (!place.ok) return place;
  return done({ replica: replica.value, viewer, resumeFrom, socket: null, place: place.value });
}
