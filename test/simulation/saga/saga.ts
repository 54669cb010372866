/**
 * One seed, one history of operations over several events: three events on three partitions with shards of their own,
 * front doors and catalogs that run the product's coordinator, buyers who want the same seats, and faults. Processes
 * die at any await, messages are lost, late or doubled, shards are away, clocks differ. The oracle checks each group of
 * each journal. At the end all faults are healed, and every operation has to end, as its callers were told.
 */
import { createCoordinator } from '@parterre/shared/protocol/operations/coordinator';
import type { Coordinator, CoordinatorPorts } from '@parterre/shared/protocol/operations/ports';
import { START } from '../../support/inventory/house.ts';
import { Scheduler, traceKeptDefault } from '../world/scheduler.ts';
import { type BuyerAnswer, buyAlone, buyGroup, type Group, passed } from './buyers.ts';
import { SagaProjection, startSagaCatalog } from './catalogs.ts';
import { checkEnd, type Moments, momentsOf } from './end-check.ts';
import { SagaEvent } from './saga-event.ts';
import { SagaOracle } from './saga-oracle.ts';
import { checkJourneys, type Journey, travel } from './travellers.ts';
import { type SagaProcess, Wire } from './wire.ts';

export type SagaVerdict = {
  seed: number;
  steps: number;
  traceHash: number;
  failure: string | null;
  trace: string[];
  moments: Moments;
};

const eventKeys = ['first', 'second', 'third'];
const groups: Group[] = [
  { owner: { kind: 'group', key: 'run' }, eventKeys: ['first', 'second', 'third'] },
  { owner: { kind: 'season', key: 'series' }, eventKeys: ['third', 'first'] },
];
/** The time for buyers, then for what they left behind, with all faults healed. */
const buysForMs = 120_000;
const endsWithinMs = 40_000;
/** Every hold has ended by itself after this. */
const lapsedMs = 200_000;

export async function playSaga(seed: number, traceKept = traceKeptDefault): Promise<SagaVerdict> {
  const saga = new Saga(seed, traceKept);
  let failure: string | null = null;
  try {
    await saga.play();
  } catch (error) {
    failure = error instanceof Error ? (error.stack ?? error.message) : String(error);
  }
  const { steps, traceHash } = saga.scheduler;
  const trace = failure === null ? [] : saga.scheduler.lastOfTrace();
  return { seed, steps, traceHash, failure, trace, moments: saga.moments };
}

class Saga {
  readonly scheduler: Scheduler;
  readonly #events: SagaEvent[];
  readonly #byKey: Map<string, SagaEvent>;
  readonly #oracle = new SagaOracle();
  readonly #projection: SagaProjection;
  readonly #wire: Wire;
  readonly #told: BuyerAnswer[] = [];
  /** The chance that a process dies at one step of a call. */
  #mortality: number;
  #doors: { process: SagaProcess; coordinator: Coordinator; ports: CoordinatorPorts }[] = [];
  readonly #journeys: Journey[] = [];
  #processes = 0;
  #broken: string | null = null;
  moments: Moments = {};

  constructor(seed: number, traceKept: number) {
    this.scheduler = new Scheduler(seed, traceKept);
    const { random } = this.scheduler;
    this.#events = eventKeys.map(
      (key) =>
        new SagaEvent(key, this.scheduler, random.int(-60, 60), (event, group) =>
          this.#follow(() => this.#oracle.take(event, group)),
        ),
    );
    this.#byKey = new Map(this.#events.map((event) => [event.key, event]));
    this.#projection = new SagaProjection(this.scheduler, this.#events);
    const rate = (most: number): number => (random.chance(0.4) ? 0 : random.next() * most);
    this.#wire = new Wire(this.scheduler, this.#byKey, { lost: rate(0.3), late: rate(0.2), doubled: rate(0.3) });
    this.#mortality = rate(0.15);
  }

  async play(): Promise<void> {
    const played = this.#history();
    let isOver = false;
    played.then(
      () => {
        isOver = true;
      },
      (error) =>
        this.#follow(() => {
          throw error;
        }),
    );
    await this.scheduler.run(
      () => isOver || this.#broken !== null,
      () => {},
    );
    if (this.#broken !== null) throw new Error(this.#broken);
    await played;
  }

  async #history(): Promise<void> {
    const { random } = this.scheduler;
    this.#open();
    this.#projection.follow();
    for (let n = 0; n < 2; n++) this.#startCatalog();
    for (let n = 0; n < 3; n++) this.#startDoor();
    const ports = {
      scheduler: this.scheduler,
      told: this.#told,
      coordinator: () => random.pick(this.#doors).coordinator,
    };
    const buying: Promise<void>[] = [];
    const operations = random.int(1, 6);
    for (let n = 0; n < operations; n++) {
      buying.push(this.#later(60_000, () => buyGroup(ports, random.pick(groups), `pghop_${n}`)));
    }
    for (let n = random.int(0, 4); n > 0; n--) {
      buying.push(this.#later(60_000, () => buyAlone(this.scheduler, random.pick(this.#events), String(n))));
    }
    const travelling = {
      scheduler: this.scheduler,
      events: this.#events,
      journeys: this.#journeys,
      ports: () => random.pick(this.#doors).ports,
    };
    for (let n = random.int(0, 4); n > 0; n--) {
      buying.push(this.#later(60_000, () => travel(travelling, String(n))));
    }
    for (let n = random.int(0, 3); n > 0; n--) {
      buying.push(this.#later(90_000, async () => random.pick(this.#events).die(random.delay(100, 20_000))));
    }
    await Promise.race([Promise.all(buying), passed(this.scheduler, buysForMs)]);
    await this.#heal();
    await Promise.all(buying);
    checkEnd({ oracle: this.#oracle, projection: this.#projection, events: this.#events, told: this.#told });
    checkJourneys(this.#oracle, this.#journeys);
    this.moments = momentsOf(this.#oracle, this.#told);
  }

  /** The groups are active: their events are locked. */
  #open(): void {
    for (const event of this.#events) {
      for (const { owner, eventKeys: members } of groups) {
        if (!members.includes(event.key)) continue;
        const answer = event.perform({ type: 'lock', owner, lockId: 'activation', actsUntil: START + 1_000 });
        if (answer?.kind !== 'ok') throw new Error(`the lock was refused: ${JSON.stringify(answer)}`);
      }
    }
  }

  #later(mostMs: number, run: () => Promise<void>): Promise<void> {
    return passed(this.scheduler, this.scheduler.random.delay(0, mostMs)).then(run);
  }

  /** Ends all faults. Open operations have to end soon, and holds in their time. */
  async #heal(): Promise<void> {
    this.scheduler.trace('all faults are healed');
    this.#wire.faults = { lost: 0, late: 0, doubled: 0 };
    this.#mortality = 0;
    await passed(this.scheduler, endsWithinMs);
    const open = this.#projection
      .open()
      .filter(({ value }) => value.changedAt < START + this.scheduler.now - endsWithinMs);
    if (open.length > 0) throw new Error(`${open[0]!.value.head.operationId} is still open: ${open[0]!.value.state}`);
    await passed(this.scheduler, lapsedMs);
  }

  #startDoor(): void {
    const process = this.#process('door', () => {
      this.#doors = this.#doors.filter((door) => door.process !== process);
      this.#startDoor();
    });
    const ports = this.#portsOf(process);
    this.#doors.push({ process, coordinator: createCoordinator(ports), ports });
  }

  #startCatalog(): void {
    const process = this.#process('catalog', () => {
      this.scheduler.after(this.scheduler.random.delay(100, 5_000), () => this.#startCatalog());
    });
    const ports = this.#portsOf(process);
    startSagaCatalog(this.scheduler, process, this.#projection, createCoordinator(ports), ports.ask);
  }

  #process(kind: string, onDeath: () => void): SagaProcess {
    const name = `${kind} ${++this.#processes}`;
    let isDead = false;
    return {
      name,
      get isDead() {
        return isDead;
      },
      set isDead(dead: boolean) {
        isDead = dead;
        onDeath();
      },
    };
  }

  #portsOf(process: SagaProcess): CoordinatorPorts {
    const mayDie = (): void => {
      if (process.isDead || !this.scheduler.random.chance(this.#mortality)) return;
      this.scheduler.trace(`${process.name} dies`);
      process.isDead = true;
    };
    return {
      now: () => START + this.scheduler.now,
      ask: (eventKey, command, caller, deadlineAt) =>
        this.#wire.ask(process, mayDie, eventKey, command, caller, deadlineAt),
    };
  }

  #follow(check: () => void): void {
    try {
      check();
    } catch (error) {
      this.#broken ??= error instanceof Error ? (error.stack ?? error.message) : String(error);
    }
  }
}
