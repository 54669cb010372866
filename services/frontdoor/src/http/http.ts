/** HTTP and WebSocket over the server library: requests, sockets and streams. */
export type { HttpCounters } from './exchange.ts';
export { serveHttp } from './requests.ts';
export { createRouter } from './router.ts';
export { serveSockets } from './sockets.ts';
