/** The state of an event whose chart has just changed: a change on an empty event would show little. */
import type { World } from '../../support/model/reference/world.ts';

export function chartMoments({ seats, listings, channelOf }: World): string[] {
  const of = (...statuses: string[]): boolean => Object.values(seats).some(({ status }) => statuses.includes(status));
  const moments = {
    'a chart changes': true,
    'a chart changes under holds': of('held'),
    'a chart changes under bookings': of('booked'),
    'a chart changes under holds and bookings': of('held') && of('booked'),
    'a chart changes under blocks': of('blocked'),
    'a chart changes under listings': listings.length > 0,
    'a chart changes under channels': Object.keys(channelOf).length > 0,
  };
  return Object.entries(moments).flatMap(([moment, isTrue]) => (isTrue ? [moment] : []));
}
