/**
 * The front door's requests to the notifiers: one NATS request on `notifier.<operation>`, which any notifier answers
 * with an `Outcome`. Both operations post at once and answer with the result; neither starts further attempts.
 */
import type { Delivery } from './catalog/deliveries.ts';
import type { Scope } from './catalog/scope.ts';
import type { WebhookBacklog } from './catalog/webhooks.ts';

/** The result of a test. With `status` 0 no answer came, and `errorMessage` has the reason. */
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
  /** Sends a `ping` with `test: true`, within `testSendMs`; the test is not recorded. */
  test: [{ scope: Scope; id: string }, { test: TestResult }];
  /**
   * Sends a stored delivery once more under its occurrence id, signed anew, and answers with the delivery as it then
   * stands.
   */
  retry: [{ scope: Scope; id: string; deliveryId: string }, { delivery: Delivery }];
  /** The waiting deliveries of each subscription, in their order. */
  backlogs: [{ subIds: string[] }, { backlogs: WebhookBacklog[] }];
};

export type NotifierOperation = keyof NotifierOperations;
