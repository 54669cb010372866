/**
 * The memory of an event: `npm run bench -- memory`. An event of 100,000 seats, free (also after a best-available call,
 * and with all seats in channels), and sold out in two ways: booked directly in orders of four, and held and then
 * booked in orders of two, with the ended holds that are kept for a day. Prints the bytes of a seat, and the shard's
 * estimate. Ends with 1 when a bound is exceeded.
 */
import { bytesBookedMax, bytesFreeMax, measureEvent, type UnitBytes } from './event-bytes.ts';

const measured = measureEvent();
console.log('bytes a seat                       plan   state    both   bound   estimated');
let isWithin = true;
tell('free', measured.free, bytesFreeMax);
tell('free, asked for the best seats', measured.asked, bytesFreeMax);
tell('free, all in two channels', measured.assigned, bytesFreeMax);
tell('booked, four an order', measured.bookedDirectly, bytesBookedMax);
tell('held and booked, two an order', measured.heldThenBooked, bytesBookedMax);
tell('the same out of two channels', measured.assignedThenBooked, bytesBookedMax);
process.exitCode = isWithin ? 0 : 1;

function tell(name: string, { plan, state, both, estimated }: UnitBytes, bound: number): void {
  isWithin &&= both <= bound;
  const columns = [plan, state, both, bound, estimated].map((bytes) => bytes.toFixed(1).padStart(8));
  console.log(name.padEnd(33), ...columns);
}
