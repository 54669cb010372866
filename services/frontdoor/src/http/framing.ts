/**
 * Reads a request's headers, and finds ambiguous framings. Two parsers could read an ambiguous framing differently,
 * which allows request smuggling. The server library lets most ambiguous framings pass (seen: two Content-Length,
 * `Transfer-Encoding: xchunked`, two Host). So this file checks every header before any other step. One call fills and
 * reads the collector without an await, because the request object is gone after the first await.
 */
import type { HttpRequest } from 'uWebSockets.js';

/**
 * The headers that the front door uses. A string is empty if its header is absent. An empty Idempotency-Key is a blank.
 */
export type Headers = {
  authorization: string;
  contentType: string;
  contentLength: number | null;
  chunked: boolean;
  /** The client asks for the end of the connection after the answer. */
  closes: boolean;
  requestId: string;
  idempotencyKey: string;
  /** Also set for a page that reads from its own host. Browsers tell this in another header (`ownPageOrigin`). */
  origin: string;
  host: string;
  ifNoneMatch: string;
  accept: string;
  acceptEncoding: string;
  cookie: string;
  forwardedFor: string;
  csrfToken: string;
  /** The mode that a page of the dashboard shows. */
  mode: string;
  userAgent: string;
  /** The method that a preflight asks for. */
  requestedMethod: string;
  /** The scheme of the connection that a proxy ended. */
  forwardedProto: string;
  /** The context of the caller's trace, unchecked. */
  traceparent: string;
  /** The fault of an ambiguous framing; empty if there is none. The answer is 400, and the connection ends. */
  framingFault: string;
};

const oneHost = 'Send exactly one Host header.';
const oneLength = 'Send one Content-Length, as a number.';
const onlyChunked = 'The only Transfer-Encoding here is chunked.';
const notBoth = 'Send Content-Length or Transfer-Encoding, never both.';

let hosts = 0;
let lengths = 0;
let codings = 0;
let fetchSite = '';
let headers: Headers = blank();

export function readHeaders(request: HttpRequest): Headers {
  hosts = lengths = codings = 0;
  fetchSite = '';
  headers = blank();
  request.forEach(take);
  if (headers.origin === '') headers.origin = ownPageOrigin(fetchSite, headers.host);
  if (hosts !== 1) headers.framingFault = oneHost;
  else if (lengths > 1) headers.framingFault = oneLength;
  else if (codings > 1) headers.framingFault = onlyChunked;
  else if (lengths > 0 && codings > 0) headers.framingFault = notBoth;
  return headers;
}

function blank(): Headers {
  return {
    authorization: '',
    contentType: '',
    contentLength: null,
    chunked: false,
    closes: false,
    requestId: '',
    idempotencyKey: '',
    origin: '',
    host: '',
    ifNoneMatch: '',
    accept: '',
    acceptEncoding: '',
    cookie: '',
    forwardedFor: '',
    csrfToken: '',
    mode: '',
    userAgent: '',
    requestedMethod: '',
    forwardedProto: '',
    traceparent: '',
    framingFault: '',
  };
}

function take(name: string, value: string): void {
  switch (name) {
    case 'host':
      hosts++;
      headers.host = value;
      if (value === '') headers.framingFault = oneHost;
      return;
    case 'content-length':
      lengths++;
      if (/^\d{1,15}$/.test(value)) headers.contentLength = Number(value);
      else headers.framingFault = oneLength;
      return;
    case 'transfer-encoding':
      codings++;
      headers.chunked = true;
      if (value !== 'chunked') headers.framingFault = onlyChunked;
      return;
    case 'connection':
      headers.closes = value.toLowerCase() === 'close';
      return;
    // Two values are joined. The joined text is no valid credential and no valid origin, so it is refused.
    case 'authorization':
      headers.authorization = headers.authorization === '' ? value : `${headers.authorization}, ${value}`;
      return;
    case 'content-type':
      headers.contentType = value;
      return;
    case 'x-request-id':
      headers.requestId = value;
      return;
    // No key has a blank. So two values, joined, are refused, and so is an empty value, which is not an absent header.
    case 'idempotency-key':
      headers.idempotencyKey = headers.idempotencyKey === '' ? value || ' ' : `${headers.idempotencyKey}, ${value}`;
      return;
    case 'origin':
      headers.origin = headers.origin === '' ? value : `${headers.origin}, ${value}`;
      return;
    case 'sec-fetch-site':
      fetchSite = value;
      return;
    case 'if-none-match':
      headers.ifNoneMatch = value;
      return;
    case 'accept':
      headers.accept = value;
      return;
    case 'accept-encoding':
      headers.acceptEncoding = value;
      return;
    case 'cookie':
      // Proxies that speak HTTP/2 to the browser may pass on several cookie headers.
      headers.cookie = headers.cookie === '' ? value : `${headers.cookie}; ${value}`;
      return;
    case 'x-forwarded-for':
      headers.forwardedFor = headers.forwardedFor === '' ? value : `${headers.forwardedFor}, ${value}`;
      return;
    case 'x-forwarded-proto':
      headers.forwardedProto = value;
      return;
    // Two values are joined to a text that is no context.
    case 'traceparent':
      headers.traceparent = headers.traceparent === '' ? value : `${headers.traceparent}, ${value}`;
      return;
    default:
      takeOfBrowser(name, value);
  }
}

/** The headers that browsers send, and pages of the dashboard. */
function takeOfBrowser(name: string, value: string): void {
  switch (name) {
    case 'x-csrf-token':
      headers.csrfToken = value;
      return;
    // Two values are joined to a text that is no mode.
    case 'parterre-mode':
      headers.mode = headers.mode === '' ? value : `${headers.mode}, ${value}`;
      return;
    case 'user-agent':
      headers.userAgent = value;
      return;
    case 'access-control-request-method':
      headers.requestedMethod = value;
      return;
  }
}

const LOOPBACK = /^(localhost|127\.\d+\.\d+\.\d+|\[::1\])(:\d+)?$/;

/**
 * The origin of a page that reads from its own host; empty for any other request. Browsers send no Origin with such a
 * GET but `Sec-Fetch-Site: same-origin`, which no script can set. The header proves as much as Origin does: both are
 * reliable from a browser, and only from a browser. Browsers send the header only for pages that come by https or from
 * the local machine, so the scheme follows from the host.
 */
export function ownPageOrigin(fetchSite: string, host: string): string {
  if (fetchSite !== 'same-origin') return '';
  const name = host.toLowerCase();
  return `${LOOPBACK.test(name) ? 'http' : 'https'}://${name}`;
}
