/**
 * What a front door asks of the notifiers: one NATS request on `notifier.<operation>`, answered by any of them with an `Outcome`.
 * Both post at once and answer with what came of it; neither begins a chain of attempts.
 */
import type { Delivery } from './catalog/deliveries.ts';
import type { Scope } from './catalog/scope.ts';

/** What came of a test. `status` 0: no answer came, and `errorMessage` says why. */
export type TestResult = {
  delivered: boolean;
  status: number;
  occurrenceId: string;
  durationMs: number;
  responseBody: string | null;
  errorMessage: string | null;
};

/** operation → [input, output] */
export type NotifierOperations = {
  /** Sends a `ping` with `test: true`, within `testSendMs`; it is not recorded. */
  test: [{ scope: Scope; id: string }, { test: TestResult }];
  /** Sends a stored delivery once more under its occurrence id, signed anew, and gives it as it stands afterwards. */
  retry: [{ scope: Scope; id: string; deliveryId: string }, { delivery: Delivery }];
};

export type NotifierOperation = keyof NotifierOperations;
