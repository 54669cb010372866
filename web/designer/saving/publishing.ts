/**
 * Publishing, in three steps: everything is saved, a preview shows what the publish does, and a person confirms. The
 * preview is of the state that the page shows, and the publish is of the state that the preview showed.
 *
 * States: closed → looking (saving, then the preview) → previewed → publishing → published; `failed` from each request.
 * From `publishing` back to `looking` where somebody has changed the chart since the preview. Each look has a number: a
 * person may close the dialog meanwhile, and an answer to an older look changes nothing.
 *
 * Failure at each await:
 * - a save that fails ends in `failed`, and nothing is published.
 * - a preview without an answer ends in `failed`; it changes nothing.
 * - a preview of another state than the page's: the page takes the other changes over, and looks again.
 * - a publish without an answer may have been carried out. The person publishes again, which makes no second version.
 */
import type { Answer, Preview, Problem, Published, Server } from '../session/calls.ts';

export type Publishing =
  | { step: 'closed' }
  | { step: 'looking' }
  /** `isAnew`: the chart was changed after an earlier preview, which the person has confirmed. */
  | { step: 'previewed'; preview: Preview; isAnew: boolean }
  | { step: 'publishing'; preview: Preview }
  | { step: 'published'; published: Published }
  | { step: 'failed'; why: Problem | 'not saved' };

type Ports = {
  chartId: string;
  server: Pick<Server, 'preview' | 'publish'>;
  save(): Promise<boolean>;
  /** Takes over what somebody else has saved. */
  look(): Promise<void>;
  /** The marker of the state that the page shows, once it is saved. */
  updatedAt(): number;
  newKey(): string;
  published(published: Published): void;
  changed(): void;
};

/** People who save all the time could make a preview impossible. */
const LOOKS_MAX = 5;

export class Publisher {
  readonly #ports: Ports;
  #state: Publishing = { step: 'closed' };
  #looks = 0;

  constructor(ports: Ports) {
    this.#ports = ports;
  }

  get state(): Publishing {
    return this.#state;
  }

  async open(): Promise<void> {
    if (this.#state.step === 'looking' || this.#state.step === 'publishing') return;
    await this.#look(false);
  }

  async confirm(): Promise<void> {
    if (this.#state.step !== 'previewed') return;
    const { preview } = this.#state;
    this.#become({ step: 'publishing', preview });
    const { server, chartId, newKey } = this.#ports;
    const answer = await server.publish(chartId, preview.meta.updatedAt, newKey());
    if (!answer.ok && answer.problem.reason === 'stale_chart') return this.#look(true);
    if (answer.ok) this.#ports.published(answer.value);
    this.#become(answer.ok ? { step: 'published', published: answer.value } : failedBy(answer));
  }

  close(): void {
    if (this.#state.step === 'publishing') return;
    this.#looks++;
    this.#become({ step: 'closed' });
  }

  async #look(isAnew: boolean): Promise<void> {
    const look = ++this.#looks;
    this.#become({ step: 'looking' });
    const found = await this.#preview(isAnew, LOOKS_MAX);
    if (look === this.#looks) this.#become(found);
  }

  async #preview(isAnew: boolean, looksLeft: number): Promise<Publishing> {
    const { server, chartId, save, look, updatedAt } = this.#ports;
    if (!(await save())) return { step: 'failed', why: 'not saved' };
    const answer = await server.preview(chartId);
    if (!answer.ok) return failedBy(answer);
    const preview = answer.value;
    if (preview.meta.updatedAt === updatedAt()) return { step: 'previewed', preview, isAnew };
    if (looksLeft === 0) return { step: 'failed', why: { code: 'conflict', reason: 'stale_chart' } };
    await look();
    return this.#preview(isAnew, looksLeft - 1);
  }

  #become(state: Publishing): void {
    this.#state = state;
    this.#ports.changed();
  }
}

function failedBy(answer: Answer<unknown> & { ok: false }): Publishing {
  return { step: 'failed', why: answer.problem };
}
