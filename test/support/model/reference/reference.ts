/** The naive reference: the result of each call, from the documented rules. Writes the result into the world. */
import type { Caller, Command } from '@parterre/shared/protocol/commands';
import { availability, openBySales, setAvailability } from './availability.ts';
import { blockBest, bookBest, chooseBest, holdBest, withParts } from './best-available.ts';
import { book, bookDirect, boxBook, boxOfficeSale, importBookings, unbook } from './bookings.ts';
import { archive, assign, change, create, turn } from './channels.ts';
import { tellSoldOut } from './endings.ts';
import {
  adjustChart,
  block,
  configure,
  move,
  repeated,
  setHoldTtl,
  unblock,
  undoBlock,
  updateChart,
} from './event-calls.ts';
import { exchange, swap } from './exchanges/exchanges.ts';
import { extend, hold, inspect, release } from './holds.ts';
import { bookReserved, lock, reserve, unlock, unreserve } from './offers.ts';
import { count, report } from './reads.ts';
import { closeRelease, releases, setReleases } from './releases.ts';
import { list, remove } from './resale.ts';
import {
  bookReservation,
  changeReservation,
  endHolds,
  endOne,
  inspectReservation,
  makeReservation,
} from './reservations.ts';
import { type Prediction, refused, type World } from './world.ts';

const reads: readonly Command['type'][] = [
  'inspect-reservation',
  'choose-best',
  'inspect-hold',
  'count',
  'view',
  'report',
  'releases',
  'availability',
];

/** Only a move changes an archived event. The event answers repeated calls, and calls without an effect. */
export function predict(world: World, command: Command, caller: Caller): Prediction {
  const told = predictAlone(world, command, caller);
  // The consequences of the call. An archived event has none.
  if (world.status === 'active' || world.status === 'closed') openBySales(world);
  tellSoldOut(world);
  return told;
}

function predictAlone(world: World, command: Command, caller: Caller): Prediction {
  const isMutable = world.status === 'active' || world.status === 'closed';
  if (isMutable || isDecidedElsewhere(command) || reads.includes(command.type) || command.type === 'move')
    return comeTo(world, command, caller);
  const told = comeTo(copyOf(world), command, caller);
  // A dry run tells what the call would do, and an archived event does nothing.
  const isDry = 'isDry' in command && command.isDry === true;
  if (told.ok && !told.isNews && !isDry) return told;
  if (told.ok && told.isNameOnly) return comeTo(world, command, caller);
  return caller.source === 'buyer' ? refused('event_closed') : refused('invalid_event_state', { status: world.status });
}

/** The catalog has decided the end of an offer, or a batch over events. */
function isDecidedElsewhere(command: Command): boolean {
  if (command.type === 'block') return command.only === 'blocked';
  if (command.type === 'unblock') return command.step === 'decided';
  return ['unreserve', 'book-reserved', 'undo-block'].includes(command.type);
}

function copyOf({ chart, ...rest }: World): World {
  return { ...structuredClone(rest), chart };
}

function comeTo(world: World, command: Command, caller: Caller): Prediction {
  switch (command.type) {
    case 'hold':
      return hold(world, command, caller);
    case 'extend':
      return extend(world, command, caller);
    case 'release':
      return release(world, command, caller);
    case 'hold-best':
      return holdBest(world, command, caller);
    case 'choose-best':
      return chooseBest(world, command, caller);
    case 'book-best':
      return bookBest(world, command, caller);
    case 'book':
      return book(world, command);
    case 'book-direct':
      return bookDirect(world, command, caller);
    case 'box-book':
      return boxBook(world, command, caller);
    case 'box-office-sale':
      return boxOfficeSale(world, command, caller);
    case 'unbook':
      return unbook(world, command);
    case 'lock':
      return lock(world, command);
    case 'unlock':
      return unlock(world, command);
    case 'reserve':
      return reserve(world, command, caller);
    case 'unreserve':
      return unreserve(world, command);
    case 'book-reserved':
      return bookReserved(world, command, caller);
    case 'book-reservation':
      return bookReservation(world, command, caller);
    case 'inspect-reservation':
      return inspectReservation(world, command);
    case 'inspect-hold':
      return inspect(world, command, caller);
    case 'count':
      return count(world);
    case 'availability':
      return availability(world);
    case 'releases':
      return releases(world);
    case 'report':
      return report(world);
    default:
      return comeToOnce(world, command, caller);
  }
}

function comeToOnce(world: World, command: Command, caller: Caller): Prediction {
  const again =
    'callId' in command
      ? repeated(world, command.callId, 'fingerprint' in command ? command.fingerprint : undefined)
      : null;
  if (again?.ok && command.type === 'block-best') {
    return { ...again, answer: withParts(world, again.answer as { blocked: string[] }) };
  }
  if (again) return again;
  switch (command.type) {
    case 'block':
      return block(world, command);
    case 'end-holds':
      return endHolds(world, command);
    case 'make-reservation':
      return makeReservation(world, command, caller);
    case 'change-reservation':
      return changeReservation(world, command);
    case 'end-reservation':
      return endOne(world, command);
    case 'block-best':
      return blockBest(world, command, caller);
    case 'import-bookings':
      return importBookings(world, command, caller);
    case 'exchange':
    case 'exchange-on-terms':
      return exchange(world, command, caller);
    case 'swap':
      return swap(world, command);
    case 'unblock':
      return unblock(world, command);
    case 'undo-block':
      return undoBlock(world, command);
    case 'create-channel':
      return create(world, command);
    case 'change-channel':
      return change(world, command);
    case 'archive-channel':
      return archive(world, command);
    case 'assign-channel':
      return assign(world, command);
    case 'set-channel-state':
      return turn(world, command);
    case 'set-hold-ttl':
      return setHoldTtl(world, command);
    case 'list-resale':
      return list(world, command);
    case 'remove-resale':
      return remove(world, command);
    case 'set-availability':
      return setAvailability(world, command);
    case 'set-releases':
      return setReleases(world, command);
    case 'close-release':
      return closeRelease(world, command);
    case 'move':
      return move(world, command);
    case 'configure':
      return configure(world, command);
    case 'update-chart':
      return updateChart(world, command);
    case 'adjust-chart':
      return adjustChart(world, command);
    default:
      throw new Error(`the reference knows nothing of ${command.type}`);
  }
}
