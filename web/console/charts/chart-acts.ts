/**
 * What a person does with a chart: draw, publish, copy, archive, delete. Each but the first is asked for with its
 * effect.
 *
 * The designer is another page, in a tab of its own. It opens with the press, as browsers demand, and gets its address
 * when the server has made a session; a refusal closes it again and is told at the chart. A publish asks the server
 * before for what it will do: reading → known, or unreadable (then the question says so, and a publish still tells it
 * afterwards).
 */
import { html } from 'lit-html';
import { Act } from '../frame/act.ts';
import { toldOf } from '../frame/refusals.ts';
import type { Ports } from '../view.ts';
import type { Chart } from './chart.ts';
import { type Preview, previewOf } from './publish-preview.ts';

type Meta = { meta: Chart };
type Published = { meta: Chart; events: { refreshed: string[]; needsUpdate: string[] } };

const DESIGNER_SECONDS = 14_400;

export class ChartActs {
  readonly #ports: Ports;
  readonly #reread: () => void;
  #opening: { chartId: string; act: Act } | null = null;

  /** `reread` reads the list of charts again. */
  constructor(ports: Ports, reread: () => void) {
    this.#ports = ports;
    this.#reread = reread;
  }

  /** What became of the last try to open the designer with this chart. */
  told({ id }: Chart): string {
    return this.#opening?.chartId === id ? toldOf(this.#opening.act.state, this.#ports.words) : '';
  }

  async design({ id, workspaceId }: Chart): Promise<void> {
    const { changed, server, who } = this.#ports;
    const act = new Act(changed);
    this.#opening = { chartId: id, act };
    const tab = window.open('', '_blank');
    const body = {
      workspaceId,
      chartId: id,
      allowedOrigin: location.origin,
      authority: 'publish',
      person: who.user.email,
      expiresInSeconds: DESIGNER_SECONDS,
    };
    const sent = await act.send((key) =>
      server.send<{ session: { designerUrl: string } }>('POST', 'designer/sessions', { body, key }),
    );
    if (sent === null) tab?.close();
    else if (tab) tab.location.href = sent.value.session.designerUrl;
    else location.href = sent.value.session.designerUrl;
  }

  publish({ id, name }: Chart): void {
    const { ask, changed, server, tell, words } = this.#ports;
    const { text } = words;
    let preview: Preview | 'reading' | 'unknown' = 'reading';
    void server.get<Preview>(`charts/${id}/publish-preview`).then((answer) => {
      preview = answer.ok ? answer.value : 'unknown';
      changed();
    });
    ask<Published>({
      title: text('charts.ask.publish', { name }),
      draw: () => html`<p>${text('charts.effect.publish')}</p>${previewOf(preview, words)}`,
      confirm: withoutDots(text('charts.publish')),
      send: (_form, key) => {
        const known = typeof preview === 'string' ? {} : { body: { expectedUpdatedAt: preview.meta.updatedAt } };
        return server.send<Published>('POST', `charts/${id}/publish`, { ...known, key });
      },
      done: ({ events }) => {
        const { refreshed, needsUpdate } = events;
        const counts = {
          refreshed: text('charts.events', { count: refreshed.length }),
          waiting: text('charts.events', { count: needsUpdate.length }),
        };
        tell({ text: text('charts.published', { name, ...counts }) });
        this.#reread();
      },
    });
  }

  duplicate({ id, name }: Chart): void {
    const { ask, server, tell, words } = this.#ports;
    const { text } = words;
    ask<Meta>({
      title: text('charts.ask.duplicate', { name }),
      draw: () => html`<p>${text('charts.effect.duplicate')}</p>
        <label class="field"><span>${text('charts.name')}</span>
          <input name="name" required maxlength="200" value=${text('events.copy.name', { name })}></label>`,
      confirm: withoutDots(text('charts.duplicate')),
      send: (form, key) =>
        server.send<Meta>('POST', `charts/${id}/duplicate`, { body: { name: String(form.get('name')).trim() }, key }),
      done: ({ meta }) => {
        this.#reread();
        tell({
          text: text('charts.duplicated', { name: meta.name }),
          undo: (key) => this.#then(server.send('DELETE', `charts/${meta.id}`, { key })),
        });
      },
    });
  }

  archive(chart: Chart): void {
    this.#move(chart, 'archive', 'unarchive');
  }

  unarchive(chart: Chart): void {
    this.#move(chart, 'unarchive', 'archive');
  }

  #move({ id, name }: Chart, move: 'archive' | 'unarchive', back: 'archive' | 'unarchive'): void {
    const { ask, server, tell, words } = this.#ports;
    const { text } = words;
    ask<Meta>({
      title: text(`charts.ask.${move}`, { name }),
      draw: () => html`<p>${text(`charts.effect.${move}`)}</p>`,
      confirm: withoutDots(text(`charts.${move}`)),
      send: (_form, key) => server.send<Meta>('POST', `charts/${id}/${move}`, { key }),
      done: () => {
        this.#reread();
        tell({
          text: text(`charts.moved.${move}`, { name }),
          undo: (key) => this.#then(server.send('POST', `charts/${id}/${back}`, { key })),
        });
      },
    });
  }

  delete({ id, name }: Chart): void {
    const { ask, server, tell, words } = this.#ports;
    const { text } = words;
    ask({
      title: text('charts.ask.delete', { name }),
      draw: () => html`<p>${text('charts.effect.delete')}</p>
        <label class="check"><input type="checkbox" required> <span>${text('events.ask.sure')}</span></label>`,
      confirm: withoutDots(text('charts.delete')),
      isDanger: true,
      send: (_form, key) => server.send('DELETE', `charts/${id}`, { key }),
      done: () => {
        this.#reread();
        tell({ text: text('charts.deleted', { name }) });
      },
    });
  }

  async #then<T>(answer: Promise<T>): Promise<T> {
    const settled = await answer;
    this.#reread();
    return settled;
  }
}

/** The button of the question makes what the button before it only opened. */
const withoutDots = (word: string): string => word.replace(/\s*…$/, '');
