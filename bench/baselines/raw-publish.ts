/**
 * The WebSocket library alone: it publishes frames of one size to all viewers, one frame a turn of the loop, as fast as
 * they go out. The frames look like deltas, so that the same viewers count them.
 */
import { App, us_listen_socket_close, us_socket_local_port } from 'uWebSockets.js';

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

function publish(version: number, frames: number, bytes: number): void {
  if (version > frames) return;
  const head = `{"type":"delta","protocol":1,"snapshotVersion":${version},"changes":[{"label":"v${version}"}],"fill":"`;
  app.publish('all', `${head}${'x'.repeat(Math.max(0, bytes - head.length - 2))}"}`);
  setImmediate(() => publish(version + 1, frames, bytes));
}
