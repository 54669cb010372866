/**
 * One unit of an event as an operator sees it: its status, its channel, and who has it until when.
 *
 * The event's actor answers several small reads. The unit may change between two of them: a hold that has ended
 * meanwhile reads as no hold. If one read has no answer, its refusal is the answer.
 */
import type { Answers } from '@parterre/shared/protocol/answers';
import { done, type Outcome, refuse } from '@parterre/shared/protocol/errors';
import { statusNames, unitStatus } from '@parterre/shared/protocol/records';
import { z } from 'zod';
import { budgets } from '../admission/admission.ts';
import { holdAsSeenBy, seesChannels, withMoneyFor } from '../logs/logs.ts';
import { standIn } from '../openapi/openapi.ts';
import { ask, planOf } from './calls/ask.ts';
import { type EventCall, eventRoute } from './calls/route.ts';
import { epochMs, idOf, inMoney, moneyOf, taken, text, textOrNull } from './records.ts';

const unitDetail = z.object({
  label: text,
  status: z.enum(statusNames),
  channelId: textOrNull.describe(
    'The channel that it is assigned to; null for public sale, and for a manage session without event:channels:view.',
  ),
  hold: z
    .object({
      holdId: text.describe(
        'The short name of the hold, as in the log, for a manage session and a user whose role may not sell.',
      ),
      expiresAt: epochMs,
      labels: z.array(text).describe('All units of the hold.'),
      accessSource: text,
      buyerRef: textOrNull,
      partnerRef: textOrNull,
    })
    .nullable()
    .describe('Set while the unit is held.'),
  bookingRef: textOrNull.describe('Set while the unit is booked.'),
  reservation: z
    .object({ id: idOf('rsv'), name: text })
    .nullable()
    .describe('Set while the unit is blocked by a reservation.'),
  unitPrice: taken.nullable().describe('The price under which it is held or booked; null for any other unit.'),
  tierId: textOrNull,
  ...inMoney,
});

const getUnit = eventRoute(
  'GET /v1/events/{key}/units/{label}',
  {
    budget: budgets.serverCalls,
    answer: unitDetail,
    capability: 'event:view',
    description: {
      operationId: 'getUnit',
      tag: 'Inventory',
      summary: 'One unit, and who has it',
      description:
        'The status of one unit, its channel, the hold, booking or reservation that has it, and the price at which it ' +
        'was held or booked. The path names a seat, table or booth by its label, and a place of an area by the label ' +
        'of the place.',
      refusals: ['not_found'],
      examples: [
        { summary: 'A held seat', path: { key: standIn.heldEvent, label: 'A-5' } },
        { summary: 'A booked seat', path: { key: standIn.soldEvent, label: 'A-7' } },
        { summary: 'A free seat', path: { label: 'A-1' } },
        { summary: 'A label that the chart lacks', path: { label: 'Z-9' }, answers: 'not_found' },
      ],
    },
  },
  readUnit,
);

const unknownUnit = refuse('not_found', 'The chart of the event has no such unit. GET …/units has all labels.');

async function readUnit(call: EventCall & { path: { label: string } }) {
  const counted = await ask(call, { type: 'count' });
  if (!counted.ok) return counted;
  const plan = await planOf(call, counted.value.planHash);
  if (!plan.ok) return plan;
  const { labels } = plan.value;
  const { label } = call.path;
  const unit = labels.unitOf(label);
  if (unit === undefined) return unknownUnit;
  const before = unit === 0 ? {} : { afterLabel: labels.at(unit - 1) };
  const [columns, allocation] = await Promise.all([
    ask(call, { type: 'unit-columns', from: unit, most: 1 }),
    ask(call, { type: 'channel-allocation', limit: 1, ...before }),
  ]);
  if (!columns.ok) return columns;
  if (!allocation.ok) return allocation;
  const { statuses, owners, sold } = columns.value;
  const status = statuses[0] ?? unitStatus.free;
  const owner = await ownerOf(call, label, status, owners[0] ?? null);
  if (!owner.ok) return owner;
  const [next] = allocation.value.allocations;
  const terms = sold[0];
  return done(
    withMoneyFor(call.principal, {
      label,
      status: statusNames[status]!,
      channelId: next?.label === label && seesChannels(call.principal) ? next.channelId : null,
      ...owner.value,
      unitPrice: terms?.price ?? null,
      tierId: terms?.tierId ?? null,
      ...moneyOf(call.event.event),
    }),
  );
}

type Detail = z.output<typeof unitDetail>;
type Owner = Pick<Detail, 'hold' | 'bookingRef' | 'reservation'>;

const nobody: Owner = { hold: null, bookingRef: null, reservation: null };

async function ownerOf(call: EventCall, label: string, status: number, owner: string | null): Promise<Outcome<Owner>> {
  if (status === unitStatus.booked) return done({ ...nobody, bookingRef: owner });
  if (status === unitStatus.blocked) {
    const reserved = await ask(call, { type: 'reserved-places' });
    return reserved.ok ? done({ ...nobody, reservation: reservationOf(reserved.value, label) }) : reserved;
  }
  if (status !== unitStatus.held || owner === null) return done(nobody);
  const hold = await ask(call, { type: 'inspect-hold', holdId: owner });
  if (!hold.ok) return hold.refusal.code === 'hold_not_found' ? done(nobody) : hold;
  const { expiresAt, items, accessSource, buyerRef = null, partnerRef = null } = hold.value;
  const holdId = holdAsSeenBy(call.principal)(owner);
  const held = { holdId, expiresAt, labels: items.map((item) => item.label), accessSource, buyerRef, partnerRef };
  return done({ ...nobody, hold: held });
}

function reservationOf({ places }: Answers['reserved-places'], label: string): Detail['reservation'] {
  const found = places.find(({ labels }) => labels.includes(label));
  return found ? { id: found.id, name: found.name } : null;
}

export const unitDetailRoutes = [getUnit];
