/**
 * The picture of the view from a seat: a button beside each place that has one, and the dialog that the button opens.
 * The browser's own dialog keeps the focus inside, closes by Escape, and gives the focus back.
 */
import { html, nothing, type TemplateResult } from 'lit-html';
import { keyed } from 'lit-html/directives/keyed.js';
import { ref } from 'lit-html/directives/ref.js';
import { kindsText, placeName } from '../messages/places.ts';
import type { Words } from '../messages/words.ts';
import type { PanelView } from './panel-view.ts';

/** `spot` is null for places of an area, which have no view of their own. */
export function viewButton(view: PanelView, spot: number | null): TemplateResult | typeof nothing {
  const { words, hall, pictureOf, lookFrom } = view;
  if (spot === null || pictureOf(spot) === null) return nothing;
  const name = words.text('view.from', { place: placeName(words, hall, spot) });
  return html`<button class="plain look" part="button plain" aria-haspopup="dialog" aria-label=${name} @click=${() => lookFrom(spot)}>${words.text('view.open')}</button>`;
}

/** Open as long as it is on the page. `closed` is called when the buyer has closed it. */
export function viewDialog(view: PanelView, spot: number, closed: () => void): TemplateResult | typeof nothing {
  const { words, hall, pictureOf } = view;
  const { text } = words;
  const address = pictureOf(spot);
  if (address === null) return nothing;
  const name = text('view.from', { place: placeName(words, hall, spot) });
  const kinds = kindsText(words, hall, spot);
  return html`<dialog class="view" part="view" aria-label=${name} @close=${closed} @click=${closeBeside} ${ref(open)}>
    <div class="sight">
      <div class="head">
        <h3>${name}</h3>
        <button part="button" @click=${closeAround}>${text('view.close')}</button>
      </div>
      ${seatPicture(words, address, text('view.picture'))} ${kinds.length > 0 ? html`<p>${words.join(kinds)}</p>` : nothing}
    </div>
  </dialog>`;
}

/** A picture that does not come is replaced by a text. Each address has an element of its own. */
export function seatPicture({ text }: Words, address: string, alt: string) {
  return keyed(
    address,
    html`<span class="picture" part="picture">
      <img src=${address} alt=${alt} referrerpolicy="no-referrer" @error=${tellMissing} />
      <span role="status" hidden>${text('view.failed')}</span>
    </span>`,
  );
}

function tellMissing({ currentTarget }: Event): void {
  const image = currentTarget as HTMLImageElement;
  image.hidden = true;
  (image.nextElementSibling as HTMLElement).hidden = false;
}

/** The element joins the page after its attributes are set. */
function open(dialog: Element | undefined): void {
  queueMicrotask(() => {
    if (dialog instanceof HTMLDialogElement && dialog.isConnected && !dialog.open) dialog.showModal();
  });
}

function closeAround({ currentTarget }: Event): void {
  (currentTarget as Element).closest('dialog')?.close();
}

/** The dialog's content fills it, so a press on the dialog itself is one beside it. */
function closeBeside({ target, currentTarget }: Event): void {
  if (target === currentTarget) (currentTarget as HTMLDialogElement).close();
}
