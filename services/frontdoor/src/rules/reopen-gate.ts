/** What must hold before an event goes on sale again (wire contract 4). Pure; the actor checks that the move is legal. */
import type { EventRecord } from '@parterre/shared/catalog/events';
import { done, type Issue, type Outcome, refuse } from '@parterre/shared/errors';

export function reopenGate(event: EventRecord, now: number): Outcome<true> {
  const issues: Issue[] = [];
  if (event.endsAt !== null && event.endsAt <= now) issues.push({ path: 'endsAt', message: 'The event has ended.' });
  if (event.seatTotal === 0) issues.push({ path: 'chartId', message: 'The chart sells nothing.' });
  if (issues.length === 0) return done(true);
  return refuse('event_not_ready', 'The event is not ready for sale.', { details: { issues } });
}
