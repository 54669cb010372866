/** The questions before a reservation is made, changed, booked or ended. */

import { html, nothing } from 'lit-html';
import type { Result } from '../../src/sale/calls.ts';
import { fieldOf } from '../frame/field.ts';
import { epochOf, localTime } from '../frame/zoned-time.ts';
import type { Desk } from './desk.ts';
import { randomReference } from './rules/draft.ts';

export type Reservation = {
  id: string;
  name: string;
  labels: string[];
  until: number;
  note: string | null;
  state: 'active' | 'booked' | 'ended';
};

type ReservationAnswer = { reservation: Reservation };

const WEEK_MS = 7 * 86_400_000;

/** `done` hears of the change, and of its undo. */
export function makeQuestion(desk: Desk, labels: readonly string[], done: () => void): void {
  const { ports, meta } = desk.room;
  const { text, list } = ports.words;
  const { startsAt } = meta();
  const until = Math.min(ports.server.now() + WEEK_MS, startsAt ?? Number.POSITIVE_INFINITY);
  ports.ask<ReservationAnswer>({
    title: text('counter.reserve', { count: labels.length }),
    draw: () => html`<p>${text('counter.reserve.what', { places: list(labels, 24) })}</p>
      ${fields(desk, { name: '', until: Math.max(until, ports.server.now() + 3_600_000), note: null })}`,
    confirm: text('counter.reserve.confirm'),
    send: (form, key) => desk.post('reservations', { labels, ...termsIn(desk, form) }, key),
    done: ({ reservation: { id, name } }) => {
      ports.tell({
        text: text('counter.reserve.made', { name, count: labels.length }),
        undo: (key) => ending(desk, id, key, done),
      });
      done();
    },
  });
}

type Terms = Pick<Reservation, 'name' | 'until' | 'note'>;

function fields(desk: Desk, { name, until, note }: Terms) {
  const { ports, meta } = desk.room;
  const { text } = ports.words;
  const { timezone } = meta();
  return html`<label>${text('counter.reserve.name')} <input name="name" required maxlength="200" value=${name}></label>
    <label>${text('counter.reserve.until')} ${timezone ?? ''}
      <input name="until" type="datetime-local" required value=${localTime(until, timezone)}></label>
    <label>${text('counter.note')} <input name="note" maxlength="500" value=${note ?? ''}></label>`;
}

function termsIn(desk: Desk, form: FormData): Terms {
  const note = fieldOf(form, 'note');
  return {
    name: fieldOf(form, 'name'),
    until: epochOf(String(form.get('until')), desk.room.meta().timezone) ?? 0,
    note: note === '' ? null : note,
  };
}

async function ending(desk: Desk, id: string, key: string, done: () => void): Promise<Result<unknown>> {
  const path = `${desk.path}/reservations/${id}`;
  const ended = await desk.room.ports.server.send('DELETE', path, { key });
  if (ended.ok) done();
  return ended;
}

export function changeQuestion(desk: Desk, reservation: Reservation, done: () => void): void {
  const { ports, map } = desk.room;
  const { text, list } = ports.words;
  const chosen = [...map().chosen];
  const path = `${desk.path}/reservations/${reservation.id}`;
  const { name, until, note, labels } = reservation;
  const change = (body: object, key: string) => ports.server.send<ReservationAnswer>('PATCH', path, { body, key });
  ports.ask<ReservationAnswer>({
    title: text('counter.reserve.change.title', { name }),
    draw: () => html`${fields(desk, reservation)}
      ${
        chosen.length > 0
          ? html`<label><span><input type="checkbox" name="places"> ${text('counter.reserve.chosen', { count: chosen.length })}</span>
            <small class="muted">${list(chosen, 24)}</small></label>`
          : nothing
      }`,
    confirm: text('counter.reserve.change.confirm'),
    send: (form, key) => {
      const areNew = form.get('places') === 'on';
      return change({ ...termsIn(desk, form), ...(areNew && { labels: chosen }) }, key);
    },
    done: () => {
      ports.tell({
        text: text('counter.reserve.changed', { name }),
        undo: async (key) => {
          const back = await change({ name, until, note, labels }, key);
          if (back.ok) done();
          return back;
        },
      });
      done();
    },
  });
}

export function endQuestion(desk: Desk, reservation: Reservation, done: () => void): void {
  const { ports } = desk.room;
  const { text } = ports.words;
  const { id, name, labels, until, note } = reservation;
  ports.ask<unknown>({
    title: text('counter.reserve.end.title', { name }),
    draw: () => html`<p>${text('counter.reserve.end.what', { count: labels.length })}</p>`,
    confirm: text('counter.reserve.end'),
    isDanger: true,
    send: (_form, key) => ports.server.send('DELETE', `${desk.path}/reservations/${id}`, { key }),
    done: () => {
      ports.tell({
        text: text('counter.reserve.freed', { name, count: labels.length }),
        undo: async (key) => {
          const again = await desk.post('reservations', { labels, name, until, note }, key);
          if (again.ok) done();
          return again;
        },
      });
      done();
    },
  });
}

export function bookQuestion(desk: Desk, reservation: Reservation, done: () => void): void {
  const { ports } = desk.room;
  const { text } = ports.words;
  const { id, name, labels } = reservation;
  let reference = randomReference();
  ports.ask<{ booked: string[]; bookingRef: string }>({
    title: text('counter.reserve.book.title', { name }),
    draw: () => html`<p>${text('counter.reserve.book.what')}</p>
      <fieldset class="labels"><legend>${text('counter.reserve.places')}</legend>${labels.map(
        (label) => html`<label><input type="checkbox" name="label" value=${label} checked> ${label}</label>`,
      )}</fieldset>
      <label>${text('counter.reference')} <input name="bookingRef" required maxlength="128" value=${reference}></label>`,
    confirm: text('counter.reserve.book'),
    send: (form, key) => {
      reference = fieldOf(form, 'bookingRef');
      const chosen = form.getAll('label').map(String);
      const part = chosen.length === labels.length ? {} : { labels: chosen };
      return desk.post(`reservations/${id}/book`, { bookingRef: reference, ...part }, key);
    },
    done: ({ booked, bookingRef }) => {
      ports.tell({ text: text('counter.sold', { count: booked.length, reference: bookingRef }) });
      done();
      desk.sold(bookingRef);
    },
  });
}
