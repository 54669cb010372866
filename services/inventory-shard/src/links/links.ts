/** Opens the room of direct links. */
export { type LinkPort, LinkServer, type Take } from './link-server.ts';
