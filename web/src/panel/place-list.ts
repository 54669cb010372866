/**
 * The places as a list, for everybody: sections, their rows, and the free seats of one row; or the seats that match a
 * search. Only an opened section and an opened row have their parts on the page, since a hall may have 100,000 seats.
 */

import { html, nothing, type TemplateResult } from 'lit-html';
import { repeat } from 'lit-html/directives/repeat.js';
import { blockName, entranceText, placeName, placeTextsOf, whereIsSpot } from '../messages/places.ts';
import { priceText } from '../messages/prices.ts';
import type { Words } from '../messages/words.ts';
import { type Block, type Hall, rowsOf } from '../rules/hall.ts';
import { fromPriceOf } from '../rules/prices.ts';
import { type Found, findPlaces, isSearch } from '../rules/search.ts';
import { nothing as nothingOfSelection, type Selection } from '../rules/selection.ts';
import { standingOfBlock } from '../rules/supply.ts';
import { standingKeys } from '../telling.ts';
import { areaCard } from './areas.ts';
import { type MapFilter, mapFilterOf } from './filter.ts';
import type { PanelView } from './panel-view.ts';
import { before } from './price-before.ts';
import { viewButton } from './seat-view.ts';

const FOUND_MAX = 60;

type ListView = PanelView & { choose(spot: number): void };

type Row = { label: string; spots: number[] };

export function createPlaceList() {
  let openBlock: number | null = null;
  /** The first spot of the row: rows may share a name. */
  let openRow: number | null = null;
  let query = '';
  const search = createSearch();
  let rows: { block: Block; list: Row[] } | null = null;
  const focus = createListFocus();

  function rowsIn(hall: Hall, block: Block): Row[] {
    if (rows?.block !== block) rows = { block, list: rowsOf(hall, block) };
    return rows.list;
  }

  return {
    /** The chart has changed. */
    reset(): void {
      [openBlock, openRow, rows] = [null, null, null];
      focus.reset();
    },
    template(view: ListView): TemplateResult {
      const { words, hall, offers, filter, redraw } = view;
      const shown = mapFilterOf(filter, hall, offers);
      const onSearch = ({ target }: Event) => {
        query = (target as HTMLInputElement).value;
        redraw();
      };
      focus.passOn(view, (spot) => isShown(view, shown, spot));
      return html`<div class="places" part="list" role="region" aria-label=${words.text('list.label')} @focusin=${focus.heard} @focusout=${focus.heard}>
        <input class="search" type="search" part="search" aria-label=${words.text('list.search')} placeholder=${words.text('list.searchHint')} .value=${query} @input=${onSearch} />
        ${isSearch(query) ? found(view, shown) : sections(view, shown)}
      </div>`;
    },
  };

  function put(view: ListView, spots: readonly number[], isWhole = false): TemplateResult {
    focus.put(view, spots);
    return seats(view, spots, isWhole);
  }

  function sections(view: ListView, shown: MapFilter | null): TemplateResult {
    const { hall, words } = view;
    const blocks = hall.blocks.flatMap((block, index) => (block.spots.length > 0 ? [{ block, index }] : []));
    const areas = hall.areas.filter((_, index) => shown?.area(index) ?? true);
    const list = blocks.map((each) => section(view, shown, each.block, each.index));
    return html`<ul class="sections">${list}</ul>
      ${areas.map((each) => areaCard(view, each))}
      ${blocks.length === 0 && areas.length === 0 ? html`<p class="empty" part="empty">${words.text('list.none')}</p>` : nothing}`;
  }

  function section(
    view: ListView,
    shown: MapFilter | null,
    block: Block,
    index: number,
  ): TemplateResult | typeof nothing {
    const { hall, words, statuses, offers, event, redraw } = view;
    const { text } = words;
    const free = freeIn(view, shown, block.spots);
    if (shown && free.length === 0 && openBlock !== index) return nothing;
    const from = fromPriceOf(hall, offers, statuses, index);
    const isOpen = openBlock === index;
    const press = () => {
      [openBlock, openRow] = [isOpen ? null : index, null];
      redraw();
    };
    return html`<li>
      <button class="section" part="list-section" aria-expanded=${isOpen} @click=${press}>
        <b>${blockName(words, hall, block)}</b>
        <span>${free.length === 0 ? noneText(view, index) : text('map.free', { count: free.length })}</span>
        <span class="amount">${from === null ? nothing : text('price.from', { price: priceText(words, from, event) })}</span>
      </button>
      ${isOpen ? html`<ul class="rows">${rowsIn(hall, block).map((each) => row(view, shown, each))}</ul>` : nothing}
    </li>`;
  }

  function row(view: ListView, shown: MapFilter | null, { label, spots }: Row): TemplateResult | typeof nothing {
    const { words, redraw, hall } = view;
    const { text } = words;
    const free = freeIn(view, shown, spots);
    const isOpen = openRow === spots[0];
    if (free.length === 0 && !isOpen) return nothing;
    const press = () => {
      openRow = isOpen ? null : spots[0]!;
      redraw();
    };
    const object = hall.objects[hall.objectOf[spots[0]!]!]!;
    const name = object.type === 'row' ? text('list.row', { row: label }) : label || text('walk.booths');
    return html`<li>
      <button class="row" part="list-row" aria-expanded=${isOpen} @click=${press}><span>${name}</span><span>${text('map.free', { count: free.length })}</span></button>
      ${isOpen ? put(view, free) : nothing}
    </li>`;
  }

  function found(view: ListView, shown: MapFilter | null): TemplateResult {
    const { hall, words } = view;
    const { spots: all, areas } = search(hall, words, query);
    const spots: number[] = [];
    for (const spot of all) if (spots.length <= FOUND_MAX && isShown(view, shown, spot)) spots.push(spot);
    const first = spots.slice(0, FOUND_MAX);
    const shownAreas = areas.filter((index) => shown?.area(index) ?? true);
    return html`<p class="count" role="status">
        ${spots.length > FOUND_MAX ? words.text('list.foundMany', { count: FOUND_MAX }) : words.text('list.found', { count: first.length })}
      </p>
      ${shownAreas.map((index) => areaCard(view, hall.areas[index]!))} ${put(view, first, true)}`;
  }
}

/** The last search is kept: each change of a seat draws the list anew. */
function createSearch() {
  let last: { hall: Hall; words: Words; query: string; found: Found } | null = null;
  return (hall: Hall, words: Words, query: string): Found => {
    if (last?.hall !== hall || last.words !== words || last.query !== query)
      last = { hall, words, query, found: findPlaces(hall, placeTextsOf(words), query) };
    return last.found;
  };
}

/**
 * The focus in the list of places. A seat that others take leaves the list. If it has the focus, its loss is said, and
 * the next seat gets the focus.
 */
function createListFocus() {
  /** The seat with the focus, by its label. */
  let focused: string | null = null;
  /** The seats on the page, and the choice at that time. */
  let listed: readonly number[] = [];
  let chosen: Selection = nothingOfSelection;

  return {
    reset(): void {
      focused = null;
    },
    /** Hears `focusin` and `focusout` of the list. */
    heard({ type, target }: Event): void {
      const seat = (target as Element).closest<HTMLElement>('[data-seat]');
      focused = (type === 'focusin' && seat?.dataset.seat) || null;
    },
    put(view: PanelView, spots: readonly number[]): void {
      [listed, chosen] = [spots, view.sale.state.selection];
    },
    /** Called before a drawing. `stays` is true for the seats that the drawing lists. */
    passOn({ hall, words, say, describe, refocus }: PanelView, stays: (spot: number) => boolean): void {
      const lost = focused === null ? undefined : hall.spotOf.get(focused);
      if (lost === undefined || stays(lost)) return;
      // The sale tells the loss of a chosen seat.
      const isSaid = chosen.has(focused!);
      focused = null;
      const at = listed.indexOf(lost);
      const next = listed.slice(at + 1).find(stays) ?? listed.slice(0, Math.max(at, 0)).findLast(stays);
      queueMicrotask(() => {
        if (!isSaid) say(words.join(describe(lost)));
        refocus(next === undefined ? '.search' : `[data-seat="${CSS.escape(hall.labels[next]!)}"] button`);
      });
    },
  };
}

/** Free seats, and those of this page's choice or hold: a held seat that was given up can be chosen again. */
function isShown({ hall, statuses, sale }: ListView, shown: MapFilter | null, spot: number): boolean {
  const { selection, held } = sale.state;
  if (selection.has(hall.labels[spot]!) || held.has(hall.labels[spot]!)) return true;
  return statuses.of[spot] === 0 && (shown?.spot(spot) ?? true);
}

/** A section without a free place is sold out, or not for this buyer. */
function noneText({ words, hall, statuses }: ListView, block: number): string {
  const standing = standingOfBlock(statuses, hall, block);
  return words.text(standing === 'free' ? 'map.soldOut' : standingKeys[standing]);
}

const freeIn = (view: ListView, shown: MapFilter | null, spots: readonly number[]): number[] =>
  spots.filter((spot) => isShown(view, shown, spot));

/** A place that was found stands apart from its section. */
function foundAt({ words, hall }: ListView, spot: number): TemplateResult | typeof nothing {
  const entrance = entranceText(words, hall.objects[hall.objectOf[spot]!]!);
  const told = [...whereIsSpot(hall, spot), ...(entrance === null ? [] : [entrance])];
  return told.length === 0 ? nothing : html`<span>${told.join(' · ')}</span>`;
}

function seats(view: ListView, spots: readonly number[], isWhole: boolean): TemplateResult {
  const { words, hall, sale, describe, choose } = view;
  const labelOf = (spot: number) => hall.labels[spot]!;
  // A seat keeps its button when another seat leaves: a press must never meet the neighbour.
  return html`<ul class="seats ${isWhole ? 'found' : ''}">
    ${repeat(spots, labelOf, (spot) => {
      const label = labelOf(spot);
      const isChosen = sale.state.selection.has(label);
      const [name = '', ...rest] = describe(spot);
      return html`<li data-seat=${label}>
        <button part="list-seat" aria-pressed=${isChosen} aria-label=${words.join([name, ...rest])} @click=${() => choose(spot)}>
          <b>${isWhole ? placeName(words, hall, spot) : hall.numbers[spot] || label}</b>
          ${isWhole ? foundAt(view, spot) : nothing}<span>${before(view, spot)}${rest.at(-2)}</span>
        </button>
        ${viewButton(view, spot)}
      </li>`;
    })}
  </ul>`;
}
