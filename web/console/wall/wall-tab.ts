/**
 * The control room: the on-sale of one event on one screen, made to hang on a wall. It asks every two seconds, keeps
 * its figures when the server is silent, says how old they are, and goes on by itself. In full screen the display stays
 * awake where the browser can do that.
 */
import { html, nothing, type TemplateResult } from 'lit-html';
import { ref } from 'lit-html/directives/ref.js';
import type { MapPane } from '../event/hall/map-pane.ts';
import type { EventRoom, Tab } from '../event/tab.ts';
import { adopt } from '../frame/adopt.ts';
import { byUrgency, isSoldOut, type Live, paceOf, seriesOf, soldShare } from './figures.ts';
import { Graph } from './graph.ts';
import { looks } from './looks.ts';
import { heats, momentumPainter } from './momentum.ts';
import { drawSalesPart } from './sales-part.ts';
import { drawTrouble } from './trouble-part.ts';
import { Watch } from './watch.ts';

adopt(looks);

export function openWallTab(room: EventRoom): Tab {
  return new WallTab(room);
}

type WakeLock = { release(): Promise<void> };

class WallTab implements Tab {
  readonly #room: EventRoom;
  readonly #watch: Watch;
  readonly #graph: Graph;
  readonly #pane: MapPane;
  readonly #left = new AbortController();
  #screen: HTMLElement | null = null;
  #drawnLive: Live | null = null;
  #wakeLock: WakeLock | null = null;

  constructor(room: EventRoom) {
    this.#room = room;
    this.#graph = new Graph(room.ports.words);
    this.#pane = room.map();
    this.#watch = new Watch(room.ports.server, room.key, () => room.ports.changed());
    this.#pane.repaint((usual, hall) =>
      momentumPainter(
        usual,
        hall,
        (label) => this.#watch.sold.get(label),
        () => this.#watch.live?.at ?? 0,
      ),
    );
    document.addEventListener('fullscreenchange', () => this.#onFullScreen(), { signal: this.#left.signal });
    document.addEventListener('visibilitychange', () => this.#onFullScreen(), { signal: this.#left.signal });
  }

  close(): void {
    this.#left.abort();
    this.#watch.close();
    this.#graph.close();
    this.#pane.repaint(null);
    void this.#wakeLock?.release();
    if (this.#isFullScreen) void document.exitFullscreen();
  }

  draw(): TemplateResult {
    const { live } = this.#watch;
    const { text } = this.#room.ports.words;
    if (live && live !== this.#drawnLive) {
      this.#drawnLive = live;
      this.#graph.show(seriesOf(live), live.event.timezone);
      this.#pane.refresh();
    }
    return html`<section class="wall" aria-label=${text('wall.title')} ${ref(this.#mounted)}>
      ${this.#head(live)} ${live ? this.#figures(live) : nothing}</section>`;
  }

  #head(live: Live | null): TemplateResult {
    const { text } = this.#room.ports.words;
    return html`<div class="wall-head"><h2>${this.#room.meta().name}</h2>
      <p class="wall-age" role="status" ?data-old=${this.#watch.isOld || this.#watch.state !== 'live'}>${this.#told(live)}</p>
      ${live && live.event.status !== 'active' ? html`<strong class="sold-out">${text('wall.closed')}</strong>` : nothing}
      ${live?.event.salesPaused ? html`<strong class="sold-out">${text('wall.paused')}</strong>` : nothing}
      ${live && isSoldOut(live.totals) ? html`<strong class="sold-out">${text('wall.soldOut')}</strong>` : nothing}
      <span class="space"></span>
      <button @click=${this.#toggleFullScreen}>${text(this.#isFullScreen ? 'wall.leaveFull' : 'wall.full')}</button></div>`;
  }

  /** The age in seconds is read by eyes alone: a screen reader hears of a change of state. */
  #told(live: Live | null): string {
    const { words } = this.#room.ports;
    const { state, isOld, ageMs } = this.#watch;
    if (state === 'gone') return words.text('wall.gone');
    if (state === 'refused') return words.text('wall.refused');
    if (live === null) return words.text('console.loading');
    const at = this.#clock(live.at);
    if (isOld || state === 'behind') return words.text('wall.old', { at, age: words.left(ageMs) });
    if (live.lag.isStale) return words.text('wall.halted', { at });
    return words.text('wall.live', { at });
  }

  #clock(at: number): string {
    const { timezone } = this.#room.meta();
    const zone = timezone ? { timeZone: timezone } : {};
    return new Intl.DateTimeFormat(this.#room.ports.words.locale, {
      timeStyle: 'medium',
      ...zone,
    }).format(at);
  }

  #figures(live: Live): TemplateResult {
    const { words } = this.#room.ports;
    return html`${this.#numbers(live)}
      <div class="wall-parts">${drawSalesPart(live, this.#graph.host, words)}
        ${this.#map(live)} ${this.#leftParts(live)} ${drawTrouble(live, words)}</div>`;
  }

  #numbers(live: Live): TemplateResult {
    const { words } = this.#room.ports;
    const { text, number } = words;
    const { totals, bookedValue, presence } = live;
    const pace = paceOf(live);
    const share = new Intl.NumberFormat(words.locale, { style: 'percent', maximumFractionDigits: 1 });
    const oneDigit = new Intl.NumberFormat(words.locale, { maximumFractionDigits: 1 });
    const shown = (rate: number | undefined) => (rate === undefined ? '–' : oneDigit.format(rate));
    return html`<dl class="wall-numbers">
      <div><dt>${text('wall.sold')}</dt><dd>${number(totals.booked)}
        <small>${text('wall.soldShare', { share: share.format(soldShare(totals)) })}</small></dd></div>
      ${
        bookedValue.gross === null
          ? nothing
          : html`<div><dt>${text('wall.value')}</dt><dd ?data-long=${words.money(bookedValue.gross, live).length > 7}>${words.money(bookedValue.gross, live)}</dd></div>`
      }
      <div><dt>${text('wall.left')}</dt><dd>${number(totals.free)}
        <small>${text('wall.heldNow', { count: totals.held })}</small></dd></div>
      <div><dt>${text('wall.bookingsPace')}</dt><dd>${shown(pace?.bookings)}</dd></div>
      <div><dt>${text('wall.holdsPace')}</dt><dd>${shown(pace?.holds)}</dd></div>
      <div><dt>${text('wall.viewers')}</dt><dd>${number(presence.shoppingSessions)}
        <small>${text('wall.activeHolds', { count: presence.activeHolds })}</small></dd></div>
    </dl>`;
  }

  #map(live: Live): TemplateResult {
    const { text, minutes } = this.#room.ports.words;
    const counts = heats.map(({ withinMs }, heat) => {
      const from = heats[heat - 1]?.withinMs ?? 0;
      return [...this.#watch.sold.values()].filter((at) => live.at - at > from && live.at - at <= withinMs).length;
    });
    counts[0]! += [...this.#watch.sold.values()].filter((at) => at >= live.at).length;
    return html`<section class="wall-part wall-map" aria-labelledby="wall-map"><h2 id="wall-map">${text('wall.momentum')}</h2>
      <ul>${heats.map(
        ({ withinMs }, heat) => html`<li><span class="wall-heat" data-heat=${heat}></span>
          ${text('wall.momentum.within', { time: minutes(withinMs), count: counts[heat]! })}</li>`,
      )}</ul>${this.#pane.draw()}</section>`;
  }

  #leftParts({ byCategory, bySection }: Live): TemplateResult {
    const { text } = this.#room.ports.words;
    const table = (id: string, title: string, parts: { name: string; part: Live['totals'] }[]) =>
      html`<section class="wall-part" aria-labelledby=${id}><h2 id=${id}>${title}</h2><div class="scroll" tabindex="0"
        role="region" aria-labelledby=${id}>
        <table><thead><tr><th scope="col">${text('wall.part')}</th><th scope="col" class="number">${text('wall.left')}</th>
        <th scope="col" class="number">${text('wall.held')}</th><th scope="col" class="number">${text('wall.sold')}</th>
        <th scope="col" class="bar-cell">${text('wall.share')}</th></tr></thead>
        <tbody>${parts.map(({ name, part }) => this.#partRow(name, part))}</tbody></table></div></section>`;
    const categories = byUrgency(byCategory).map((part) => ({ name: part.label || part.key, part }));
    const sections = byUrgency(bySection).map((part) => ({ name: part.sectionLabel || text('wall.ungrouped'), part }));
    return html`${table('wall-categories', text('wall.byCategory'), categories)}
      ${sections.length < 2 ? nothing : table('wall-sections', text('wall.bySection'), sections)}`;
  }

  #partRow(name: string, part: Live['totals']): TemplateResult {
    const { text, number, locale } = this.#room.ports.words;
    const share = new Intl.NumberFormat(locale, { style: 'percent' }).format(soldShare(part));
    return html`<tr><th scope="row">${name}</th>
      <td class="number">${isSoldOut(part) ? html`<span class="sold-out">${text('wall.soldOut')}</span>` : number(part.free)}</td>
      <td class="number">${number(part.held)}</td><td class="number">${number(part.booked)}</td>
      <td class="bar-cell"><meter min="0" max="1" value=${soldShare(part)} aria-label=${text('wall.shareOf', { part: name })}>${share}</meter></td></tr>`;
  }

  get #isFullScreen(): boolean {
    const root = this.#screen?.getRootNode() as Document | ShadowRoot | undefined;
    return this.#screen !== null && root?.fullscreenElement === this.#screen;
  }

  #mounted = (element: Element | undefined): void => {
    this.#screen = (element as HTMLElement | undefined) ?? null;
  };

  #toggleFullScreen = (): void => {
    if (this.#isFullScreen) void document.exitFullscreen();
    else void this.#screen?.requestFullscreen().catch(() => {});
  };

  /** The browser takes the lock away when the page leaves the sight. */
  #onFullScreen(): void {
    this.#room.ports.changed();
    void this.#wakeLock?.release();
    this.#wakeLock = null;
    if (!this.#isFullScreen || document.visibilityState !== 'visible') return;
    navigator.wakeLock?.request('screen').then(
      (lock) => {
        this.#wakeLock = lock;
      },
      () => {},
    );
  }
}
