/**
 * Server-sent events over one HTTP response: each frame is `data: {json}` and an empty line. A comment every PING_MS
 * keeps proxies and our own idle timeout from closing a quiet stream. A reader is dropped when more than
 * `viewerBackpressureBytesMax` bytes were written since its connection last drained.
 */
import { systemClock } from '@parterre/shared/clock';
import { viewerBackpressureBytesMax } from '@parterre/shared/limits';
import type { EventStream, StreamReader } from '../answers/answers.ts';
import type { Exchange, HttpCounters } from './exchange.ts';
import { statusLine } from './status-line.ts';

const PING_MS = 5_000;

export function startStream(exchange: Exchange, counters: HttpCounters, stream: EventStream): void {
  const { response } = exchange;
  let undrainedBytes = 0;
  let stop = (): void => {};
  let stopPing = (): void => {};

  const reader: StreamReader = {
    write(text) {
      if (exchange.ended) return false;
      response.cork(() => {
        undrainedBytes = response.write(text) ? 0 : undrainedBytes + text.length;
      });
      return undrainedBytes <= viewerBackpressureBytesMax;
    },
    end() {
      if (exchange.ended) return;
      leave();
      response.cork(() => response.end('', true));
    },
  };

  function leave(): void {
    exchange.ended = true;
    counters.underWay--;
    stopPing();
    stop();
  }

  function armPing(): void {
    stopPing = systemClock.after(PING_MS, () => {
      if (reader.write(': ping\n\n')) armPing();
      else reader.end();
    });
  }

  response.onWritable(() => {
    undrainedBytes = 0;
    return true;
  });
  exchange.onGone = () => {
    stopPing();
    stop();
  };
  response.cork(() => {
    response.writeStatus(statusLine(200));
    response.writeHeader('X-Request-ID', exchange.requestId);
    response.writeHeader('Content-Type', 'text/event-stream');
    response.writeHeader('Cache-Control', 'no-store');
    for (const [name, value] of exchange.extraHeaders) response.writeHeader(name, value);
  });
  stop = stream.start(reader);
  if (!exchange.ended) armPing();
}
