/**
 * The demo page. It shows the event or the performance group that its address names, with a publishable key or, for an
 * event, through an access link, and tells how a shop's server books the held units.
 */
import '@parterre/web';
import type { ParterreMapElement } from '../src/element.ts';

const map = document.querySelector<ParterreMapElement>('parterre-map')!;
const missing = document.querySelector<HTMLElement>('#missing')!;
const why = document.querySelector<HTMLElement>('#why')!;
const form = document.querySelector<HTMLFormElement>('form')!;
const till = document.querySelector<HTMLElement>('#till')!;
const command = document.querySelector<HTMLElement>('#command')!;

/** Settings stand after the `#`, which browsers send to no server. */
function showNamed(): void {
  const named = new URLSearchParams(location.hash.slice(1));
  const [event, group, key, access] = ['event', 'group', 'key', 'access'].map((name) => named.get(name) ?? null);
  const isNamed = Boolean((event && (key || access)) || (group && key));
  missing.hidden = isNamed;
  why.hidden = true;
  till.hidden = true;
  const sold = isNamed ? { event, group } : { event: null, group: null };
  for (const [name, value] of Object.entries({ 'public-key': key, access, ...sold })) {
    if (value) map.setAttribute(name, value);
    else map.removeAttribute(name);
  }
}

form.addEventListener('submit', (submitted) => {
  submitted.preventDefault();
  const fields = [...new FormData(form)].map(([name, value]): [string, string] => [name, String(value)]);
  if (!fields.some(([name, value]) => name !== 'key' && value !== '')) {
    why.textContent = 'Type the key of an event or of a performance group.';
    why.hidden = false;
    return;
  }
  const hash = new URLSearchParams(fields.filter(([, value]) => value !== '')).toString();
  if (location.hash === `#${hash}`) showNamed();
  else location.hash = hash;
});

/** For an unknown key, event or group the form comes back. The map itself tells that a link has ended. */
map.addEventListener('error', (failed) => {
  if (map.map?.state().connection !== 'ended' || map.hasAttribute('access')) return;
  const { text } = (failed as Event as CustomEvent<{ text: string }>).detail;
  for (const [name, value] of new URLSearchParams(location.hash.slice(1))) {
    const field = form.elements.namedItem(name);
    if (field instanceof HTMLInputElement) field.value = value;
  }
  map.removeAttribute('event');
  map.removeAttribute('group');
  why.textContent = `${text} Look at the event or the group, and the key, once more.`;
  why.hidden = false;
  missing.hidden = false;
});

map.addEventListener('hold', (held) => {
  const { holdId, operationId } = (held as CustomEvent<{ holdId: string; operationId?: string }>).detail;
  const order = holdId.replace('hld_', 'order-').slice(0, 14);
  const address = operationId
    ? `${location.origin}/v1/performance-groups/${map.getAttribute('group')}/holds/${operationId}/book`
    : `${location.origin}/v1/events/${map.getAttribute('event')}/book`;
  const body = operationId
    ? `{"bookActionId":"book-${order}","bookingRef":"${order}"}`
    : `{"holdId":"${holdId}","bookingRef":"${order}"}`;
  command.textContent = `curl -s -H 'Authorization: Bearer <SECRET_KEY>' -H 'Content-Type: application/json' '${address}' -d '${body}'; echo`;
  till.hidden = false;
});
map.addEventListener('parterre-continue', () => {
  const details = till.querySelector('details')!;
  details.open = true;
  details.querySelector('summary')!.focus();
});
for (const name of ['holdexpired', 'holdreleased', 'booked']) map.addEventListener(name, () => (till.hidden = true));
document
  .querySelector('#copy')!
  .addEventListener('click', () => void navigator.clipboard.writeText(command.textContent));
/** Only the operator's demo has drawing visitors. */
async function offerDrawing(): Promise<void> {
  const answer = await fetch('/demo/drafts').catch(() => null);
  document.querySelector<HTMLElement>('#draw')!.hidden = !answer?.ok;
}

void offerDrawing();
window.addEventListener('hashchange', showNamed);
showNamed();
