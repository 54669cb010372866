/**
 * WebSockets of viewers: /pub/events/{key}/subscribe with a ticket, and /v1/events/{key}/feed with a secret key, a
 * dashboard session or a manage session that may view. A refused viewer gets an ordinary HTTP answer.
 *
 * States of a viewer: asking → open → closed. Failure at each await while asking (key, budget, event, session, replica)
 * ends with a refusal. The caller may also go away, which is checked after the awaits. An open socket ends in one of
 * five ways: the client closes it, `feeds` closes it, the untaken bytes grow past their bound, no message came for
 * `idleSeconds`, or the client sends more frames or bytes than a viewer needs. A live client answers our pings.
 *
 * An exception ends one socket: with 500 before the upgrade, with the code 1011 after it. No exception leaves a
 * callback of the library, because that would end the process. A draining front door refuses new sockets.
 */
import type { HttpRequest, HttpResponse, TemplatedApp, us_socket_context_t, WebSocket } from 'uWebSockets.js';
import { setImmediate as immediately } from 'node:timers/promises';
import { refuse } from '@parterre/shared/protocol/errors';
import { requestDeadlineMs } from '@parterre/shared/protocol/limits';
import { decodeKept } from '@parterre/shared/protocol/wire';
import type { Row } from '../admission/admission.ts';
import { type Answer, answerLines, answerOfRefusal, internalFault } from '../answers/answers.ts';
import { viewerBackpressureBytesMax } from '../feed-limits.ts';
import { ends } from '../feeds/feeds.ts';
import {
  clientAddressOf,
  guard,
  type HttpCounters,
  isBehindFlood,
  readHeaders,
  requestIdOf,
  statusLine,
} from '../http/http.ts';
import { type Admission, type Asking, admitKey, admitWithTicket, type Entrant, type SocketPorts } from './entrants.ts';
import { chosenProtocol, offered, wireOf } from './rules/protocols.ts';

/**
 * The library copies the properties of this object into an object of its own. The entrant lies one level deeper, so
 * that it stays the same object.
 */
type Attached = { entrant: Entrant };

/** Clients send only pings. */
const MESSAGE_BYTES_MAX = 4 * 1024;
/**
 * The library's bound on untaken bytes is this multiple of our bound. The difference leaves room for bytes that come
 * between two checks, and for the close frame.
 */
const LIBRARY_BOUND = 4;

/** A client that disappears without a close is found by its silence after `idleSeconds`, at least 8. */
export function serveSockets(
  app: TemplatedApp,
  ports: SocketPorts,
  counters: Pick<HttpCounters, 'draining' | 'accessLog'>,
  idleSeconds: number,
): void {
  const unlessDraining =
    (admit: Admission): Admission =>
    async (...asked) =>
      counters.draining ? leaving : admit(...asked);
  const noteRefusal: NoteRefusal = (route, asking, answer) =>
    counters.accessLog?.note({ ...socketRequest, requestId: asking.requestId, route, request: asking }, answer);
  listen(app, ticketRoute, ports, idleSeconds, unlessDraining(admitWithTicket), noteRefusal);
  listen(app, keyRoute, ports, idleSeconds, unlessDraining(admitKey), noteRefusal);
}

const leaving = refuse('overloaded', 'This front door is about to stop. Connect again, and reach another front door.', {
  retryable: true,
});

type SocketRoute = Pick<Row, 'path' | 'credential'>;
type NoteRefusal = (route: SocketRoute, asking: Asking, answer: Answer) => void;

const ticketRoute: SocketRoute = { path: '/pub/events/{key}/subscribe', credential: 'buyer' };
const keyRoute: SocketRoute = { path: '/v1/events/{key}/feed', credential: 'console' };
const socketRequest = { method: 'GET', startedAt: 0 } as const;

function listen(
  app: TemplatedApp,
  route: SocketRoute,
  ports: SocketPorts,
  idleTimeout: number,
  admit: Admission,
  noteRefusal: NoteRefusal,
): void {
  app.ws<Attached>(route.path.replace('{key}', ':key'), {
    maxPayloadLength: MESSAGE_BYTES_MAX,
    maxBackpressure: LIBRARY_BOUND * viewerBackpressureBytesMax,
    idleTimeout,
    sendPingsAutomatically: true,
    upgrade: (response, request, context) =>
      guard(
        () => upgrade(response, request, context, ports, admit, (asking, answer) => noteRefusal(route, asking, answer)),
        (error) => {
          ports.onFault(error, '');
          response.close();
        },
      ),
    open: noteOpened,
    message: (ws, message, isBinary) =>
      guard(
        () => onMessage(ws, message, isBinary, ports),
        (error) => endBroken(ws, ports, error),
      ),
    // The library has answered the ping already.
    ping: (ws, message) => onControlFrame(ws, message, ports),
    pong: (ws, message) => onControlFrame(ws, message, ports),
    // The socket is far past our bound, and the library takes no more bytes for it.
    dropped: (ws) => ws.close(),
    close: (ws) =>
      guard(
        () => onClose(ws, ports),
        (error) => ports.onFault(error, ''),
      ),
  });
}

const INTERNAL_ERROR = 1011;

function endBroken(ws: WebSocket<Attached>, ports: SocketPorts, error: unknown): void {
  ports.onFault(error, '');
  // The library throws if the socket is closed already.
  guard(
    () => void ws.cork(() => ws.end(INTERNAL_ERROR, 'internal error')),
    () => {},
  );
}

const bodyOfUpgrade = 'The request for a socket has no body.';

function upgrade(
  response: HttpResponse,
  request: HttpRequest,
  context: us_socket_context_t,
  ports: SocketPorts,
  admit: Admission,
  noteRefusal: (asking: Asking, answer: Answer) => void,
): void {
  if (isBehindFlood(response)) {
    response.close();
    return;
  }
  const headers = readHeaders(request);
  const fault = headers.framingFault || (headers.chunked || headers.contentLength ? bodyOfUpgrade : '');
  const requestId = requestIdOf(headers);
  const key = request.getHeader('sec-websocket-key');
  const extensions = request.getHeader('sec-websocket-extensions');
  const protocols = offered(request.getHeader('sec-websocket-protocol'));
  const caller = { response, gone: false };
  const asking: Asking = {
    requestId,
    params: [request.getParameter(0) ?? ''],
    asker: null,
    deadlineAt: ports.clock.elapsed() + requestDeadlineMs,
    address: clientAddressOf(ports, caller, headers.forwardedFor),
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
  response.onAborted(() => {
    caller.gone = true;
  });
  const admitted = fault ? Promise.resolve(refuse('invalid_framing', fault)) : admit(ports, asking);
  admitted
    .catch((error) => {
      ports.onFault(error, requestId);
      return internalFault;
    })
    .then(async (entrant) => {
      if ('status' in entrant || !entrant.ok) {
        // The answer waits until the read is over, see last-request.ts.
        await immediately();
        if (caller.gone) return;
        const refused = 'status' in entrant ? entrant : answerOfRefusal(entrant.refusal, requestId);
        noteRefusal(asking, refused);
        return void response.cork(() => turnAway(response, refused, requestId, fault !== '' || entrant === leaving));
      }
      if (caller.gone) {
        ports.feeds.places.free(entrant.value.place);
        return;
      }
      const attached: Attached = { entrant: entrant.value };
      // A bound built-in, not a function of our own: see letIn.
      response.cork(response.upgrade.bind(response, attached, key, chosenProtocol(protocols), extensions, context));
      letIn(ports);
    })
    .catch((error) => {
      ports.onFault(error, requestId);
      // The library throws if the connection is a socket by now.
      guard(
        () => void (caller.gone || response.close()),
        () => {},
      );
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
  for (const ws of opened.splice(0)) {
    guard(
      () => onOpen(ws, ports),
      (error) => endBroken(ws, ports, error),
    );
  }
}

function turnAway(response: HttpResponse, answer: Answer, requestId: string, close: boolean): void {
  response.writeStatus(`${statusLine(answer.status)}\r\nX-Request-ID: ${requestId}${answerLines(answer.headers)}`);
  response.end(answer.body as string, close);
}

function onOpen(ws: WebSocket<Attached>, ports: SocketPorts): void {
  const { entrant } = ws.getUserData();
  entrant.socket = {
    send: (frame) => void ws.send(frame, typeof frame !== 'string'),
    join: (topic) => void ws.subscribe(topic),
    leave: (topic) => void ws.unsubscribe(topic),
    unsent: () => ws.getBufferedAmount(),
    // Corked, so that the close frame is written before the connection shuts down. Otherwise clients sometimes saw 1006
    // and no code.
    close: (code, reason) => void ws.cork(() => ws.end(code, reason)),
  };
  ports.feeds.join(entrant.replica, entrant.socket, entrant.viewer, entrant.resumeFrom);
}

function onControlFrame(ws: WebSocket<Attached>, message: ArrayBuffer, ports: SocketPorts): void {
  guard(
    () => void mayGoOn(ws, message, ports),
    (error) => endBroken(ws, ports, error),
  );
}

/** Counts a frame. Past its bounds the socket is closed. */
function mayGoOn(ws: WebSocket<Attached>, { byteLength }: ArrayBuffer, { feeds, clock }: SocketPorts): boolean {
  const { place } = ws.getUserData().entrant;
  if (feeds.places.mayReceive(place, byteLength, clock.elapsed())) return true;
  const { code, reason } = ends.tooManyFrames;
  ws.cork(() => ws.end(code, reason));
  return false;
}

/** Ignores every message but a ping: later clients may send messages that are unknown here. */
function onMessage(ws: WebSocket<Attached>, message: ArrayBuffer, isBinary: boolean, ports: SocketPorts): void {
  if (!mayGoOn(ws, message, ports)) return;
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
  const { replica, socket, place } = ws.getUserData().entrant;
  ports.feeds.places.free(place);
  if (socket) ports.feeds.leave(replica, socket);
}
