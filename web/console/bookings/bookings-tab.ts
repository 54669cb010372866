/**
 * Bookings of the event beside its map: the list, or one booking by its address (`…/bookings/order-1`). Below stands
 * who has the places that are chosen on the map.
 */
import { html, type TemplateResult } from 'lit-html';
import { People } from '../event/people.ts';
import type { EventRoom, Tab } from '../event/tab.ts';
import { adopt } from '../frame/adopt.ts';
import { BookingList } from './booking-list.ts';
import { BookingPage } from './booking-page.ts';
import { Holders } from './holders.ts';
import { looks } from './looks.ts';

adopt(looks);

export function openBookingsTab(room: EventRoom): Tab {
  return new BookingsTab(room);
}

class BookingsTab implements Tab {
  readonly #room: EventRoom;
  readonly #people: People;
  readonly #holders: Holders;
  #list: BookingList | null = null;
  #page: BookingPage | null = null;

  constructor(room: EventRoom) {
    this.#room = room;
    room.map();
    this.#people = new People(room.ports);
    this.#holders = new Holders(room, this.#people);
    this.moved();
  }

  close(): void {
    this.#list?.close();
    this.#page?.close();
    this.#holders.close();
    this.#people.close();
  }

  moved(): void {
    const bookingRef = this.#room.place().path[3];
    if (bookingRef !== this.#page?.bookingRef) {
      this.#page?.close();
      this.#page = bookingRef === undefined ? null : new BookingPage(this.#room, bookingRef, this.#people);
    } else this.#page?.moved();
    // A booking that was visited may have changed: the list is read anew.
    if (bookingRef !== undefined) {
      this.#list?.close();
      this.#list = null;
    } else {
      this.#list ??= new BookingList(this.#room);
      this.#list.moved();
      this.#holders.follow();
    }
  }

  draw(): TemplateResult {
    const shown = this.#page ? this.#page.draw() : html`${this.#list?.draw(this.#holders.draw())}`;
    return html`<div class="beside bookings">${this.#room.map().draw()}<aside>${shown}</aside></div>`;
  }
}
