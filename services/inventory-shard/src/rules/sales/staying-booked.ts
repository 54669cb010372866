/**
 * Refusals that stay true while an event only sells. A booked unit is freed, offered for resale or hidden only by the
 * commands that `sellingCommands` leaves out. So a plain hold of the unit (one label, and a caller without reach,
 * override or session) gets the same refusal until such a command is carried out.
 */
import type { CommandType } from '@parterre/shared/protocol/commands';
import type { Refusal } from '@parterre/shared/protocol/errors';
import { statusNames, unitStatus } from '@parterre/shared/protocol/records';
import type { Conflict } from '../selection/selection.ts';
import type { ReadState } from '../state/state.ts';

/** Commands that read, that set units aside, and that give back units which are not booked. */
const sellingCommands: ReadonlySet<CommandType> = new Set<CommandType>([
  'create',
  'hold',
  'hold-best',
  'extend',
  'release',
  'book',
  'book-direct',
  'book-best',
  'box-book',
  'box-office-sale',
  'import-bookings',
  'block',
  'block-best',
  'unblock',
  'set-hold-ttl',
  'hold-part',
  'look-part',
  'look-block',
  'abort-operation',
  'pin-part',
  'unpin-part',
  'book-part',
  'extend-part',
  'release-part',
  'refuse-action',
  'lock',
  'drain-lock',
  'unlock',
  'reserve',
  'unreserve',
  'book-reserved',
  'end-holds',
  'make-reservation',
  'change-reservation',
  'end-reservation',
  'book-reservation',
  'inspect-reservation',
  'list-reservations',
  'reserved-places',
  'inspect-operation',
  'inspect-locks',
  'inspect-units',
  'inspect-hold',
  'inspect-holders',
  'quote-sale',
  'count',
  'view',
  'report',
  'unit-columns',
  'releases',
  'availability',
  'channels',
  'channel-records',
  'channel-states',
  'channel-allocation',
  'channel-report',
]);

/** Whether the command may change the refusal of a booked unit. An unknown command may. */
export function mayChangeRefusals(type: CommandType | undefined): boolean {
  return type === undefined || !sellingCommands.has(type);
}

/**
 * Whether this refusal of a hold names one booked unit, and stays true while the event only sells. `state` may be later
 * than the refusal: a held unit may be booked by now. Ticket releases and divisions change by time and by sales, and so
 * do the refusals of units that are listed for resale.
 */
export function staysTrue({ plan, statuses, listingOf, releases, divisions }: ReadState, refusal: Refusal): boolean {
  if (refusal.code !== 'conflict' || refusal.reason !== undefined) return false;
  const [conflict, ...others] = (refusal.details?.conflicts ?? []) as Conflict[];
  if (conflict?.status !== statusNames[unitStatus.booked] || others.length > 0) return false;
  const unit = plan.labels.unitOf(conflict.label);
  return (
    unit !== undefined &&
    statuses[unit] === unitStatus.booked &&
    !listingOf.has(unit) &&
    releases.length === 0 &&
    divisions.byObject === null
  );
}
