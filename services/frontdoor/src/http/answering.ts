/**
 * Writes the answer of an exchange: at once, when the end of its body has come (last-request.ts), or when the headers
 * for the page of an embedded session are known. A caller that is gone gets none.
 *
 * An exception is a bug, and ends one exchange: with 500, or with a closed connection once the status line is written
 * (`fail`). No function here throws.
 */
import { type Answer, answerOfRefusal, EventStream, internalFault } from '../answers/answers.ts';
import { type Exchange, guard, type HttpCounters, writeHead } from './exchange.ts';
import { isAnswerable, onceAnswerable, sendAndClose } from './last-request.ts';
import { asParts, bodyToSend, sendPieces, sendWhole } from './sending.ts';
import { startStream } from './stream.ts';

/**
 * Ends an exchange that met an exception: with 500, or without an answer if the status line is written, or if the 500
 * met an exception too. Never throws.
 */
export function fail(exchange: Exchange, counters: HttpCounters, error: unknown): void {
  exchange.onFault(error, exchange.requestId);
  if (exchange.gone) return;
  if (exchange.isBegun || exchange.hasFailed) {
    // The library throws if the answer is whole already.
    guard(
      () => exchange.response.close(),
      () => {},
    );
    return;
  }
  if (exchange.ended) return;
  exchange.hasFailed = true;
  const answer = answerOfRefusal(internalFault.refusal, exchange.requestId);
  giveWhenAnswerable(exchange, counters, answer);
}

/**
 * Answers when the answer may be written and the headers for the page of an embedded session are known. Never throws.
 */
export function respond(exchange: Exchange, counters: HttpCounters, answer: Answer | EventStream): void {
  if (exchange.ended) {
    if (!(answer instanceof EventStream)) counters.accessLog?.note(exchange, answer, true);
    return;
  }
  if (exchange.cors === null) {
    giveWhenAnswerable(exchange, counters, answer);
    return;
  }
  exchange.cors.then(
    (headers) => {
      exchange.extraHeaders = headers;
      if (!exchange.ended) giveWhenAnswerable(exchange, counters, answer);
    },
    (error) => fail(exchange, counters, error),
  );
}

function giveWhenAnswerable(exchange: Exchange, counters: HttpCounters, answer: Answer | EventStream): void {
  if (isAnswerable(exchange)) give(exchange, counters, answer);
  else onceAnswerable(exchange, () => give(exchange, counters, answer));
}

function give(exchange: Exchange, counters: HttpCounters, answer: Answer | EventStream): void {
  try {
    if (answer instanceof EventStream) startStream(exchange, counters, answer);
    else write(exchange, counters, answer);
  } catch (error) {
    fail(exchange, counters, error);
  }
}

function write(exchange: Exchange, counters: HttpCounters, answer: Answer): void {
  const { response } = exchange;
  exchange.body?.end(true);
  const hasBody = !exchange.headOnly && answer.status !== 204 && answer.status !== 304;
  const body = hasBody ? bodyToSend(answer.body) : '';
  const answered = () => {
    exchange.ended = true;
    counters.underWay--;
  };
  response.cork(() => {
    writeHead(exchange, counters, answer);
    // A connection whose body is still coming closes behind its next answer: its client reads none while it sends.
    const close = exchange.lastOfConnection || (counters.draining && exchange.body?.isOver !== false);
    const isWhole = !exchange.lastOfConnection && !Array.isArray(body);
    // Where the library ends the answer itself, it writes this header.
    if (close && body.length > 0 && !isWhole) response.writeHeader('Connection', 'close');
    if (exchange.lastOfConnection && body.length > 0) {
      sendAndClose(exchange, asParts(body), answered);
      return;
    }
    if (Array.isArray(body)) {
      sendPieces(response, body, answered);
      return;
    }
    if (hasBody && !close) {
      sendWhole(response, body as string | Uint8Array, answered);
      return;
    }
    answered();
    exchange.gone = close;
    // Without arguments the library writes no Content-Length, which is right for 204 and 304. With `undefined` it
    // writes a wrong one.
    if (hasBody) response.end(body as string | Uint8Array, true);
    else if (close) response.endWithoutBody(0, true);
    else response.endWithoutBody();
  });
}
