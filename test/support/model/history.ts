/**
 * A history: steps that are taken in the reference and in the real rules, which are compared after each group.
 * fast-check draws histories and shrinks failures. The error then lists the calls.
 */
import type { Caller, Command } from '@parterre/shared/protocol/commands';
import fc from 'fast-check';
import { differenceOfAnswers, differenceOfStates } from './compare.ts';
import { demandOfState } from './invariants.ts';
import { Real } from './real.ts';
import { passTo } from './reference/endings.ts';
import { predict } from './reference/reference.ts';
import { firstPrices, newWorld, type Prediction, type World } from './reference/world.ts';
import { bestKinds } from './steps/best.ts';
import { callerOf, channelKinds, grantPick } from './steps/channels.ts';
import { eventKinds, type Passing, passedTo, passing } from './steps/event.ts';
import { exchangeKinds } from './steps/exchanges.ts';
import { offerKinds } from './steps/offers.ts';
import { releaseKinds } from './steps/releases.ts';
import { resaleKinds } from './steps/resale.ts';
import { reservationKinds } from './steps/reservations.ts';
import { salesKinds } from './steps/sales.ts';
import { type Draw, type Kind, type Sent, weighted } from './steps/steps.ts';
import type { Tally } from './tally.ts';

export const kinds: readonly Kind[] = [
  ...salesKinds,
  ...bestKinds,
  ...channelKinds,
  ...releaseKinds,
  ...resaleKinds,
  ...exchangeKinds,
  ...offerKinds,
  ...eventKinds,
  ...reservationKinds,
];

/** One event in both. The reference takes each call at once; the real rules follow with a group. */
export class Both {
  readonly real: Real;
  readonly sent: Sent[] = [];
  readonly #world: World;
  readonly #tally: Tally;
  readonly #story: string[] = [];
  #waiting: { told: Prediction; kind: string }[] = [];

  constructor(ownership: World['ownership'], tally: Tally) {
    this.#world = newWorld(ownership, firstPrices);
    this.#tally = tally;
    this.real = new Real(ownership, this.#world.now);
  }

  get world(): World {
    return this.#world;
  }

  send(kind: string, command: Command, caller: Caller): void {
    this.#story.push(`${this.#world.now} ${kind}: ${JSON.stringify(command)} by ${JSON.stringify(caller)}`);
    this.sent.push({ command, caller, at: this.#world.now });
    this.real.ask(command, caller);
    this.#waiting.push({ told: predict(this.#world, command, caller), kind });
  }

  pass(now: number): void {
    this.catchUp();
    passTo(this.#world, now);
    this.#story.push(`${now} time has passed`);
    this.catchUp();
  }

  catchUp(isAtEnd = false): void {
    const heard = this.real.answers(this.#world.now);
    for (const [i, { told, kind }] of this.#waiting.entries()) {
      const { reply, groups } = heard[i]!;
      this.#tally.add(kind, reply);
      this.#demand(differenceOfAnswers(told, reply, groups), kind);
    }
    this.#waiting = [];
    this.#demand(differenceOfStates(this.#world, this.real.state, isAtEnd), 'the state');
    const { times } = this.#world.soldOut;
    const isTold = this.real.soldOuts === times;
    this.#demand(isTold ? null : `told ${this.real.soldOuts} times, predicted ${times}`, 'that all is sold');
    demandOfState(this.real.state);
  }

  takeSnapshot(): void {
    this.catchUp();
    this.real.takeSnapshot();
  }

  #demand(difference: string | null, what: string): void {
    if (difference !== null) throw new Error(`${what}: ${difference}\nafter\n  ${this.#story.join('\n  ')}`);
  }
}

const source = weighted(['server', 6], ['operator', 2], ['buyer', 3]);
const accessSource = weighted(['public', 3], ['partner', 1]);

/** A step that fast-check draws. A failure shows its name. */
export type Step = { run(both: Both): void; toString(): string };

/** One call. It may wait for the next calls and go into one group with them. */
function callOf(kind: Kind, draw: Draw, caller: Caller, waits: boolean): Step {
  return {
    run: (both) => {
      const command = draw(both.world, both.sent);
      if (!command) return;
      both.send(kind.name, command, caller);
      if (!waits) both.catchUp();
    },
    toString: () => kind.name,
  };
}

/** Otherwise no history of 60 steps extends a hold as often as it may be extended, and then once more. */
const onceMoreShare = 4;

function callsOf(kind: Kind): fc.WeightedArbitrary<Step> {
  const arbitrary = fc
    .tuple(kind.draws, source, accessSource, weighted([false, 3], [true, 1]), grantPick)
    .map(([draw, drawn, accessSource, waits, grant]) => {
      const source = drawn === 'buyer' && !kind.byBuyers ? 'server' : drawn;
      return callOf(kind, draw, callerOf(source, accessSource, grant), waits);
    });
  const share = kind.name === 'extend once more' ? onceMoreShare : 1;
  return { weight: Math.round(kind.weight * 10 * share), arbitrary };
}

function passOf(each: Passing): Step {
  return { run: (both) => both.pass(passedTo(both.world, each)), toString: () => 'time passes' };
}

const nothing: Step = { run: () => {}, toString: () => '-' };

/** Shrinking replaces a step that the failure does not need by nothing. */
const steps: fc.Arbitrary<Step> = fc.oneof(
  { withCrossShrink: true },
  { weight: 1, arbitrary: fc.constant(nothing) },
  { weight: 130, arbitrary: passing.map(passOf) },
  ...kinds.map(callsOf),
);

export const history = fc.array(steps, { minLength: 30, maxLength: 60, size: 'max' });
