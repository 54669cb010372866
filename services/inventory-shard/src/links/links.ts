/** Opens the room of direct links. */
export { type LinkPort, LinkServer } from './link-server.ts';
