/**
 * WebSockets of viewers (wire contract 8): /pub/events/{key}/subscribe with a ticket, /v1/events/{key}/feed with a
 * secret key, a manage session that may view, or a dashboard session. Who may not come in gets the HTTP answer that any other
 * request would.
 *
 * States of a viewer: asking → open → closed. Failure at each await while asking (ticket, key, budget, event, replica) ends
 * with a refusal; the caller may also have gone away, which is looked at after each. Open ends by the client, by `feeds`, when
 * what was not taken grows past its bound, or when nothing came for `idleSeconds`: a client that lives answers our pings.
 */
import type { HttpRequest, HttpResponse, TemplatedApp, us_socket_context_t, WebSocket } from 'uWebSockets.js';
import { done, type Outcome, refuse } from '@parterre/shared/errors';
import { hash32 } from '@parterre/shared/hash';
import { randomText } from '@parterre/shared/ids';
import { viewerBackpressureBytesMax, viewerIdLengthMax } from '@parterre/shared/limits';
import { decodeKept } from '@parterre/shared/wire';
import { eventInScope, unknownEvent } from '../admission/events-cache.ts';
import { type ConsoleAsking, credentialHash, endOfAccess } from '../admission/principals.ts';
import { isOwnOrigin } from '../admission/session-cookie.ts';
import { mayUse, overConsoleBudget } from '../admission/submit.ts';
import { type Answer, answerOfRefusal, nothingHere } from '../answers/answer.ts';
import { encoders } from '../feeds/frames.ts';
import { chosenProtocol, offered, type Wire, wireOf } from '../feeds/protocols.ts';
import type { Replica } from '../feeds/replica.ts';
import type { TicketHolder } from '../feeds/tickets.ts';
import type { Viewer, ViewerSocket } from '../feeds/viewers.ts';
import { serverAudience } from '../pictures/audience.ts';
import type { Ports } from '../ports.ts';
import { cutOff, distrust } from './distrust.ts';
import { readHeaders } from './framing.ts';
import { requestIdOf } from './http.ts';
import { statusLine } from './status-line.ts';

/** `socket` is null until the viewer is let in. */
type Seat = { replica: Replica; viewer: Viewer; resumeFrom: number | null; socket: ViewerSocket | null };

/** The library copies the properties of what it is given into an object of its own: one more level keeps the seat one. */
type Holder = { seat: Seat };

type Asking = ConsoleAsking & {
  requestId: string;
  eventKey: string;
  host: string;
  ticket: string | null;
  resumeFrom: number | null;
  wire: Wire;
  viewerId: string;
};

type Admission = (ports: Ports, asking: Asking) => Promise<Outcome<Seat> | Answer>;

/** Clients send pings and nothing else. */
const MESSAGE_BYTES_MAX = 4 * 1024;
/** Times what a viewer may leave untaken: room for what comes between two looks, and for the close frame. */
const LIBRARY_BOUND = 4;
const SOCKET_NAME_LENGTH = 12;

/** A client that went without a word is found by its silence for `idleSeconds`, 8 at the least. */
export function serveSockets(app: TemplatedApp, ports: Ports, idleSeconds: number): void {
  listen(app, '/pub/events/:key/subscribe', ports, idleSeconds, admitTicket);
  listen(app, '/v1/events/:key/feed', ports, idleSeconds, admitKey);
}

function listen(app: TemplatedApp, path: string, ports: Ports, idleTimeout: number, admit: Admission): void {
  app.ws<Holder>(path, {
    maxPayloadLength: MESSAGE_BYTES_MAX,
    maxBackpressure: LIBRARY_BOUND * viewerBackpressureBytesMax,
    idleTimeout,
    sendPingsAutomatically: true,
    upgrade: (response, request, context) => upgrade(response, request, context, ports, admit),
    open: noteOpened,
    message: onMessage,
    // Far past the bound at which it is told so: the library takes nothing for it any more.
    dropped: (ws) => ws.close(),
    close: (ws) => onClose(ws, ports),
  });
}

function upgrade(
  response: HttpResponse,
  request: HttpRequest,
  context: us_socket_context_t,
  ports: Ports,
  admit: Admission,
): void {
  if (cutOff(response)) return;
  const headers = readHeaders(request);
  if (headers.ambiguous) distrust(response);
  const requestId = requestIdOf(headers);
  const key = request.getHeader('sec-websocket-key');
  const extensions = request.getHeader('sec-websocket-extensions');
  const protocols = offered(request.getHeader('sec-websocket-protocol'));
  const asking: Asking = {
    requestId,
    eventKey: request.getParameter(0) ?? '',
    method: 'GET',
    authorization: headers.authorization,
    cookie: headers.cookie,
    csrfToken: headers.csrfToken,
    origin: headers.origin,
    host: headers.host,
    ticket: protocols.ticket,
    resumeFrom: protocols.resumeFrom,
    wire: wireOf(protocols),
    viewerId: request.getQuery('viewerId') ?? '',
  };
  let gone = false;
  response.onAborted(() => {
    gone = true;
  });
  const admitted = headers.ambiguous
    ? Promise.resolve(refuse('invalid_framing', 'The framing is ambiguous.'))
    : admit(ports, asking);
  void admitted
    .catch((error) => {
      ports.onFault(error, requestId);
      return refuse('internal_error', 'Something went wrong here. It has been logged.');
    })
    .then((seat) => {
      if (gone) return;
      if ('status' in seat || !seat.ok) {
        const refused = 'status' in seat ? seat : answerOfRefusal(seat.refusal, requestId);
        return void response.cork(() => turnAway(response, refused, requestId, headers.ambiguous));
      }
      const holder: Holder = { seat: seat.value };
      // Bound, not a function of our own: see seatOpened.
      response.cork(response.upgrade.bind(response, holder, key, chosenProtocol(protocols), extensions, context));
      seatOpened(ports);
    });
}

/** The socket that the `upgrade` under way has opened, for as long as its cork lasts. */
const opened: WebSocket<Holder>[] = [];
const noteOpened: (ws: WebSocket<Holder>) => void = opened.push.bind(opened);

/**
 * Lets the viewer in after the cork of its `upgrade`, never within it. `upgrade` shrinks the connection's memory, and the
 * end of `cork` still reads, in the part given back, whether the connection is to be closed (uWebSockets pull request
 * 1929). Whatever is allocated in between may lie there, and the library then closes a socket that has just opened:
 * its client sees 1006. So nothing of ours runs in that cork but two bound built-ins; any function of our own may be
 * compiled there, which allocates.
 */
function seatOpened(ports: Ports): void {
  for (const ws of opened.splice(0)) onOpen(ws, ports);
}

function turnAway(response: HttpResponse, answer: Answer, requestId: string, close: boolean): void {
  response.writeStatus(statusLine(answer.status));
  response.writeHeader('X-Request-ID', requestId);
  for (const [name, value] of answer.headers) response.writeHeader(name, value);
  response.end(answer.body as string, close);
}

const revoked = refuse('buyer_access_revoked', 'The access that this ticket was made with has been revoked.');
const expired = refuse('buyer_access_expired', 'The access that this ticket was made with has expired.');

async function admitTicket(ports: Ports, asking: Asking): Promise<Outcome<Seat>> {
  if (asking.ticket === null) return nothingHere;
  const holder = await ports.tickets.take(asking.ticket);
  if (holder === null || holder.eventKey !== asking.eventKey) return nothingHere;
  const { audience, keyHash, accessEndsAt: expiresAt } = holder;
  if (expiresAt !== null && expiresAt <= ports.clock.now()) return expired;
  // The key may have been revoked since the ticket was made.
  if (!(await ports.principals.stands(keyHash))) return revoked;
  const found = await ports.events.get(holder.eventKey);
  if (!found.ok) return found;
  // Neither need the event be there any more.
  if (found.value.event.status === 'deleted') return unknownEvent;
  const shopper = audience.words === 'buyer' ? shopperOf(asking.viewerId, holder) : null;
  const viewer = { audience, wire: asking.wire, keyHash, expiresAt, shopper };
  return seatFor(ports, found.value.event, viewer, asking.resumeFrom);
}

/** A buyer is known by what its client calls itself, else by its session; behind a publishable key every socket is another one. */
function shopperOf(viewerId: string, { keyHash, accessEndsAt }: TicketHolder): number {
  if (viewerId !== '' && viewerId.length <= viewerIdLengthMax) return hash32(`viewer ${viewerId}`);
  return hash32(accessEndsAt === null ? randomText(SOCKET_NAME_LENGTH) : `session ${keyHash}`);
}

const foreignPage = refuse(
  'forbidden',
  'With the cookie of a session a socket is opened from a page of this host only: send its Origin.',
);

async function admitKey(ports: Ports, asking: Asking): Promise<Outcome<Seat> | Answer> {
  const found = await ports.principals.console(asking);
  if (!found.ok) return found;
  const principal = found.value;
  if (principal.kind === 'dashboard' && !isOwnOrigin(asking.origin, asking.host)) return foreignPage;
  const over = await overConsoleBudget(ports, principal, asking.requestId);
  if (over) return over;
  const allowed = mayUse(['event:view'], principal);
  if (!allowed.ok) return allowed;
  const known = eventInScope(await ports.events.get(asking.eventKey), principal);
  if (!known.ok) return known;
  const access = { keyHash: credentialHash(principal, asking.authorization), expiresAt: endOfAccess(principal) };
  const viewer = { audience: serverAudience, wire: asking.wire, shopper: null, ...access };
  return seatFor(ports, known.value.event, viewer, asking.resumeFrom);
}

const tooMany = refuse('overloaded', 'Too many viewers here. Try again.', { retryable: true });

const isBehind = refuse('shard_unavailable', 'What you have seen cannot be had here just now. Come back.', {
  retryable: true,
});

async function seatFor(
  ports: Ports,
  event: Parameters<Ports['feeds']['replicaOf']>[0],
  viewer: Viewer,
  resumeFrom: number | null,
): Promise<Outcome<Seat>> {
  if (!ports.feeds.hasRoom()) return tooMany;
  const replica = await ports.feeds.replicaOf(event);
  if (!replica.ok) return replica;
  if (!ports.feeds.hasRoomFor(replica.value, viewer)) return tooMany;
  // A viewer that comes from another front door may be ahead of this one's replica.
  const isAhead = resumeFrom !== null && resumeFrom > replica.value.version;
  if (isAhead && !(await replica.value.catchUpNow(resumeFrom))) return isBehind;
  return done({ replica: replica.value, viewer, resumeFrom, socket: null });
}

function onOpen(ws: WebSocket<Holder>, ports: Ports): void {
  const { seat } = ws.getUserData();
  seat.socket = {
    send: (frame) => void ws.send(frame, typeof frame !== 'string'),
    join: (topic) => void ws.subscribe(topic),
    unsent: () => ws.getBufferedAmount(),
    // Corked, so that the frame is written before the connection is shut down: else a client now and then saw 1006 and no code.
    close: (code, reason) => void ws.cork(() => ws.end(code, reason)),
  };
  ports.feeds.join(seat.replica, seat.socket, seat.viewer, seat.resumeFrom);
}

/** Anything but a ping is ignored: a later client may say more than we understand. */
function onMessage(ws: WebSocket<Holder>, message: ArrayBuffer, isBinary: boolean): void {
  if (typeOf(message, isBinary) !== 'ping') return;
  const { pong } = encoders[ws.getUserData().seat.viewer.wire];
  ws.send(pong, typeof pong !== 'string');
}

function typeOf(message: ArrayBuffer, isBinary: boolean): unknown {
  try {
    const bytes = Buffer.from(message);
    const said = (isBinary ? decodeKept(bytes) : JSON.parse(bytes.toString('utf8'))) as { type?: unknown } | null;
    return said?.type;
  } catch {
    // Neither JSON nor msgpack: ignored like every other message that means nothing to us.
    return null;
  }
}

function onClose(ws: WebSocket<Holder>, ports: Ports): void {
  // Already within its cork, where the request said `Connection: close`: nobody is to be let in.
  if (opened[0] === ws) opened.length = 0;
  const { replica, socket } = ws.getUserData().seat;
  if (socket) ports.feeds.leave(replica, socket);
}
