/**
 * The conflicts of a refused hold. The coordinator asks no further event once one has refused. The maps of these events,
 * as this buyer sees them, name the seats that they lack too. A map may be some milliseconds old.
 *
 * Failure at the await: an event cannot be looked up, or has no map → its conflicts are left out.
 */
import type { Refusal } from '@parterre/shared/errors';
import type { OperationDraft } from '@parterre/shared/operations/ports';
import { unitStatus } from '@parterre/shared/records';
import { knownInTime } from '../../admission/admission.ts';
import { statusWord, stripped } from '../../pictures/pictures.ts';
import { type Call, inTime } from '../calls/calls.ts';
import { audienceIn } from '../owner-maps/owner-maps.ts';

type Conflict = { eventKey: string; label: string; status: string };
type BuyerCall = Pick<Call<'group-buyer'>, 'ports' | 'request' | 'principal'>;

/** In the order of the performances. */
export async function withAllConflicts(
  call: BuyerCall,
  { parts }: Pick<OperationDraft, 'parts'>,
  refusal: Refusal,
): Promise<Refusal> {
  const told = refusal.details?.conflicts as Conflict[] | undefined;
  if (told === undefined) return refusal;
  const refused = new Set(told.map(({ eventKey }) => eventKey));
  const unasked = unaskedOf(parts, refused);
  const more = await Promise.all(unasked.map((part) => conflictsIn(call, part)));
  const all = [...told, ...more.flat()];
  const conflicts = parts.flatMap((part) => all.filter(({ eventKey }) => eventKey === part.eventKey));
  return { ...refusal, details: { ...refusal.details, conflicts } };
}

type Part = OperationDraft['parts'][number];

/** The first member is asked alone, then the other members, then the home. An event that was asked has held its part. */
function unaskedOf(parts: readonly Part[], refused: ReadonlySet<string>): readonly Part[] {
  const [home, first, ...others] = parts;
  if (refused.has(home!.eventKey)) return [];
  return first && refused.has(first.eventKey) ? [home!, ...others] : [home!];
}

async function conflictsIn(call: BuyerCall, { eventKey, selections }: Part): Promise<Conflict[]> {
  const { ports, request, principal } = call;
  const event = await knownInTime(ports, eventKey, request.deadlineAt);
  if (!event.ok) return [];
  const replica = await inTime(call, ports.feeds.replicaOf(event.value.event));
  if (!replica.ok) return [];
  const { plan } = replica.value;
  const seen = replica.value.seenBy(audienceIn(principal, eventKey));
  return selections.flatMap(({ label }) => {
    const unit = plan.labels.unitOf(label);
    const status = unit === undefined ? unitStatus.free : seen[unit]!;
    if (status === unitStatus.free) return [];
    const word = statusWord(status === stripped ? unitStatus.blocked : status, { words: 'buyer' });
    return [{ eventKey, label, status: word }];
  });
}
