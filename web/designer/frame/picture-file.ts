/** A picture from a file of the person's machine, which goes into the chart itself. */
import type { ChartDocument } from '@parterre/shared/charts/document';
import { chartBodyBytesMax } from '@parterre/shared/protocol/limits';
import { html, type TemplateResult } from 'lit-html';
import type { Words } from '../messages/words.ts';

/** A picture in the document itself may have this many bytes. */
const PICTURE_BYTES_MAX = 2_000_000;

export type PictureHost = {
  words(): Words;
  notice(text: string): void;
  readonly editor: { readonly document: ChartDocument };
};

/** `taken` gets the picture as an address that begins with `data:image/`. */
export function pictureFile(host: PictureHost, taken: (address: string) => void): TemplateResult {
  const read = async ({ target }: Event): Promise<void> => {
    const input = target as HTMLInputElement;
    const file = input.files?.[0];
    if (!file) return;
    const address = await addressOf(host, file);
    // The same file may be chosen again.
    input.value = '';
    if (address !== null) taken(address);
  };
  return html`<label class="file">${host.words().text('draw.setting.file')}
    <input type="file" accept="image/png,image/jpeg,image/webp,image/gif" @change=${(event: Event) => void read(event)}></label>`;
}

/** Null after a notice that tells why the file is not taken. */
async function addressOf({ words, notice, editor }: PictureHost, file: File): Promise<string | null> {
  const refuse = (key: 'draw.notImage' | 'draw.largeImage' | 'draw.fullChart' | 'draw.unreadImage'): null => {
    notice(words().text(key));
    return null;
  };
  if (!/^image\/(png|jpeg|webp|gif)$/.test(file.type)) return refuse('draw.notImage');
  if (file.size > PICTURE_BYTES_MAX) return refuse('draw.largeImage');
  const address = await dataOf(file).catch(() => null);
  if (address === null) return refuse('draw.unreadImage');
  const isFull = JSON.stringify(editor.document).length + address.length > chartBodyBytesMax;
  return isFull ? refuse('draw.fullChart') : address;
}

function dataOf(file: File): Promise<string> {
  const reader = new FileReader();
  return new Promise((read, failed) => {
    reader.onload = () => read(String(reader.result));
    reader.onerror = () => failed(reader.error);
    reader.readAsDataURL(file);
  });
}
