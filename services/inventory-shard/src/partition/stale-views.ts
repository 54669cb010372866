/**
 * The maps of halted events (I9). The newest stored snapshot that can be read is the last known state of an event whose
 * journal has lost records. The snapshot may know more than the journal, so it is never judged here, and nothing but
 * the map is read from it. The map says that it is stale.
 *
 * A map is kept for `staleViewKeptMs`: each front door without a replica of the event asks for it. The awaits are the
 * object store and the catalog. If one of them fails, or no snapshot can be read, the answer is the refusal of a halted
 * event, and the next question after `staleViewKeptMs` looks again.
 */
import type { PlanSource } from '@parterre/shared/charts/plans/plans';
import type { Answers } from '@parterre/shared/protocol/answers';
import type { Answer } from '@parterre/shared/protocol/commands';
import type { Clock } from '@parterre/shared/runtime/clock';
import type { Logger } from '@parterre/shared/runtime/log';
import { inSlices, type SnapshotStore } from '../journal/journal.ts';
import { answerRead } from '../rules/reads/event-reads.ts';
import { fromSnapshotInSteps } from '../rules/turn/turn.ts';
import { staleViewKeptMs, staleViewsMax } from './bounds.ts';
import type { EventMemory } from './event-memory.ts';
import type { LoopTurn } from './loop-turn.ts';
import { halted } from './troubled-events.ts';

export type StaleViewPorts = {
  clock: Clock;
  log: Logger;
  plans: PlanSource;
  snapshots: SnapshotStore;
  memory: EventMemory;
  turn: LoopTurn;
};

export class StaleViews {
  readonly #ports: StaleViewPorts;
  readonly #answers = new Map<string, Promise<Answer>>();

  constructor(ports: StaleViewPorts) {
    this.#ports = ports;
  }

  /** The map of the event, or the refusal of a halted event. Never rejects. */
  of(eventKey: string): Promise<Answer> {
    const known = this.#answers.get(eventKey);
    if (known !== undefined) return known;
    const [oldest] = this.#answers.keys();
    if (oldest !== undefined && this.#answers.size >= staleViewsMax) this.#answers.delete(oldest);
    const answer = this.#ports.memory.inBackground(() => this.#read(eventKey));
    this.#answers.set(eventKey, answer);
    void answer.then(() => this.#ports.clock.after(staleViewKeptMs, () => this.#forget(eventKey, answer)));
    return answer;
  }

  #forget(eventKey: string, answer: Promise<Answer>): void {
    if (this.#answers.get(eventKey) === answer) this.#answers.delete(eventKey);
  }

  async #read(eventKey: string): Promise<Answer> {
    const { log, plans, snapshots, turn } = this.#ports;
    try {
      const stored = await snapshots.load(eventKey, { judge: async () => true, willNeed: () => {} });
      if (!stored) return halted;
      const { snapshot } = stored;
      const steps = fromSnapshotInSteps(snapshot, await plans(snapshot.config.planHash));
      const state = await inSlices(turn, steps);
      const view = answerRead(state, { type: 'view' }) as Answers['view'];
      return { kind: 'ok', value: { ...view, stale: true } satisfies Answers['view'] };
    } catch (error) {
      log.warn({ err: error, eventKey }, 'the last known map of a halted event cannot be read');
      return halted;
    }
  }
}
