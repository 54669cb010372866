/** Stands in the head of the demo page, and asks for the sale before the files of the page have come. */
import { eventAddress, openEarly } from '../src/sale/early.ts';

const named = new URLSearchParams(location.hash.slice(1));
const event = named.get('event');
const key = named.get('key');
if (event && key && !named.get('access')) void openEarly(eventAddress(location.origin, event), key);
