/** The calls of one sale of a group or season, as requests. A page holds, a server books. */
import type { OnSale } from './owners-on-sale.ts';

export type Call = { path: string; headers: Record<string, string>; body: object };
export type OperationCalls = ReturnType<typeof callsOf>;

type Action = { actionId: string; bookingRef: string };

const ttlMs = 600_000;

export function callsOf(
  { kind, key, planActivationId }: OnSale,
  operationId: string,
  { asPage, byKey }: Record<'asPage' | 'byKey', Call['headers']>,
) {
  const isGroup = kind === 'group';
  const room = isGroup ? 'performance-groups' : 'seasons';
  const page = (path: string, body: object): Call => ({ path: `/pub/${room}/${key}${path}`, headers: asPage, body });
  const server = (path: string, body: object): Call => ({ path: `/v1/${room}/${key}${path}`, headers: byKey, body });
  return {
    hold: (labels: string[]) => page(isGroup ? '/hold' : '/holds', { operationId, labels }),
    release: () =>
      isGroup
        ? page(`/operations/${operationId}/release`, {})
        : page(`/holds/${operationId}/release`, { releaseActionId: `release-${operationId}` }),
    /** For groups alone. */
    extend: () => page(`/operations/${operationId}/extend`, { ttlMs }),
    book: ({ actionId: bookActionId, bookingRef }: Action) =>
      server(`/holds/${operationId}/book`, { bookActionId, bookingRef }),
    /** For seasons alone. */
    cancel: ({ actionId, bookingRef }: Action) =>
      server(`/bookings/${actionId}/cancel`, {
        cancelActionId: `cancel-${actionId}`,
        bookingRef,
        planActivationId,
        rightDisposition: 'release',
      }),
  };
}
