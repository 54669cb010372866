/** What a journal on this NATS server is worth: whether it may be kept there at all, and what may be lost. */
import { isAtLeast, knowsSyncInterval } from '@parterre/shared/nats-version';

export type Durability = { refused: string } | { warnings: string[] };

const ASKED_FOR = '2.12.12, 2.14.3 or newer';

/** `version` as the server tells it, `replicas` as JOURNAL_REPLICAS asks. */
export function durabilityOf(version: string, replicas: number): Durability {
  if (replicas > 1 && !isAtLeast(version, '2.11.0')) {
    return {
      refused:
        `keep ${replicas} copies of the journal on NATS ${version}: clustered servers before 2.11 may accept appends of two owners ` +
        `that expect the same sequence, and a seat could be sold twice. Set JOURNAL_REPLICAS=1, or use NATS ${ASKED_FOR}`,
    };
  }
  const warnings = [];
  if (!knowsSyncInterval(version)) {
    warnings.push(
      `NATS ${version} syncs its files every two minutes and cannot do it sooner: what was acknowledged since is lost ` +
        `when the machine loses power. For development only; production asks for NATS ${ASKED_FOR}, with sync_interval: always`,
    );
  } else if (!isAskedFor(version)) {
    warnings.push(
      `NATS ${version} may lose what it acknowledged when a server crashes: production asks for NATS ${ASKED_FOR}`,
    );
  }
  if (replicas === 1) warnings.push('the journal has one copy: what its disk loses is lost (JOURNAL_REPLICAS)');
  return { warnings };
}

/** The 2.12 line was mended with 2.12.12 and the 2.14 line with 2.14.3; 2.13 lies between and is neither. */
function isAskedFor(version: string): boolean {
  return isAtLeast(version, '2.14.3') || (isAtLeast(version, '2.12.12') && !isAtLeast(version, '2.13.0'));
}
