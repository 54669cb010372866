/**
 * Imports a chart from a file: a dry look with report and picture first, in this browser, then the import itself.
 *
 * States: choosing a file → reading → read or failed, and again with each other format, encoding or file; read →
 * sending the file → running on the server → done: the list opens; a refusal or a silent server leads back to read,
 * with everything that was chosen. Failure at each await: the file cannot be read → failed, with the reason; the file
 * is sent and no answer comes → the import may run, and the page says where it will be; a running import cannot be
 * asked for → it is asked again. A view that is left drops what comes; an import that runs goes on.
 */
import { importBytesMax } from '@parterre/shared/charts/chart-file-limits';
import { encodingNames, type ImportEncoding } from '@parterre/shared/charts/imports/encoding-names';
import type { ImportFormat } from '@parterre/shared/charts/imports/imports';
import { html, nothing, type TemplateResult } from 'lit-html';
import { addressOf, beside, type ViewAddress } from '../../address.ts';
import { Act } from '../../frame/act.ts';
import { adopt } from '../../frame/adopt.ts';
import { field } from '../../frame/field.ts';
import { toldOf } from '../../frame/refusals.ts';
import { smallPicture } from '../../frame/template-choice.ts';
import type { Ports, View } from '../../view.ts';
import { looks } from '../looks.ts';
import { type ReadAnswer, Reader } from './reader.ts';
import { reportOf } from './report.ts';

type Running = {
  import: { id: string; state: string; chartId: string | null; failure: { message: string; line?: number } | null };
};

const formats = ['seatsio', 'pretix', 'csv', 'svg', 'document'] as const satisfies readonly ImportFormat[];
const encodings = Object.keys(encodingNames) as readonly ImportEncoding[];
const ASK_EVERY_MS = 1_000;
const MIB = 1_048_576;

adopt(looks);

export function openImportChart(place: ViewAddress, ports: Ports): View {
  return new ImportChart(place, ports);
}

class ImportChart implements View {
  readonly #ports: Ports;
  readonly #place: ViewAddress;
  readonly #act: Act;
  readonly #reader = new Reader();
  readonly #left = new AbortController();
  #file: File | null = null;
  #format: ImportFormat | null = null;
  #encoding: ImportEncoding | null = null;
  #name = '';
  #state: 'choosing' | 'reading' | 'too_large' | ReadAnswer = 'choosing';
  /** The reason why the server made no chart. */
  #failure: string | null = null;
  #isRunning = false;

  constructor(place: ViewAddress, ports: Ports) {
    this.#place = place;
    this.#ports = ports;
    this.#act = new Act(ports.changed);
  }

  get title(): string {
    return this.#ports.words.text('charts.import');
  }

  moved({ path, mode, workspaceId }: ViewAddress): boolean {
    return path[0] === 'import-chart' && mode === this.#place.mode && workspaceId === this.#place.workspaceId;
  }

  close(): void {
    this.#left.abort();
    this.#reader.close();
  }

  async #look(): Promise<void> {
    const file = this.#file;
    this.#failure = null;
    this.#act.renew();
    if (!file) return;
    this.#show(file.size > importBytesMax ? 'too_large' : 'reading');
    if (file.size > importBytesMax) return;
    const bytes = await file.arrayBuffer().catch(() => null);
    if (this.#left.signal.aborted || this.#file !== file) return;
    if (!bytes) {
      this.#show({ kind: 'failed', failure: null });
      return;
    }
    const read = await this.#reader.read({ bytes, format: this.#format, encoding: this.#encoding });
    if (read === null || this.#left.signal.aborted) return;
    if (read.kind === 'read' && this.#name === '') this.#name = read.document.name;
    this.#show(read);
  }

  #show(state: 'reading' | 'too_large' | ReadAnswer): void {
    this.#state = state;
    this.#ports.changed();
  }

  draw(): TemplateResult {
    const { text } = this.#ports.words;
    const state = this.#state;
    return html`<h1>${text('charts.import')}</h1>
      <p>${text('charts.import.how')}</p>
      <form class="new-event" @submit=${this.#submit}>
        <fieldset ?disabled=${this.#isBusy}><legend>${text('charts.file')}</legend>
          ${field(
            { label: text('charts.file.choose') },
            html`<input type="file" required accept=".json,.csv,.txt,.svg" @change=${this.#choose}>`,
          )}
          ${this.#select(
            'charts.format',
            'charts.format.auto',
            this.#format,
            formats,
            (each) => text(`charts.format.${each}`),
            (format) => {
              this.#format = format;
            },
          )}
          ${this.#select(
            'charts.encoding',
            'charts.encoding.auto',
            this.#encoding,
            encodings,
            (each) => encodingNames[each],
            (encoding) => {
              this.#encoding = encoding;
            },
          )}
        </fieldset>
        ${state === 'reading' ? html`<p role="status">${text('charts.import.reading')}</p>` : nothing}
        ${state === 'too_large' ? html`<p role="alert">${text('charts.import.too_large', { mib: importBytesMax / MIB })}</p>` : nothing}
        ${typeof state !== 'string' && state.kind === 'failed' ? html`<p role="alert">${this.#told(state)}</p>` : nothing}
        ${typeof state !== 'string' && state.kind === 'read' ? this.#read(state) : nothing}
      </form>`;
  }

  get #isBusy(): boolean {
    return this.#isRunning || this.#act.state.kind === 'sending';
  }

  #told({ failure }: Extract<ReadAnswer, { kind: 'failed' }>): string {
    const { text } = this.#ports.words;
    if (failure === null) return text('charts.import.unreadable');
    const { message, line } = failure;
    return line === undefined ? message : `${message} ${text('charts.import.line', { line })}`;
  }

  #read({ document, report }: Extract<ReadAnswer, { kind: 'read' }>): TemplateResult {
    const { words } = this.#ports;
    const { text } = words;
    const { state } = this.#act;
    const refused = state.kind === 'unknown' ? text('charts.import.unknown') : toldOf(state, words);
    const type = (event: Event): void => {
      this.#name = (event.target as HTMLInputElement).value;
    };
    return html`<p role="status">${text('charts.import.looked')}</p>
      ${smallPicture(document)} ${reportOf(report, words)}
      <fieldset ?disabled=${this.#isBusy}><legend>${text('charts.import.save')}</legend>
        ${field({ label: text('charts.name') }, html`<input name="name" required maxlength="200" .value=${this.#name} @input=${type}>`)}
      </fieldset>
      <p role="alert">${this.#failure ?? refused}</p>
      ${this.#isRunning ? html`<p role="status">${text('charts.import.running')}</p>` : nothing}
      <p class="buttons start"><button class="primary" ?disabled=${this.#isBusy}>${text('charts.import.save')}</button>
        <a class="button" href=${addressOf(beside(this.#place, ['charts']))}>${text('frame.cancel')}</a></p>`;
  }

  #select<Value extends string>(
    label: 'charts.format' | 'charts.encoding',
    auto: 'charts.format.auto' | 'charts.encoding.auto',
    chosen: Value | null,
    values: readonly Value[],
    nameOf: (value: Value) => string,
    choose: (value: Value | null) => void,
  ): TemplateResult {
    const { text } = this.#ports.words;
    const change = (event: Event): void => {
      const { value } = event.target as HTMLSelectElement;
      choose(values.find((each) => each === value) ?? null);
      void this.#look();
    };
    return field(
      { label: text(label) },
      html`<select @change=${change}><option value="">${text(auto)}</option>
        ${values.map((value) => html`<option value=${value} ?selected=${value === chosen}>${nameOf(value)}</option>`)}</select>`,
    );
  }

  #choose = (event: Event): void => {
    this.#file = (event.target as HTMLInputElement).files?.[0] ?? null;
    this.#name = '';
    this.#state = 'choosing';
    void this.#look();
    this.#ports.changed();
  };

  #submit = async (event: SubmitEvent): Promise<void> => {
    event.preventDefault();
    const { workspaceId } = this.#place;
    const query = new URLSearchParams({
      name: this.#name.trim(),
      ...(this.#format !== null && { format: this.#format }),
      ...(this.#encoding !== null && { encoding: this.#encoding }),
      ...(workspaceId !== null && { workspaceId }),
    });
    this.#failure = null;
    const sent = await this.#act.send(() => this.#ports.server.upload<Running>(`chart-imports?${query}`, this.#file!));
    if (sent === null) return;
    this.#isRunning = true;
    await this.#follow(sent.value);
    this.#isRunning = false;
    this.#ports.changed();
  };

  /** Until the import has ended. */
  async #follow(begun: Running): Promise<void> {
    const { go, server, tell, words } = this.#ports;
    const { signal } = this.#left;
    let { import: running } = begun;
    while (running.state === 'running') {
      await new Promise((resolve) => setTimeout(resolve, ASK_EVERY_MS));
      if (signal.aborted) return;
      const answer = await server.get<Running>(`chart-imports/${running.id}`, signal);
      if (signal.aborted) return;
      if (answer.ok) running = answer.value.import;
    }
    if (running.state === 'failed') {
      this.#failure = running.failure?.message ?? words.text('charts.import.unreadable');
      return;
    }
    const { chartId } = running;
    const name = this.#name.trim();
    tell({
      text: words.text('charts.imported', { name }),
      undo: (key) => server.send('DELETE', `charts/${chartId}`, { key }),
    });
    go(beside(this.#place, ['charts'], { search: name }));
  }
}
