/**
 * The questions that make, change, pause and end a channel. Each tells what will happen, and has its undo if there is
 * one.
 */

import type { Category } from '@parterre/shared/charts/document';
import { html, nothing, type TemplateResult } from 'lit-html';
import type { EventRoom } from '../event/tab.ts';
import { amountFrom, amountStep, amountText } from '../frame/amount.ts';
import { checkField, field, textField, timeField } from '../frame/field.ts';
import { type FaultOf, faultAt } from '../frame/refusals.ts';
import { changedTime, zoneName } from '../frame/zoned-time.ts';
import type { Channel, ChannelBook, PriceOverride } from './channel-book.ts';

const intents = ['none', 'internal', 'server', 'hosted_link'] as const;

type Changed = { channel: Channel };

const textOf = (form: FormData, name: string): string => String(form.get(name) ?? '').trim();
const reasonIn = (form: FormData) => (textOf(form, 'reason') === '' ? {} : { reason: textOf(form, 'reason') });

export class ChannelActs {
  readonly #room: EventRoom;
  readonly #book: ChannelBook;

  constructor(room: EventRoom, book: ChannelBook) {
    this.#room = room;
    this.#book = book;
  }

  get #path(): string {
    return `events/${encodeURIComponent(this.#room.key)}/channels`;
  }

  /** `made` hears the id of the new channel. */
  create(made: (id: string) => void): void {
    const { ports } = this.#room;
    const { text } = ports.words;
    ports.ask<Changed>({
      title: text('channels.create'),
      confirm: text('channels.create'),
      draw: (fault) => html`${this.#details(null, fault)} ${this.#reason(fault)}`,
      send: (form, key) => ports.server.send('POST', this.#path, { body: this.#detailsIn(form), key }),
      done: ({ channel: { id, name } }) => {
        this.#told(text('channels.create.done', { channel: name }), (undoKey) =>
          ports.server.send('POST', `${this.#path}/${id}/archive`, { body: { destination: 'public' }, key: undoKey }),
        );
        made(id);
      },
    });
  }

  change(channel: Channel): void {
    const { ports } = this.#room;
    const { text } = ports.words;
    const { id, name, marker, externalRef, accessIntent } = channel;
    ports.ask<Changed>({
      title: text('channels.change.title', { channel: name }),
      confirm: text('channels.change'),
      draw: (fault) => html`${this.#details(channel, fault)}
        ${channel.access.hasActiveGrants ? checkField(text('channels.change.acknowledge'), 'acknowledge') : nothing}
        ${this.#reason(fault)}`,
      send: (form, key) => {
        const acknowledge = form.get('acknowledge') === null ? {} : { acknowledgeLiveAccess: true };
        return ports.server.send('PATCH', `${this.#path}/${id}`, {
          body: { ...this.#detailsIn(form), ...acknowledge },
          key,
        });
      },
      done: (changed) =>
        this.#told(text('channels.change.done', { channel: changed.channel.name }), (undoKey) =>
          this.#patch(id, { name, marker, externalRef, accessIntent, acknowledgeLiveAccess: true }, undoKey),
        ),
    });
  }

  #details(channel: Channel | null, fault: FaultOf): TemplateResult {
    const { text } = this.#room.ports.words;
    const intent = channel?.accessIntent ?? 'none';
    return html`${textField({ label: text('channels.name'), fault: fault('name') }, 'name', channel?.name, true)}
      ${field(
        { label: text('channels.marker'), fault: fault('marker') },
        html`<input name="marker" maxlength="3" autocomplete="off" value=${channel?.marker ?? ''}>`,
      )}
      ${field(
        { label: text('channels.intent'), fault: fault('accessIntent') },
        html`<select name="accessIntent">${intents.map(
          (each) =>
            html`<option value=${each} ?selected=${each === intent}>${text(`channels.intent.${each}`)}</option>`,
        )}</select>`,
      )}
      ${textField({ label: text('channels.ref'), fault: fault('externalRef') }, 'externalRef', channel?.externalRef ?? '')}`;
  }

  #detailsIn(form: FormData): object {
    const orNull = (name: string): string | null => textOf(form, name) || null;
    return {
      name: textOf(form, 'name'),
      marker: orNull('marker'),
      accessIntent: textOf(form, 'accessIntent'),
      externalRef: orNull('externalRef'),
      ...reasonIn(form),
    };
  }

  #reason(fault: FaultOf): TemplateResult {
    const { text } = this.#room.ports.words;
    return textField({ label: text('channels.reason'), fault: fault('reason') }, 'reason');
  }

  ownStart({ id, name, salesStartAt = null }: Channel): void {
    const { ports, meta } = this.#room;
    const { text } = ports.words;
    const { timezone } = meta();
    const zone = zoneName(timezone);
    ports.ask<Changed>({
      title: text('channels.own.title', { channel: name }),
      confirm: text('channels.own'),
      draw: (fault) => html`<p>${text('channels.own.told')}</p>
        ${timeField(
          {
            label: text('channels.own.field'),
            hint: text('channels.own.zone', { zone }),
            fault: fault('salesStartAt'),
          },
          'salesStartAt',
          { at: salesStartAt, timezone },
        )} ${this.#reason(fault)}`,
      send: (form, key) =>
        this.#patch(
          id,
          { salesStartAt: changedTime(textOf(form, 'salesStartAt'), timezone, salesStartAt), ...reasonIn(form) },
          key,
        ),
      done: () =>
        this.#told(text('channels.own.done', { channel: name }), (undoKey) =>
          this.#patch(id, { salesStartAt }, undoKey),
        ),
    });
  }

  prices(channel: Channel, categories: readonly Category[]): void {
    const { ports } = this.#room;
    const { text } = ports.words;
    const { id, name, priceOverrides, pricingVersion } = channel;
    ports.ask<Changed>({
      title: text('channels.prices.title', { channel: name }),
      confirm: text('channels.prices'),
      draw: (fault) => html`<p>${text('channels.prices.told')}</p>
        ${categories.map((category) => this.#priceFields(category, priceOverrides, fault))}`,
      send: async (form, key) => {
        const written = this.#pricesIn(form, categories);
        if ('fault' in written) return written.fault;
        return this.#patch(id, { priceOverrides: written.prices, expectedPricingVersion: pricingVersion }, key);
      },
      done: () =>
        this.#told(text('channels.prices.done', { channel: name }), (undoKey) =>
          this.#patch(id, { priceOverrides }, undoKey),
        ),
    });
  }

  #priceFields(category: Category, overrides: readonly PriceOverride[], fault: FaultOf): TemplateResult {
    const { money, text } = this.#room.ports.words;
    const unit = this.#room.meta();
    return html`${pricedParts(category).map(({ tierId, label, price }) => {
      const own = overrides.find((each) => each.categoryKey === category.key && each.tierId === tierId);
      const path = pathOf(category.key, tierId);
      return field(
        {
          label,
          fault: fault(path),
          hint: price === undefined ? undefined : text('channels.prices.usual', { price: money(price, unit) }),
        },
        html`<input name=${path} inputmode="decimal" autocomplete="off" value=${own ? amountText(own.price, unit) : ''}
          step=${amountStep(unit)}>`,
      );
    })}`;
  }

  #pricesIn(form: FormData, categories: readonly Category[]) {
    const unit = this.#room.meta();
    const prices: PriceOverride[] = [];
    for (const category of categories) {
      for (const { tierId } of pricedParts(category)) {
        const path = pathOf(category.key, tierId);
        const written = textOf(form, path);
        if (written === '') continue;
        const price = amountFrom(written, unit);
        if (price === null) {
          const example = amountText(unit.priceUnit === 'minor' ? 1250 : 12, unit);
          return { fault: faultAt(path, this.#room.ports.words.text('channels.prices.wrong', { example })) };
        }
        prices.push({ categoryKey: category.key, tierId, price });
      }
    }
    return { prices };
  }

  pause({ id, name, counts }: Channel): void {
    const { text } = this.#room.ports.words;
    this.#turn(id, 'pause', 'unpause', {
      title: text('channels.pause.title', { channel: name }),
      told: text('channels.pause.told', { count: counts.free }),
      confirm: text('channels.pause'),
      done: text('channels.pause.done', { channel: name }),
    });
  }

  resume({ id, name, counts }: Channel): void {
    const { text } = this.#room.ports.words;
    this.#turn(id, 'unpause', 'pause', {
      title: text('channels.resume.title', { channel: name }),
      told: text('channels.resume.told', { count: counts.free }),
      confirm: text('channels.resume'),
      done: text('channels.resume.done', { channel: name }),
    });
  }

  #turn(
    id: string,
    move: 'pause' | 'unpause',
    back: 'pause' | 'unpause',
    { title, told, confirm, done }: { title: string; told: string; confirm: string; done: string },
  ): void {
    const { ports } = this.#room;
    const send = (to: string, key: string, body: object = {}) =>
      ports.server.send<Changed>('POST', `${this.#path}/${id}/${to}`, { body, key });
    ports.ask<Changed>({
      title,
      confirm,
      draw: (fault) => html`<p>${told}</p>${this.#reason(fault)}`,
      send: (form, key) => send(move, key, reasonIn(form)),
      done: () => this.#told(done, (undoKey) => send(back, undoKey)),
    });
  }

  end({ id, name, counts }: Channel): void {
    const { ports } = this.#room;
    const { text } = ports.words;
    const others = this.#book.channels.filter((channel) => channel.id !== id && channel.state !== 'archived');
    const nameOf = (destination: string): string =>
      others.find((channel) => channel.id === destination)?.name ?? text('channels.public');
    let to = 'public';
    ports.ask<{ moved: { units: number }; revokedSessions: number }>({
      title: text('channels.end.title', { channel: name }),
      confirm: text('channels.end.confirm'),
      isDanger: true,
      draw: (fault) => html`<p>${text('channels.end.told', { count: counts.allocated })}</p>
        ${field(
          { label: text('channels.end.to'), fault: fault('destination') },
          html`<select name="destination"><option value="public">${text('channels.public')}</option>
            ${others.map((channel) => html`<option value=${channel.id}>${channel.name}</option>`)}</select>`,
        )} ${this.#reason(fault)}`,
      send: (form, key) => {
        to = textOf(form, 'destination');
        const body = { destination: to, ...reasonIn(form) };
        return ports.server.send('POST', `${this.#path}/${id}/archive`, { body, key });
      },
      done: ({ moved, revokedSessions }) =>
        this.#told(
          text('channels.end.done', { channel: name, count: moved.units, to: nameOf(to), sessions: revokedSessions }),
        ),
    });
  }

  #patch(id: string, body: object, key: string) {
    return this.#room.ports.server.send<Changed>('PATCH', `${this.#path}/${id}`, { body, key });
  }

  #told(what: string, undo?: (key: string) => ReturnType<EventRoom['ports']['server']['send']>): void {
    const { ports } = this.#room;
    void this.#book.reread();
    ports.tell({
      text: what,
      ...(undo && {
        undo: async (key: string) => {
          const undone = await undo(key);
          void this.#book.reread();
          return undone;
        },
      }),
    });
  }
}

const pathOf = (categoryKey: string, tierId: string | null): string =>
  tierId === null ? `priceOverrides.${categoryKey}` : `priceOverrides.${categoryKey}.${tierId}`;

function pricedParts(category: Category): { tierId: string | null; label: string; price: number | undefined }[] {
  const { label, price, tiers = [] } = category;
  if (tiers.length === 0) return [{ tierId: null, label, price }];
  return tiers.map((tier) => ({ tierId: tier.id, label: `${label}, ${tier.name}`, price: tier.price }));
}
