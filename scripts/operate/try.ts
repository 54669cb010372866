/**
 * `npx parterre try`: a hold and a booking on the demo's event, as two curl commands to paste.
 *
 * The second command needs the id of the hold. So this command makes the hold itself, under an Idempotency-Key. The
 * printed hold has the same key and the same body, so pasting it any number of times gets the answer of the same hold.
 */
import { randomText } from '../../shared/src/protocol/ids.ts';
import type { Demo } from '../launch/demo.ts';
import { freeNeighbours } from '../launch/demo-seats.ts';
import { Refused } from './admin-api.ts';

/** Commands for sh and bash, one line each. */
export type Trial = { seats: string[]; holdId: string; hold: string; book: string };

const nameLength = 8;

export async function tryDemo(demo: Demo): Promise<Trial> {
  const seats = await freeNeighbours(demo).catch(unreachable(demo));
  const name = randomText(nameLength);
  const body = { labels: seats };
  const holdId = await hold(demo, body, name);
  return {
    seats,
    holdId,
    hold: curl(demo, 'hold', body, `-H 'Idempotency-Key: try-${name}'`),
    book: curl(demo, 'book', { holdId, bookingRef: `order-${name}` }),
  };
}

export function trialText({ seats: [one, other], hold, book }: Trial): string {
  return [
    `Seats ${one} and ${other} are already held for 15 minutes, because the booking needs the id of the hold.`,
    'Paste both commands. The first repeats the hold, and gets the same answer.',
    '',
    'Hold them:',
    hold,
    '',
    'Book them:',
    book,
    '',
  ].join('\n');
}

async function hold({ url, eventKey, keys }: Demo, body: object, name: string): Promise<string> {
  const response = await fetch(`${url}/v1/events/${eventKey}/hold`, {
    method: 'POST',
    headers: {
      Authorization: `Bearer ${keys.secretTest}`,
      'Content-Type': 'application/json',
      'Idempotency-Key': `try-${name}`,
    },
    body: JSON.stringify(body),
  });
  const answer = (await response.json()) as { holdId?: string; code?: string; message?: string };
  if (answer.holdId === undefined) throw new Refused(`The hold was refused. ${answer.code}: ${answer.message ?? ''}`);
  return answer.holdId;
}

function curl({ url, eventKey, keys }: Demo, action: string, body: object, header = ''): string {
  const headers = [`-H 'Authorization: Bearer ${keys.secretTest}'`, `-H 'Content-Type: application/json'`, header];
  const address = `${url}/v1/events/${eventKey}/${action}`;
  return `curl -s ${headers.filter(Boolean).join(' ')} ${address} -d '${JSON.stringify(body)}'; echo`;
}

const unreachable =
  ({ url }: Demo) =>
  (): never => {
    throw new Refused(`${url} does not answer. Start the demo with \`npm start\`.`);
  };
