/** Each audience's view of an event. */

export { Changes } from './changes.ts';
export { HeldTimes } from './held-times.ts';
export { Picture } from './picture.ts';
export {
  type Audience,
  audienceOf,
  buyerAudience,
  type ChannelMap,
  channellessConsole,
  channelMapOf,
  consoleAudience,
  hasMoney,
  isAlike,
  isConsole,
  publicAudience,
  serverAudience,
  withMoney,
} from './rules/audience.ts';
export {
  jsonWithSeats,
  type Objects,
  objectsOf,
  staleMark,
  statusWord,
  stripped,
  trueObjects,
  type WithSeats,
} from './rules/objects.ts';
export { createUnitLists, type UnitLists, unitsId } from './units.ts';
