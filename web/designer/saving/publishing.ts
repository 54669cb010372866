/**
 * Publishing, in three steps: everything is saved, a preview shows what the publish does, and a person confirms.
 *
 * States: closed → looking (saving, then the preview) → previewed → publishing → published; `failed` from each request.
 * Failure at each await: a save that fails ends in `failed`, and nothing is published. A preview without an answer ends in
 * `failed`; it changes nothing. A publish without an answer may have been carried out: the person publishes again, which
 * makes no second version. An edit while the preview is shown is saved before the publish, which decides everything anew.
 */
import type { Answer, Preview, Problem, Published, Server } from '../session/calls.ts';

export type Publishing =
  | { step: 'closed' }
  | { step: 'looking' }
  | { step: 'previewed'; preview: Preview }
  | { step: 'publishing'; preview: Preview }
  | { step: 'published'; published: Published }
  | { step: 'failed'; why: Problem | 'not saved' };

type Ports = {
  chartId: string;
  server: Pick<Server, 'preview' | 'publish'>;
  save(): Promise<boolean>;
  newKey(): string;
  published(published: Published): void;
  changed(): void;
};

export class Publisher {
  readonly #ports: Ports;
  #state: Publishing = { step: 'closed' };

  constructor(ports: Ports) {
    this.#ports = ports;
  }

  get state(): Publishing {
    return this.#state;
  }

  async open(): Promise<void> {
    if (this.#state.step === 'looking' || this.#state.step === 'publishing') return;
    this.#become({ step: 'looking' });
    if (!(await this.#ports.save())) {
      this.#become({ step: 'failed', why: 'not saved' });
      return;
    }
    const answer = await this.#ports.server.preview(this.#ports.chartId);
    this.#become(answer.ok ? { step: 'previewed', preview: answer.value } : failedBy(answer));
  }

  async confirm(): Promise<void> {
    if (this.#state.step !== 'previewed') return;
    this.#become({ step: 'publishing', preview: this.#state.preview });
    if (!(await this.#ports.save())) {
      this.#become({ step: 'failed', why: 'not saved' });
      return;
    }
    const answer = await this.#ports.server.publish(this.#ports.chartId, this.#ports.newKey());
    if (answer.ok) this.#ports.published(answer.value);
    this.#become(answer.ok ? { step: 'published', published: answer.value } : failedBy(answer));
  }

  close(): void {
    if (this.#state.step === 'publishing') return;
    this.#become({ step: 'closed' });
  }

  #become(state: Publishing): void {
    this.#state = state;
    this.#ports.changed();
  }
}

function failedBy(answer: Answer<unknown> & { ok: false }): Publishing {
  return { step: 'failed', why: answer.problem };
}
