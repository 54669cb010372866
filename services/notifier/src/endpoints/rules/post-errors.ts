/**
 * The words that a subscriber reads about a post without an answer. They name the receiver's fault and nothing of this
 * server's network or code.
 */

/** The name, or the literal address, is not on the public internet. */
export class NotPublic extends Error {
  constructor(host: string) {
    super(`${host} is not a public address`);
  }
}

export class Unresolved extends Error {
  constructor(host: string) {
    super(`the name ${host} could not be resolved`);
  }
}

const closed = 'the connection was closed before there was an answer';
const notHttp = 'the answer is not valid HTTP';
const unreachable = 'the receiver cannot be reached';

const words: Record<string, string> = {
  ECONNREFUSED: 'the connection was refused',
  ECONNRESET: closed,
  EPIPE: closed,
  UND_ERR_SOCKET: closed,
  ETIMEDOUT: unreachable,
  EHOSTUNREACH: unreachable,
  ENETUNREACH: unreachable,
  EADDRNOTAVAIL: unreachable,
  UND_ERR_HEADERS_OVERFLOW: "the answer's headers are too large",
  UND_ERR_RES_CONTENT_LENGTH_MISMATCH: closed,
  ERR_TLS_CERT_ALTNAME_INVALID: 'the TLS certificate is for another name',
};

/** The connection ended before any answer. A kept connection that its receiver has just closed looks like this. */
export function isClosed(error: Error): boolean {
  return explain(error) === closed;
}

export function explain(error: Error): string {
  if (error instanceof NotPublic || error instanceof Unresolved) return error.message;
  const code = codeOf(error);
  // undici also reports an unexpected answer, or one that a POST cannot have (100, 101), as an error of the socket.
  if (error.name === 'HTTPParserError' || /^bad (response|upgrade)$/.test(error.message)) return notHttp;
  const known = words[code];
  if (known !== undefined) return known;
  if (/CERT|SIGNATURE|_CA$|CRL/.test(code)) return `the TLS certificate was not accepted (${code})`;
  if (/^(EPROTO$|ERR_SSL|ERR_TLS)/.test(code)) return 'no TLS connection could be made';
  return 'the post failed';
}

function codeOf(error: Error): string {
  return String((error as NodeJS.ErrnoException).code ?? '');
}
