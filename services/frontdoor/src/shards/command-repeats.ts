/**
 * Whether a caller may repeat a request whose command got no answer, by command. A new command does not compile without
 * its line. The front door itself repeats every command (I5): it keeps the command's name. The caller's next request
 * has a new name, unless the caller chose the name.
 */
import type { Command, CommandType } from '@parterre/shared/protocol/commands';
import type { Refusal } from '@parterre/shared/protocol/errors';
import { type Repeat, unheard } from '@parterre/shared/runtime/unheard';
import type { WaitingCommand } from './waiting-commands.ts';

const harmless = 'harmless';
const held: Repeat = {
  lookAt:
    'If so, the seats show as held until the hold expires. Send an Idempotency-Key with a hold to make repeats harmless.',
};
const log = look('GET /v1/events/{key}/log');
const event = look('GET /v1/events/{key}');
const channels = look('GET /v1/events/{key}/channels');
const reservations = look('GET /v1/events/{key}/reservations');
const releases = look('GET /v1/events/{key}/releases');

function look(call: string): Repeat {
  return { lookAt: `Read ${call} before you repeat the call.` };
}

const repeats: Record<CommandType, Repeat> = {
  create: harmless,
  hold: held,
  'hold-best': held,
  // A second renewal is a second effect, and a cancelled seat may be another's by now. A key names these calls.
  extend: look('the hold'),
  unbook: look('GET /v1/events/{key}/bookings/{bookingRef}'),
  // The hold id or the booking reference names these calls.
  release: harmless,
  book: harmless,
  'book-direct': harmless,
  'book-best': harmless,
  'choose-best': harmless,
  // Its Idempotency-Key names the exchange.
  exchange: harmless,
  // The import names its pieces.
  'import-bookings': harmless,
  'exchange-on-terms': harmless,
  swap: harmless,
  'pin-exchange': harmless,
  'take-exchange': harmless,
  'refuse-exchange': harmless,
  'give-exchange': harmless,
  'unpin-exchange': harmless,
  'box-book': harmless,
  'box-office-sale': harmless,
  block: log,
  'block-best': log,
  unblock: log,
  'end-holds': log,
  'make-reservation': reservations,
  'change-reservation': reservations,
  // A reservation that has ended is answered as ended.
  'end-reservation': harmless,
  'book-reservation': harmless,
  // The batch and the number of its change name the call.
  'undo-block': harmless,
  'set-hold-ttl': look('GET /v1/events/{key}/hold-ttl'),
  move: event,
  configure: event,
  'update-chart': event,
  'adjust-chart': log,
  'set-releases': releases,
  'close-release': releases,
  'set-availability': look('GET /v1/events/{key}/availability'),
  'create-channel': channels,
  'change-channel': channels,
  'set-channel-state': channels,
  // An archive to the same destination is answered as done.
  'archive-channel': harmless,
  'assign-channel': channels,
  'list-resale': log,
  'remove-resale': log,
  // The operation and its action, the lock or the offer names these calls.
  'hold-part': harmless,
  'look-part': harmless,
  'look-block': harmless,
  'abort-operation': harmless,
  'pin-part': harmless,
  'unpin-part': harmless,
  'book-part': harmless,
  'extend-part': harmless,
  'release-part': harmless,
  'refuse-action': harmless,
  'unbook-part': harmless,
  lock: harmless,
  'drain-lock': harmless,
  unlock: harmless,
  reserve: harmless,
  unreserve: harmless,
  'book-reserved': harmless,
  'inspect-hold': harmless,
  'inspect-holders': harmless,
  'quote-sale': harmless,
  'inspect-reservation': harmless,
  'list-reservations': harmless,
  'reserved-places': harmless,
  'inspect-operation': harmless,
  'inspect-locks': harmless,
  'inspect-units': harmless,
  count: harmless,
  view: harmless,
  report: harmless,
  'unit-columns': harmless,
  releases: harmless,
  availability: harmless,
  channels: harmless,
  'channel-records': harmless,
  'channel-states': harmless,
  'channel-allocation': harmless,
  'channel-report': harmless,
  // The request may be counted twice.
  spend: harmless,
};

const silent = 'The inventory of this event';

/** The refusal of a command that surely was not carried out. */
export const notCarriedOut = unheard('shard_unavailable', silent, harmless);

/** The refusal of a command that may have been carried out. A caller's name for the call comes with a fingerprint. */
export function perhapsCarriedOut(command: Command): ReturnType<typeof unheard> {
  const isNamed = 'fingerprint' in command && command.fingerprint !== undefined;
  return isNamed ? notCarriedOut : unheard('shard_unavailable', silent, repeats[command.type]);
}

/** A refusal as the caller may take it: a copy that is still out may be carried out all the same. */
export function honest(
  { copiesOut, envelope }: WaitingCommand,
  { refusal }: { refusal: Refusal },
): ReturnType<typeof unheard> {
  return refusal.retryable && copiesOut > 0 ? perhapsCarriedOut(envelope.command) : { ok: false, refusal };
}
