/** HTTP over the server library: requests, answers and streams. sockets/ uses the same rules for upgrades. */
export { guard, type HttpCounters, newHttpCounters } from './exchange.ts';
export { readHeaders } from './framing.ts';
export { isBehindFlood } from './last-request.ts';
export { clientAddressOf, requestIdOf, serveHttp } from './requests.ts';
export { createRouter } from './router.ts';
export { statusLine } from './status-line.ts';
