/**
 * WebSockets of viewers: /pub/events/{key}/subscribe with a ticket, and /v1/events/{key}/feed with a secret key, a
 * dashboard session or a manage session that may view. A refused viewer gets an ordinary HTTP answer.
 *
 * States of a viewer: asking → open → closed. Failure at each await while asking (ticket, key, budget, event, replica)
 * ends with a refusal. The caller may also go away, which is checked after the awaits. An open socket ends in one of
 * four ways: the client closes it, `feeds` closes it, the untaken bytes grow past their bound, or no message came for
 * `idleSeconds`. A live client answers our pings.
 */
import type { HttpRequest, HttpResponse, TemplatedApp, us_socket_context_t, WebSocket } from 'uWebSockets.js';
import { setImmediate as immediately } from 'node:timers/promises';
import type { Clock } from '@parterre/shared/clock';
import { done, type Outcome, refuse } from '@parterre/shared/errors';

import { hash32 } from '@parterre/shared/hash';
import { randomText } from '@parterre/shared/ids';
import { viewerBackpressureBytesMax, viewerIdLengthMax } from '@parterre/shared/limits';
import { decodeKept } from '@parterre/shared/wire';
import {
  type AdmissionPorts,
  type ConsoleAsking,
  credentialHash,
  endOfAccess,
  eventInScope,
  isOwnOrigin,
  mayUse,
  overConsoleBudget,
  unknownEvent,
} from '../admission/admission.ts';
import { type Answer, answerOfRefusal, nothingHere } from '../answers/answers.ts';
import type { Feeds, Replica, TicketAccess, Tickets, Viewer, ViewerSocket, Wire } from '../feeds/feeds.ts';
import { serverAudience } from '../pictures/pictures.ts';
import { readHeaders } from './framing.ts';
import { chosenProtocol, offered, wireOf } from './protocols.ts';
import { requestIdOf } from './requests.ts';
import { statusLine } from './status-line.ts';

/** `socket` is null until the viewer is let in. */
type Entrant = { replica: Replica; viewer: Viewer; resumeFrom: number | null; socket: ViewerSocket | null };

/**
 * The library copies the properties of this object into an object of its own. The entrant lies one level deeper, so
 * that it stays the same object.
 */
type Attached = { entrant: Entrant };

type Asking = ConsoleAsking & {
  requestId: string;
  eventKey: string;
  host: string;
  ticket: string | null;
  resumeFrom: number | null;
  wire: Wire;
  viewerId: string;
};

/** The ports that sockets use. */
export type SocketPorts = AdmissionPorts & { clock: Clock; feeds: Feeds; tickets: Tickets };

type Admission = (ports: SocketPorts, asking: Asking) => Promise<Outcome<Entrant> | Answer>;

/** Clients send only pings. */
const MESSAGE_BYTES_MAX = 4 * 1024;
/**
 * The library's bound on untaken bytes is this multiple of our bound. The difference leaves room for bytes that come
 * between two checks, and for the close frame.
 */
const LIBRARY_BOUND = 4;
const SOCKET_NAME_LENGTH = 12;

/** A client that disappears without a close is found by its silence after `idleSeconds`, at least 8. */
export function serveSockets(app: TemplatedApp, ports: SocketPorts, idleSeconds: number): void {
  listen(app, '/pub/events/:key/subscribe', ports, idleSeconds, admitTicket);
  listen(app, '/v1/events/:key/feed', ports, idleSeconds, admitKey);
}

function listen(app: TemplatedApp, path: string, ports: SocketPorts, idleTimeout: number, admit: Admission): void {
  app.ws<Attached>(path, {
    maxPayloadLength: MESSAGE_BYTES_MAX,
    maxBackpressure: LIBRARY_BOUND * viewerBackpressureBytesMax,
    idleTimeout,
    sendPingsAutomatically: true,
    upgrade: (response, request, context) => upgrade(response, request, context, ports, admit),
    open: noteOpened,
    message: (ws, message, isBinary) => onMessage(ws, message, isBinary, ports),
    // The socket is far past our bound, and the library takes no more bytes for it.
    dropped: (ws) => ws.close(),
    close: (ws) => onClose(ws, ports),
  });
}

const bodyOfUpgrade = 'The request for a socket has no body.';

function upgrade(
  response: HttpResponse,
  request: HttpRequest,
  context: us_socket_context_t,
  ports: SocketPorts,
  admit: Admission,
): void {
  const headers = readHeaders(request);
  const fault = headers.framingFault || (headers.chunked || headers.contentLength ? bodyOfUpgrade : '');
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
  // The answer waits until the read is over, see last-request.ts.
  const admitted = fault ? immediately(refuse('invalid_framing', fault)) : admit(ports, asking);
  void admitted
    .catch((error) => {
      ports.onFault(error, requestId);
      return refuse(
        'internal_error',
        'The server has a fault. The fault is logged under the requestId of this answer.',
      );
    })
    .then((entrant) => {
      if (gone) return;
      if ('status' in entrant || !entrant.ok) {
        const refused = 'status' in entrant ? entrant : answerOfRefusal(entrant.refusal, requestId);
        return void response.cork(() => turnAway(response, refused, requestId, fault !== ''));
      }
      const attached: Attached = { entrant: entrant.value };
      // A bound built-in, not a function of our own: see letIn.
      response.cork(response.upgrade.bind(response, attached, key, chosenProtocol(protocols), extensions, context));
      letIn(ports);
    });
}

/** The socket that the `upgrade` under way has opened. It stays here until the cork ends. */
const opened: WebSocket<Attached>[] = [];
const noteOpened: (ws: WebSocket<Attached>) => void = opened.push.bind(opened);

/**
 * Lets the viewer in after the cork of its `upgrade`, never within it. `upgrade` shrinks the connection's memory. The
 * end of `cork` still reads a flag in the freed part: whether to close the connection (uWebSockets pull request 1929).
 * An allocation in between may overwrite the flag. The library then closes a socket that has just opened, and its
 * client sees 1006. So only two bound built-ins run in that cork. A function of our own might be compiled there, and
 * compiling allocates.
 */
function letIn(ports: SocketPorts): void {
  for (const ws of opened.splice(0)) onOpen(ws, ports);
}

function turnAway(response: HttpResponse, answer: Answer, requestId: string, close: boolean): void {
  response.writeStatus(statusLine(answer.status));
  response.writeHeader('X-Request-ID', requestId);
  for (const [name, value] of answer.headers) response.writeHeader(name, value);
  response.end(answer.body as string, close);
}

const revoked = refuse('buyer_access_revoked', 'The key or session that this ticket was issued to has been revoked.');
const expired = refuse('buyer_access_expired', 'The session that this ticket was issued to has expired.');

async function admitTicket(ports: SocketPorts, asking: Asking): Promise<Outcome<Entrant>> {
  if (asking.ticket === null) return nothingHere;
  const access = await ports.tickets.take(asking.ticket);
  if (access === null || access.eventKey !== asking.eventKey || isForeign(access, asking)) return nothingHere;
  const { audience, keyHash, accessEndsAt: expiresAt } = access;
  if (expiresAt !== null && expiresAt <= ports.clock.now()) return expired;
  // The key may have been revoked since the ticket was issued.
  if (!(await ports.principals.stands(keyHash))) return revoked;
  const found = await ports.events.get(access.eventKey);
  if (!found.ok) return found;
  // The event may have been deleted since the ticket was issued.
  if (found.value.event.status === 'deleted') return unknownEvent;
  const shopper = audience.words === 'buyer' ? shopperOf(asking.viewerId, access) : null;
  const viewer = { audience, wire: asking.wire, keyHash, expiresAt, shopper };
  return entrantFor(ports, found.value.event, viewer, asking.resumeFrom);
}

/** A ticket is for the page that asked for it. Browsers always send the Origin of a page; other programs send none. */
function isForeign(access: TicketAccess, asking: Asking): boolean {
  return asking.origin !== '' && access.origin !== '' && access.origin !== asking.origin;
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

async function admitKey(ports: SocketPorts, asking: Asking): Promise<Outcome<Entrant> | Answer> {
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
  return entrantFor(ports, known.value.event, viewer, asking.resumeFrom);
}

const tooMany = refuse('overloaded', 'This front door has too many viewers. Try again.', { retryable: true });

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
  resumeFrom: number | null,
): Promise<Outcome<Entrant>> {
  if (!ports.feeds.hasRoom()) return tooMany;
  const replica = await ports.feeds.replicaOf(event);
  if (!replica.ok) return replica;
  if (!ports.feeds.hasRoomFor(replica.value, viewer)) return tooMany;
  // A viewer that comes from another front door may be ahead of the replica here.
  const isAhead = resumeFrom !== null && resumeFrom > replica.value.version;
  if (isAhead && !(await replica.value.catchUpNow(resumeFrom))) return isBehind;
  return done({ replica: replica.value, viewer, resumeFrom, socket: null });
}

function onOpen(ws: WebSocket<Attached>, ports: SocketPorts): void {
  const { entrant } = ws.getUserData();
  entrant.socket = {
    send: (frame) => void ws.send(frame, typeof frame !== 'string'),
    join: (topic) => void ws.subscribe(topic),
    unsent: () => ws.getBufferedAmount(),
    // Corked, so that the close frame is written before the connection shuts down. Otherwise clients sometimes saw 1006
    // and no code.
    close: (code, reason) => void ws.cork(() => ws.end(code, reason)),
  };
  ports.feeds.join(entrant.replica, entrant.socket, entrant.viewer, entrant.resumeFrom);
}

/** Ignores every message but a ping: later clients may send messages that are unknown here. */
function onMessage(ws: WebSocket<Attached>, message: ArrayBuffer, isBinary: boolean, ports: SocketPorts): void {
  if (typeOf(message, isBinary) !== 'ping') return;
  const pong = ports.feeds.pong(ws.getUserData().entrant.viewer.wire);
  ws.send(pong, typeof pong !== 'string');
}

function typeOf(message: ArrayBuffer, isBinary: boolean): unknown {
  try {
    const bytes = Buffer.from(message);
    const said = (isBinary ? decodeKept(bytes) : JSON.parse(bytes.toString('utf8'))) as { type?: unknown } | null;
    return said?.type;
  } catch {
    // Neither JSON nor msgpack: ignored like every other unknown message.
    return null;
  }
}

function onClose(ws: WebSocket<Attached>, ports: SocketPorts): void {
  // The socket closed within its cork, because the request had `Connection: close`. No viewer joins.
  if (opened[0] === ws) opened.length = 0;
  const { replica, socket } = ws.getUserData().entrant;
  if (socket) ports.feeds.leave(replica, socket);
}
