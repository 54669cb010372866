/**
 * The WebSocket library alone: it publishes frames of one size to all viewers, one frame a turn of the loop, as fast as
 * they go out. The frames look like deltas, so that the same viewers count them. At the end it tells the time of each
 * publish.
 */
import { App, us_listen_socket_close, us_socket_local_port } from 'uWebSockets.js';
import type { Change } from '../viewers/feed-viewers.ts';

const app = App();
app.ws('/*', { idleTimeout: 0, maxBackpressure: 64 * 1024 * 1024, open: (ws) => void ws.subscribe('all') });
app.listen('127.0.0.1', 0, (listener) => {
  if (!listener) throw new Error('no port');
  process.send!({ port: us_socket_local_port(listener as never) });
  process.on('message', ({ frames, bytes }: { frames: number; bytes: number }) => {
    us_listen_socket_close(listener);
    publish(1, frames, bytes);
  });
});

/** A published frame goes out on the next turn of the loop. */
const turnMs = 5;
setInterval(() => {}, turnMs);

const published: Change[] = [];

function publish(version: number, frames: number, bytes: number): void {
  if (version > frames) {
    process.send!(published);
    return;
  }
  const at = performance.timeOrigin + performance.now();
  published.push({ label: `v${version}`, sentAt: at, answeredAt: at });
  const head = `{"type":"delta","protocol":1,"snapshotVersion":${version},"changes":[{"label":"v${version}"}],"fill":"`;
  app.publish('all', `${head}${'x'.repeat(Math.max(0, bytes - head.length - 2))}"}`);
  setImmediate(() => publish(version + 1, frames, bytes));
}
