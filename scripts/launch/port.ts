/**
 * The front door's port, settled before anything starts. One that was picked here is bound in earnest every time, which
 * lets a front door that died open it again at once: a port that the system picks for it stays shut for a minute.
 */
import { createServer } from 'node:net';

/** `port` as it is when it is free, a free one for 0, otherwise what to tell. */
export function settlePort(port: number, host: string): Promise<{ port: number } | { problem: string }> {
  return new Promise((resolve) => {
    const server = createServer();
    server.once('error', (error: NodeJS.ErrnoException) => {
      const why = error.code === 'EADDRINUSE' ? 'is taken by another program' : `cannot be opened (${error.code})`;
      const problem = `Port ${port} on ${host} ${why}. Choose another: PORT=8081 npm start (PORT=0 picks a free one).`;
      resolve({ problem });
    });
    server.listen({ port, host, exclusive: true }, () => {
      const address = server.address();
      const settled = typeof address === 'object' && address ? address.port : port;
      server.close(() => resolve({ port: settled }));
    });
  });
}
