/** The generator of the API's description, and the types in which rooms describe themselves. */
export type { Description, Example } from './description.ts';
export { describeApi } from './document.ts';
export { endpointsOf } from './endpoints.ts';
export { parameter } from './parameter.ts';
export { standIn, standInPassword } from './stand-ins.ts';
