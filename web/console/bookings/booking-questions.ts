/** The questions before places of a booking are cancelled, offered for resale, or taken back from an offer. */
import { html } from 'lit-html';
import { labelsOfItems, selectionOf, totalOfItems } from '../event/line-items.ts';
import { moneyOf } from '../event/priced-list.ts';
import type { BookingDesk, Listing } from './desk.ts';

export function cancelQuestion(desk: BookingDesk): void {
  const { room, path } = desk;
  const { ports, meta } = room;
  const { words, server, tell } = ports;
  const { text, list } = words;
  const items = desk.chosen();
  const { bookingRef, activeLabels } = desk.booking();
  const labels = labelsOfItems(items);
  const isWhole = labels.length === activeLabels.length;
  const money = moneyOf(words, items[0]!, totalOfItems(items));
  ports.ask<{ unbooked: string[] }>({
    title: text(isWhole ? 'bookings.cancel.whole' : 'bookings.cancel', { count: labels.length }),
    draw: () => html`<p>${text('bookings.cancel.what', {
      places: list(
        items.map(({ place }) => place.name),
        24,
      ),
      reference: bookingRef,
    })}</p>
      <p>${text('bookings.cancel.money', { amount: money })}</p>
      ${meta().mode === 'live' ? html`<p>${text('bookings.cancel.credits')}</p>` : ''}`,
    confirm: text('bookings.cancel.confirm', { count: labels.length }),
    leave: text('bookings.cancel.keep'),
    isDanger: true,
    send: (_form, key) =>
      server.send('POST', `${path}/unbook`, { body: { bookingRef, ...(!isWhole && { labels }) }, key }),
    done: ({ unbooked }) => {
      const again = { bookingRef, selections: items.map(selectionOf) };
      tell({
        text: text('bookings.cancelled', { count: unbooked.length, amount: money }),
        undo: async (key) => {
          const answer = await server.send('POST', `${path}/box-book`, { body: again, key });
          if (answer.ok) desk.done();
          return answer;
        },
      });
      desk.go({ places: undefined, act: undefined });
      desk.done();
    },
  });
}

export function listQuestion(desk: BookingDesk): void {
  const { room, path } = desk;
  const { server, tell, ask, words } = room.ports;
  const { text, list } = words;
  const items = desk.chosen();
  const { bookingRef } = desk.booking();
  const labels = labelsOfItems(items);
  ask<Listing>({
    title: text('bookings.list.title', { count: labels.length }),
    draw: () => html`<p>${text('bookings.list.what', {
      places: list(
        items.map(({ place }) => place.name),
        24,
      ),
      reference: bookingRef,
    })}</p>
      <p>${text('bookings.list.price')}</p>`,
    confirm: text('bookings.list.confirm'),
    send: (_form, key) => server.send('POST', `${path}/resale/list`, { body: { bookingRef, labels }, key }),
    done: ({ listingId }) => {
      tell({
        text: text('bookings.list.done', { count: labels.length }),
        undo: async (key) => {
          const answer = await server.send('POST', `${path}/resale/remove`, { body: { listingId }, key });
          if (answer.ok) desk.done();
          return answer;
        },
      });
      desk.done();
    },
  });
}

export function removeQuestion(desk: BookingDesk, { listingId, labels }: Listing): void {
  const { room, path } = desk;
  const { server, tell, ask, words } = room.ports;
  const { text, list } = words;
  const { bookingRef } = desk.booking();
  ask<Listing>({
    title: text('bookings.remove'),
    draw: () => html`<p>${text('bookings.remove.what', { places: list(labels, 24), reference: bookingRef })}</p>`,
    confirm: text('bookings.remove'),
    send: (_form, key) => server.send('POST', `${path}/resale/remove`, { body: { listingId }, key }),
    done: () => {
      tell({
        text: text('bookings.removed', { count: labels.length }),
        undo: async (key) => {
          const answer = await server.send('POST', `${path}/resale/list`, { body: { bookingRef, labels }, key });
          if (answer.ok) desk.done();
          return answer;
        },
      });
      desk.done();
    },
  });
}
