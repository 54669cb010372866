/**
 * The durability of a journal on this NATS server: whether the journal may be kept there, and what a crash can lose.
 */
import { isAtLeast, knowsSyncInterval } from '@parterre/shared/nats-version';

export type Durability = { refused: string } | { warnings: string[] };

const ASKED_FOR = '2.12.12, 2.14.3 or newer';

/** `version` comes from the server, `replicas` from JOURNAL_REPLICAS. */
export function durabilityOf(version: string, replicas: number): Durability {
  if (replicas > 1 && !isAtLeast(version, '2.11.0')) {
    return {
      refused:
        `keep ${replicas} copies of the journal on NATS ${version}: ` +
        `clustered servers before 2.11 may accept appends of two owners ` +
        'that expect the same sequence, and a seat could be sold twice. Set ' +
        `JOURNAL_REPLICAS=1, or use NATS ${ASKED_FOR}`,
    };
  }
  const warnings = [];
  if (!knowsSyncInterval(version)) {
    warnings.push(
      `NATS ${version} syncs its files every two minutes: appends acknowledged after the last sync are lost ` +
        `when the machine loses power. Use it for development only. ` +
        `Production needs NATS ${ASKED_FOR} with sync_interval: always`,
    );
  } else if (!isAskedFor(version)) {
    warnings.push(
      `NATS ${version} may lose acknowledged appends when a server crashes. Production needs NATS ${ASKED_FOR}`,
    );
  }
  if (replicas === 1) warnings.push('the journal has one copy: a lost disk loses every event on it (JOURNAL_REPLICAS)');
  return { warnings };
}

/** The fix is in 2.12.12 and in 2.14.3. No version of the 2.13 line has it. */
function isAskedFor(version: string): boolean {
  return isAtLeast(version, '2.14.3') || (isAtLeast(version, '2.12.12') && !isAtLeast(version, '2.13.0'));
}
