/** Reports of attempts at deliveries. */
import type { AttemptReport } from '@parterre/shared/protocol/catalog/deliveries';

/** The report of the first attempt of delivery `n`, which arrived, unless `more` says otherwise. */
export function reportOf(n: number, more: Partial<AttemptReport> = {}): AttemptReport {
  return {
    deliveryId: `dlv_${n}`,
    subId: 'whk_1',
    organisationId: 'org_1',
    occurrenceId: `occ_${n}`,
    event: 'seat.booked',
    eventKey: 'gala',
    ref: null,
    place: { partition: 0, sequence: n, index: 0 },
    body: `{"occurrenceId":"occ_${n}","data":{}}`,
    order: n,
    attempt: 1,
    manual: false,
    at: n,
    status: 200,
    responseBody: '',
    errorMessage: null,
    retryState: 'delivered',
    nextAttemptAt: null,
    ...more,
  };
}
