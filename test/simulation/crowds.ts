/**
 * The calls of a crowd: most callers want the same few seats, which are sold and freed all the time. Front doors then
 * refuse many holds by themselves. The other calls are those of `drawCall` that leave the pledges of owners possible.
 */
import type { Caller, Command, CommandType } from '@parterre/shared/protocol/commands';
import { fresh } from '../support/model/steps/steps.ts';
import { type Drawn, drawCall, type UnsentCall } from './draws.ts';
import type { Random } from './world/scheduler.ts';

const seatsWanted = 3;
const holdShare = 0.7;
const otherShare = 0.15;
/** Ticket releases and divisions, while an event has them, end all pledges of its owner. */
const leftOut: ReadonlySet<CommandType> = new Set<CommandType>([
  'set-releases',
  'set-availability',
  'configure',
  'move',
]);

export function drawOfCrowd(drawn: Drawn, random: Random): UnsentCall | null {
  if (random.chance(otherShare)) {
    const asked = drawCall(drawn, random);
    return asked && leftOut.has(asked.command.type) ? null : asked;
  }
  const { world } = drawn.oracle;
  const label = random.pick(Object.keys(world.seats).slice(0, seatsWanted));
  const caller: Caller = { source: random.pick(['server', 'buyer']), actor: null, accessSource: 'public' };
  const isHold = random.chance(holdShare);
  const command: Command = isHold
    ? { type: 'hold', holdId: fresh(world, 'h'), selections: [{ label }] }
    : turnOver(world.seats[label]!.owner, label, fresh(world, 'call'), random);
  return { command, caller: isHold ? caller : { ...caller, source: 'server' } };
}

/** Frees the seat, or books it if it is free. */
function turnOver(owner: string | null, label: string, callId: string, random: Random): Command {
  const [kind, name = ''] = owner?.split(' ') ?? [];
  if (kind === 'hold') return { type: 'release', callId, holdId: name };
  if (kind === 'booking') return { type: 'unbook', callId, bookingRef: name, labels: [label] };
  const bookingRef = random.pick(['r1', 'r2', 'r3']);
  return { type: 'book-direct', callId, bookingRef, selections: [{ label }] };
}
