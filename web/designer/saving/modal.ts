/** A dialog over the page while it is rendered. The browser gives the focus back to the button that opened it. */
import { html, nothing, type TemplateResult } from 'lit-html';
import { ref } from 'lit-html/directives/ref.js';

export type Modal = {
  className: 'publish' | 'export';
  title: string;
  closeText: string;
  /** It cannot be closed now. */
  isHeld?: boolean;
  closed(): void;
};

/** `action` stands beside the button that closes. */
export function modal(
  { className, title, closeText, isHeld = false, closed }: Modal,
  content: TemplateResult,
  action: TemplateResult | typeof nothing = nothing,
): TemplateResult {
  return html`<dialog
    class="saving-dialog ${className}"
    aria-labelledby="${className}-title"
    ${ref(open)}
    @cancel=${(event: Event) => isHeld && event.preventDefault()}
    @close=${closed}
  >
    <h2 id="${className}-title">${title}</h2>
    ${content}
    <p class="saving-choices">
      <button type="button" ?disabled=${isHeld} @click=${closeDialog}>${closeText}</button>
      ${action}
    </p>
  </dialog>`;
}

/** The element is not in the page yet when it is first told. */
function open(element: Element | undefined): void {
  if (!(element instanceof HTMLDialogElement)) return;
  queueMicrotask(() => {
    if (element.isConnected && !element.open) element.showModal();
  });
}

export function closeDialog(): void {
  document.querySelector<HTMLDialogElement>('dialog.saving-dialog')?.close();
}
