/**
 * What a subscriber is told of a post that got no answer: plain words about the receiver, and nothing of this side's
 * network or code.
 */

/** The name, or the literal address, is not of the public internet. */
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
const notHttp = 'the answer is not one that HTTP knows';
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

/** Ended by the receiver or on the way, before any answer: what a kept connection that has just been closed looks like. */
export function isClosed(error: Error): boolean {
  return explain(error) === closed;
}

export function explain(error: Error): string {
  if (error instanceof NotPublic || error instanceof Unresolved) return error.message;
  const code = codeOf(error);
  // An answer that comes where none is due, or none that a POST can have (100, 101), is a socket's error to undici too.
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
