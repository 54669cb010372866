/** Importing this defines the console's elements, and does nothing on a server. */
export { ParterreControlRoomElement, ParterreEventManagerElement } from '../console/elements/elements.ts';
