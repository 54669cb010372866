/**
 * A table of any length: only the rows in sight are drawn, and a reader of the page hears how many there are. The
 * columns sort it. The core of @tanstack/virtual measures the rows; its binding to Lit needs elements, which the
 * console does not have.
 */
import { elementScroll, observeElementOffset, observeElementRect, Virtualizer } from '@tanstack/virtual-core';
import { html, nothing, type TemplateResult } from 'lit-html';
import { ref } from 'lit-html/directives/ref.js';
import { repeat } from 'lit-html/directives/repeat.js';

export type Column<Row> = {
  id: string;
  title: string;
  isNumber?: boolean;
  draw(row: Row): unknown;
  /** Without it the column does not sort. Null stands last. */
  sortBy?(row: Row): string | number | null;
};

export type Order = { id: string; isDown: boolean };

/** Where a view keeps the order of its table: in the address. */
export type OrderKeeper = { read(): Order | null; write(order: Order): void };

const ROW_PIXELS = 45;
const ROWS_BEYOND_SIGHT = 8;

export class Rows<Row> {
  readonly #changed: () => void;
  readonly #label: string;
  readonly #keeper: OrderKeeper;
  #rows: readonly Row[] = [];
  #sorted: { of: readonly Row[]; order: Order | null; rows: readonly Row[] } | null = null;
  #scroller: HTMLElement | null = null;
  #unmount: () => void = () => {};
  readonly #virtual: Virtualizer<HTMLElement, HTMLElement>;

  /** `label` names the table. `changed` asks for a new drawing. Without `keeper` the table keeps its order itself. */
  constructor(label: string, changed: () => void, keeper: OrderKeeper = ownKeeper()) {
    this.#label = label;
    this.#changed = changed;
    this.#keeper = keeper;
    this.#virtual = new Virtualizer(this.#options());
  }

  #options() {
    return {
      count: this.#rows.length,
      getScrollElement: () => this.#scroller,
      estimateSize: () => ROW_PIXELS,
      overscan: ROWS_BEYOND_SIGHT,
      observeElementRect,
      observeElementOffset,
      scrollToFn: elementScroll,
      onChange: () => this.#changed(),
    };
  }

  /** Rows out of sight leave a gap with a `height` attribute: the page's policy forbids style attributes. */
  draw(rows: readonly Row[], columns: readonly Column<Row>[]): TemplateResult {
    this.#rows = this.#inOrder(rows, columns);
    this.#virtual.setOptions(this.#options());
    this.#virtual._willUpdate();
    const drawn = this.#virtual.getVirtualItems();
    const above = drawn[0]?.start ?? 0;
    const below = this.#virtual.getTotalSize() - (drawn.at(-1)?.end ?? 0);
    // The page's policy allows the property, and no `style` attribute.
    const gap = (pixels: number) =>
      pixels > 0
        ? html`<tr aria-hidden="true"><td colspan=${columns.length} height=${Math.round(pixels)}></td></tr>`
        : nothing;
    return html`<div class="rows" tabindex="0" role="region" aria-label=${this.#label} ${ref(this.#mounted)}>
      <table aria-label=${this.#label} aria-rowcount=${rows.length + 1}>
        <thead><tr aria-rowindex="1">${columns.map((column) => this.#head(column))}</tr></thead>
        <tbody>${gap(above)}${repeat(
          drawn,
          ({ index }) => index,
          ({ index }) => this.#row(index, columns),
        )}${gap(below)}</tbody>
      </table></div>`;
  }

  #row(index: number, columns: readonly Column<Row>[]): TemplateResult {
    const row = this.#rows[index]!;
    return html`<tr aria-rowindex=${index + 2} data-index=${index} ${ref(this.#measured)}>${columns.map(
      (column) => html`<td class=${column.isNumber ? 'number' : nothing}>${column.draw(row)}</td>`,
    )}</tr>`;
  }

  #head(column: Column<Row>): TemplateResult {
    const kept = this.#keeper.read();
    const order = kept?.id === column.id ? kept : null;
    const sorted = order === null ? nothing : order.isDown ? 'descending' : 'ascending';
    return html`<th scope="col" class=${column.isNumber ? 'number' : nothing} aria-sort=${sorted}>${
      column.sortBy
        ? html`<button class="sort" @click=${() => this.#sort(column.id)}>${column.title}</button>`
        : column.title
    }</th>`;
  }

  #sort(id: string): void {
    const kept = this.#keeper.read();
    this.#keeper.write({ id, isDown: kept?.id === id && !kept.isDown });
    this.#changed();
  }

  #inOrder(rows: readonly Row[], columns: readonly Column<Row>[]): readonly Row[] {
    const order = this.#keeper.read();
    const last = this.#sorted;
    if (last?.of === rows && last.order?.id === order?.id && last.order?.isDown === order?.isDown) return last.rows;
    const by = columns.find(({ id }) => id === order?.id)?.sortBy;
    const inOrder = by ? [...rows].sort((one, other) => compared(by(one), by(other), order!.isDown)) : rows;
    this.#sorted = { of: rows, order, rows: inOrder };
    return inOrder;
  }

  /** A row may be higher than others: a long name has two lines. */
  #measured = (element: Element | undefined): void => {
    if (element) this.#virtual.measureElement(element as HTMLElement);
  };

  #mounted = (element: Element | undefined): void => {
    if (element === this.#scroller) return;
    this.#unmount();
    this.#unmount = () => {};
    this.#scroller = (element as HTMLElement | undefined) ?? null;
    if (this.#scroller) {
      this.#unmount = this.#virtual._didMount();
      this.#virtual._willUpdate();
      this.#changed();
    }
  };
}

function ownKeeper(): OrderKeeper {
  let order: Order | null = null;
  return {
    read: () => order,
    write(next) {
      order = next;
    },
  };
}

function compared(one: string | number | null, other: string | number | null, isDown: boolean): number {
  if (one === null || other === null) return Number(one === null) - Number(other === null);
  const order =
    typeof one === 'number' && typeof other === 'number' ? one - other : String(one).localeCompare(String(other));
  return isDown ? -order : order;
}
