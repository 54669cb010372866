/** A command that waits for its reply. */
import type { Envelope } from '@parterre/shared/commands';
import type { Outcome } from '@parterre/shared/errors';
import type { EventAddress } from '@parterre/shared/placement';
import type { Tenant } from './tenants.ts';

export type Waiting = {
  readonly envelope: Envelope;
  readonly event: EventAddress;
  readonly partition: number;
  readonly bytes: number;
  /** In `Clock.elapsed`. */
  readonly deadlineAt: number;
  readonly tenant: Tenant;
  readonly resolve: (outcome: Outcome<never>) => void;
  /**
   * The sweep acts on `sent` and `pausing` only. A queued command waits for the end of the turn, a parked command for
   * the creation of its event.
   */
  state: 'queued' | 'sent' | 'pausing' | 'parked';
  /** When the sweep acts on the command. */
  actAt: number;
  resent: boolean;
  /** Copies that were sent, less those that certainly did nothing. Without copies out nothing was carried out. */
  copiesOut: number;
  /** The number of the message that carried the last copy, until the command is answered or queued again. */
  batch: number | null;
};

export function attemptOf({ attempt = 1 }: { attempt?: number }): number {
  return attempt;
}
