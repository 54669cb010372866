/**
 * The calls of simulated callers: the kinds of calls of test/support/model, which are drawn from the oracle's world,
 * and the reads that the model lacks. Every command of the shard is among them.
 */
import type { Caller, Command } from '@parterre/shared/protocol/commands';
import fc from 'fast-check';
import { kinds } from '../support/model/history.ts';
import { channelNamed, firstPrices, type World } from '../support/model/reference/world.ts';
import { callerOf } from '../support/model/steps/channels.ts';
import { fresh, type Kind, oneOf, type Sent } from '../support/model/steps/steps.ts';
import { Random } from './world/scheduler.ts';

/** A call before it is sent; `caller` has no name yet. */
export type UnsentCall = { command: Command; caller: Caller };

export type Drawn = { readonly oracle: { readonly world: World }; readonly sent: readonly Sent[] };

const totalWeight = kinds.reduce((sum, { weight }) => sum + weight, 0);
const server: Caller = { source: 'server', actor: null, accessSource: 'public' };
/** The share of reads that the model lacks. */
const looksShare = 0.08;
/** The share of changes of the chart, once seats are held or booked. The model draws few changes. */
const chartShare = 0.05;
const chartKinds = kinds.filter(({ name }) => name.startsWith('update to') || name === 'adjust the chart');

/** Null when the drawn kind of call does not fit the event now. */
export function drawCall({ oracle: { world }, sent }: Drawn, random: Random): UnsentCall | null {
  if (random.chance(looksShare)) return { command: drawLook(world, random), caller: server };
  const kind = isInUse(world) && random.chance(chartShare) ? random.pick(chartKinds) : drawKind(random);
  const { value: draw } = kind.draws.generate(
    new fc.Random(sourceOf(new Random(random.int(0, 0x7fff_ffff)))),
    undefined,
  );
  const command = draw(world, sent);
  return command && { command, caller: drawCaller(kind, random) };
}

/** The next call that opens an event for the model's histories: the first channels. Null when all are there. */
export function opening(world: World): UnsentCall | null {
  const missing = Object.entries(firstPrices).find(([id]) => !world.channels[id]);
  if (!missing) return null;
  const [id, priceOverrides] = missing;
  const look = { color: null, marker: null, externalRef: null, accessIntent: 'none' } as const;
  const channel = { ...look, id, name: channelNamed(id), priceOverrides };
  return { command: { type: 'create-channel', callId: fresh(world, 'call'), channel, reason: null }, caller: server };
}

function isInUse({ seats }: World): boolean {
  return Object.values(seats).some(({ owner }) => owner !== null);
}

function drawKind(random: Random): Kind {
  let left = random.next() * totalWeight;
  for (const kind of kinds) {
    left -= kind.weight;
    if (left < 0) return kind;
  }
  return kinds[0]!;
}

function drawCaller({ byBuyers }: Kind, random: Random): Caller {
  const drawn = random.pick(['server', 'server', 'operator', 'buyer', 'buyer'] as const);
  const source = drawn === 'buyer' && !byBuyers ? 'server' : drawn;
  const accessSource = random.chance(0.25) ? 'partner' : 'public';
  return callerOf(source, accessSource, { n: random.int(0, 99), session: random.int(0, 99) });
}

function drawLook(world: World, random: Random): Command {
  const label = oneOf(world.chart.places, random.int(0, 99))!.label;
  return random.pick<Command>([
    { type: 'view' },
    { type: 'view' },
    { type: 'unit-columns', from: random.int(0, 3), ...(random.chance(0.5) && { most: random.int(1, 40) }) },
    { type: 'channels' },
    { type: 'channel-records' },
    { type: 'channel-states' },
    { type: 'channel-allocation', limit: random.int(1, 9), ...(random.chance(0.5) && { afterLabel: label }) },
    { type: 'channel-report' },
    { type: 'list-reservations', limit: random.int(1, 4), ...(random.chance(0.5) && { state: 'active' }) },
    { type: 'reserved-places' },
    { type: 'inspect-holders', labels: [label] },
    {
      type: 'quote-sale',
      of: random.pick(['box-book', 'box-office-sale'] as const),
      bookingRef: 'quote',
      selections: [{ label }],
    },
  ]);
}

type Source = { clone(): Source; next(): number; getState(): readonly number[] };

/** Random numbers in the form that fast-check takes. */
function sourceOf(random: Random): Source {
  return {
    clone: () => sourceOf(random.clone()),
    next: () => random.int(-0x8000_0000, 0x7fff_ffff),
    getState: () => [],
  };
}
