/**
 * Amendments: one night of an active season gets another time or name, or is marked as taken away; and a further night
 * is judged before anybody promises it to the holders.
 */
import { html, nothing, type TemplateResult } from 'lit-html';
import { field, fieldOf, textField, timeField } from '../frame/field.ts';
import { changedTime, zoneName } from '../frame/zoned-time.ts';
import type { Ports } from '../view.ts';
import type { Night, Season } from './records.ts';

type Facts = { name: string; startsAt: number | null; cancelled?: true };
type Kind = 'reschedule' | 'replace' | 'cancel_exception';
type Amendment = { amendmentId: string; kind: Kind; before: Facts; after: Facts; createdAt: number };
type Addition = { givable: number; withheld: number; nextCursor?: string };

export class AmendmentList {
  readonly #ports: Ports;
  readonly #left: AbortSignal;
  readonly #season: () => Season;
  readonly #amended: () => Promise<void>;
  #amendments: readonly Amendment[] = [];
  #isRead = false;

  /** `amended` reads the nights anew. */
  constructor(ports: Ports, left: AbortSignal, season: () => Season, amended: () => Promise<void>) {
    this.#ports = ports;
    this.#left = left;
    this.#season = season;
    this.#amended = amended;
  }

  get #path(): string {
    return `seasons/${encodeURIComponent(this.#season().key)}`;
  }

  async read(): Promise<void> {
    const answer = await this.#ports.server.get<{ amendments: Amendment[] }>(`${this.#path}/amendments`, this.#left);
    if (this.#left.aborted || !answer.ok) return;
    this.#amendments = answer.value.amendments;
    this.#isRead = true;
    this.#ports.changed();
  }

  draw(mayChange: boolean): TemplateResult {
    const { text } = this.#ports.words;
    return html`<section aria-labelledby="amendments-title"><header class="part-head">
        <h2 id="amendments-title">${text('seasons.amendments')}</h2>
        ${mayChange ? html`<button @click=${() => this.#judge()}>${text('seasons.addition')}</button>` : nothing}</header>
      ${this.#isRead && this.#amendments.length === 0 ? html`<p class="muted">${text('seasons.amendments.none')}</p>` : nothing}
      <ul>${this.#amendments.map((amendment) => html`<li>${this.#told(amendment)}</li>`)}</ul></section>`;
  }

  #told({ kind, before, after, createdAt }: Amendment): string {
    const { date, text } = this.#ports.words;
    const { timezone } = this.#season();
    const at = (time: number | null): string => (time === null ? '' : date(time, timezone, 'medium'));
    const told = {
      reschedule: text('seasons.amended.reschedule', {
        night: after.name,
        before: at(before.startsAt),
        after: at(after.startsAt),
      }),
      replace: text('seasons.amended.replace', { before: before.name, after: after.name }),
      cancel_exception: text('seasons.amended.cancel_exception', { night: after.name }),
    }[kind];
    return `${at(createdAt)}: ${told}`;
  }

  acts(night: Night): TemplateResult {
    const { text } = this.#ports.words;
    const act = (kind: Kind) => html`<button aria-label="${text(`seasons.amend.${kind}`)}: ${night.name}"
      @click=${() => this.#amend(night, kind)}>${text(`seasons.amend.${kind}`)}</button>`;
    return html`<span class="row-acts">${act('reschedule')}${act('replace')}${act('cancel_exception')}</span>`;
  }

  #amend(night: Night, kind: Kind): void {
    const ports = this.#ports;
    const { text } = ports.words;
    const { eventKey, name, startsAt, timezone } = night;
    const send = (body: object, key: string) =>
      ports.server.send('POST', `${this.#path}/amendments`, { body: { eventKey, kind, ...body }, key });
    const before = kind === 'reschedule' ? { startsAt } : { name };
    ports.ask({
      title: `${text(`seasons.amend.${kind}`)}: ${name}`,
      confirm: text(`seasons.amend.${kind}`),
      isDanger: kind === 'cancel_exception',
      draw: (fault) => html`<p>${text(`seasons.amend.${kind}.told`)}</p>
        ${
          kind === 'reschedule'
            ? timeField(
                {
                  label: text('seasons.amend.start'),
                  hint: text('seasons.zone', { zone: zoneName(timezone) }),
                  fault: fault('startsAt'),
                },
                'startsAt',
                { at: startsAt, timezone, isRequired: true },
              )
            : nothing
        }
        ${kind === 'replace' ? textField({ label: text('seasons.name'), fault: fault('name') }, 'name', name, true) : nothing}`,
      send: (form, key) => {
        if (kind === 'reschedule')
          return send({ startsAt: changedTime(String(form.get('startsAt')), timezone, startsAt) }, key);
        return send(kind === 'replace' ? { name: fieldOf(form, 'name') } : {}, key);
      },
      done: () => {
        const isUndone = kind !== 'cancel_exception' && (kind === 'replace' || startsAt !== null);
        ports.tell({
          text: text('seasons.amended', { night: name }),
          ...(isUndone && {
            undo: async (key: string) => {
              const undone = await send(before, key);
              void this.#readAll();
              return undone;
            },
          }),
        });
        void this.#readAll();
      },
    });
  }

  async #readAll(): Promise<void> {
    await Promise.all([this.read(), this.#amended()]);
  }

  /** How many of the holders' seats a further event has free. Writes nothing. */
  #judge(): void {
    const ports = this.#ports;
    const { text } = ports.words;
    ports.ask<{ givable: number; withheld: number }>({
      title: text('seasons.addition'),
      confirm: text('seasons.addition.judge'),
      draw: (fault) => html`<p>${text('seasons.addition.told')}</p>
        ${field(
          { label: text('seasons.addition.event'), fault: fault('eventKey') },
          html`<input name="event" required autocomplete="off" maxlength="128">`,
        )}`,
      send: async (form) => {
        const sums = { givable: 0, withheld: 0 };
        for (let cursor: string | undefined = ''; cursor !== undefined; ) {
          const query = new URLSearchParams({ limit: '200', ...(cursor !== '' && { cursor }) });
          const body = { eventKey: fieldOf(form, 'event') };
          const page = await ports.server.send<Addition>('POST', `${this.#path}/additions/validate?${query}`, { body });
          if (!page.ok) return page;
          sums.givable += page.value.givable;
          sums.withheld += page.value.withheld;
          cursor = page.value.nextCursor;
        }
        return { ok: true, value: sums };
      },
      done: ({ givable, withheld }) =>
        ports.tell({ text: text('seasons.addition.done', { count: givable, withheld }) }),
    });
  }
}
