/** A new event: its record in the catalog, then its inventory. */
import type { EventDraft, EventRecord } from '@parterre/shared/catalog/events';
import { done, type Outcome } from '@parterre/shared/errors';
import { callIdOf, type ServerPrincipal, scopeOf } from '../../admission/admission.ts';
import { callerOf, type Ports, type Request } from '../calls/calls.ts';

export async function createEvent(
  { ports, request }: { ports: Ports; request: Request },
  owner: ServerPrincipal,
  draft: EventDraft,
  callId: string | null,
): Promise<Outcome<EventRecord>> {
  const created = await ports.catalog('events.create', { scope: scopeOf(owner), draft, ...callIdOf({ callId }) });
  if (!created.ok) return created;
  const { event, config } = created.value;
  // The catalog's record is durable. If the actor does not answer now, the first command creates the inventory.
  const create = { type: 'create', config } as const;
  const inventory = await ports.shards.submit(event, callerOf(owner), create, request.deadlineAt);
  return inventory.ok || inventory.refusal.retryable ? done(event) : inventory;
}
