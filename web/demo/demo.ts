/** The demo page: shows the event that its address names, and says how a shop's server books what was held here. */
import '@parterre/web';
import type { ParterreMapElement } from '../src/element.ts';

const map = document.querySelector<ParterreMapElement>('parterre-map')!;
const missing = document.querySelector<HTMLElement>('#missing')!;
const till = document.querySelector<HTMLElement>('#till')!;
const command = document.querySelector<HTMLElement>('#command')!;

/** After the `#`, which browsers send to nobody. */
function showNamed(): void {
  const named = new URLSearchParams(location.hash.slice(1));
  const [event, key] = [named.get('event'), named.get('key')];
  missing.hidden = Boolean(event && key);
  till.hidden = true;
  if (event && key) {
    map.setAttribute('public-key', key);
    map.setAttribute('event', event);
  } else map.removeAttribute('event');
}

document.querySelector('form')!.addEventListener('submit', (submitted) => {
  submitted.preventDefault();
  const fields = new FormData(submitted.target as HTMLFormElement);
  location.hash = new URLSearchParams([...fields].map(([name, value]) => [name, String(value)])).toString();
});

map.addEventListener('hold', (held) => {
  const { holdId } = (held as CustomEvent<{ holdId: string }>).detail;
  const address = `${location.origin}/v1/events/${map.getAttribute('event')}/book`;
  const secret = `$(node -p 'require("./.parterre/demo.json").keys.secretTest')`;
  const body = `{"holdId":"${holdId}","bookingRef":"${holdId.replace('hld_', 'order-').slice(0, 14)}"}`;
  command.textContent = `curl -s -H "Authorization: Bearer ${secret}" -H 'Content-Type: application/json' ${address} -d '${body}'`;
  till.hidden = false;
});
for (const name of ['holdexpired', 'holdreleased', 'booked']) map.addEventListener(name, () => (till.hidden = true));
document
  .querySelector('#copy')!
  .addEventListener('click', () => void navigator.clipboard.writeText(command.textContent));
window.addEventListener('hashchange', showNamed);
showNamed();
