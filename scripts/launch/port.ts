/** Whether the front door's port is free, asked before anything starts: its own server would share a taken one. */
import { createServer } from 'node:net';

/** Null when it is free, otherwise what to tell. */
export function portProblem(port: number, host: string): Promise<string | null> {
  return new Promise((resolve) => {
    const server = createServer();
    server.once('error', (error: NodeJS.ErrnoException) => {
      const why = error.code === 'EADDRINUSE' ? 'is taken by another program' : `cannot be opened (${error.code})`;
      resolve(`Port ${port} on ${host} ${why}. Choose another: PORT=8081 npm start (PORT=0 picks a free one).`);
    });
    server.listen({ port, host, exclusive: true }, () => server.close(() => resolve(null)));
  });
}
