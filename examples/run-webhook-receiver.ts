/**
 * Runs the receiver of webhook-receiver.ts on a port of this machine, for `npm run receiver`. WEBHOOK_SECRET is the
 * secret of the subscription, or several separated by commas during a rotation. PORT is the port. The receiver prints
 * each occurrence and keeps it in memory. A real receiver keeps occurrences in a database.
 */
import { createReceiver, type Occurrence } from './webhook-receiver.ts';

const { WEBHOOK_SECRET = '', PORT = '9000' } = process.env;
const secrets = WEBHOOK_SECRET.split(',').filter((secret) => secret !== '');
if (secrets.length === 0) {
  console.error('Name the secret of the subscription: WEBHOOK_SECRET=whsec_… npm run receiver');
  process.exit(1);
}

const kept = new Map<string, Occurrence>();

async function keep(occurrence: Occurrence): Promise<void> {
  const { occurrenceId, event, eventKey = '', data } = occurrence;
  if (kept.has(occurrenceId)) return console.log(`${occurrenceId} again`);
  kept.set(occurrenceId, occurrence);
  console.log(`${occurrenceId} ${event} ${eventKey} ${JSON.stringify(data)}`);
}

createReceiver({ secrets: () => secrets, keep }).listen(Number(PORT), () => {
  console.log(`Listening on http://localhost:${PORT}`);
});
