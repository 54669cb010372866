/**
 * Server-sent events over one HTTP response: each frame is `data: {json}` and an empty line. A comment every PING_MS
 * keeps proxies and our own idle timeout from closing a quiet stream. A reader is dropped when more than
 * `viewerBackpressureBytesMax` bytes were written since its connection last drained.
 *
 * A stream ends with its last chunk, and its connection stays open. The library's own way to close a connection writes
 * the header `Connection: close` into the stream. The last request of a connection (last-request.ts) must not be
 * followed by another: its stream ends with the connection, without a last chunk.
 */
import { systemClock } from '@parterre/shared/runtime/clock';
import type { EventStream, Header, StreamReader } from '../answers/answers.ts';
import { viewerBackpressureBytesMax } from '../feed-limits.ts';
import { type Exchange, type HttpCounters, writeHead } from './exchange.ts';

const PING_MS = 5_000;
const streamHeaders: readonly Header[] = [['Content-Type', 'text/event-stream']];

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
      if (exchange.lastOfConnection) response.close();
      else response.cork(() => response.end());
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
    writeHead(exchange, counters, { status: 200, headers: streamHeaders });
    if (exchange.lastOfConnection) response.writeHeader('Connection', 'close');
  });
  stop = stream.start(reader);
  if (exchange.ended) stop();
  else armPing();
}
