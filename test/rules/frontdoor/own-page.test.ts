/** Pages that read from their own host send no Origin. Browsers name the origin in another header. */
import { expect, test } from 'vitest';
import { ownPageOrigin } from '../../../services/frontdoor/src/http/framing.ts';

test.each([
  ['same-origin', 'tickets.example', 'https://tickets.example'],
  ['same-origin', 'Tickets.example:8443', 'https://tickets.example:8443'],
  ['same-origin', 'localhost:8080', 'http://localhost:8080'],
  ['same-origin', '127.0.0.1:8080', 'http://127.0.0.1:8080'],
  ['same-origin', 'localhost.evil.example', 'https://localhost.evil.example'],
  ['same-site', 'tickets.example', ''],
  ['cross-site', 'tickets.example', ''],
  ['none', 'tickets.example', ''],
  ['', 'tickets.example', ''],
])('Sec-Fetch-Site %j to %s is a page of %j', (fetchSite, host, origin) => {
  expect(ownPageOrigin(fetchSite, host)).toBe(origin);
});
