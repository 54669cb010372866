/** The answer to "why was this request refused?", in lines for a person. */
import type { RefusedRequest } from '../../shared/src/protocol/refused-requests.ts';

export type FoundRefusal = RefusedRequest & { process: string };

/** The answer of all sources. `since`: from when on each front door has every refusal (epoch ms), by process. */
export type FoundRefusals = {
  requestId: string;
  refusals: FoundRefusal[];
  since: Record<string, number>;
  /** The logs that were searched. */
  logs: string[];
};

export function report(found: FoundRefusals): string {
  if (found.refusals.length === 0) return nothing(found);
  const { requestId, refusals } = found;
  const head = refusals.length === 1 ? '' : `${refusals.length} refusals have the request id ${requestId}.\n\n`;
  return head + refusals.map(textOf).join('\n');
}

function textOf(refusal: FoundRefusal): string {
  const { at, ms, method, route, event, caller, organisation, status, code, reason, labels, message, budget } = refusal;
  const who = [caller ?? 'no credential', organisation && `of organisation ${organisation}`].filter(Boolean).join(' ');
  const lines: [string, string | undefined][] = [
    ['When', `${new Date(at).toISOString()}${ms === undefined ? '' : `, after ${ms} ms`}`],
    ['Who', who],
    ['What', `${method} ${route ?? 'an address without a route'}${event === undefined ? '' : `, event ${event}`}`],
    ['Answer', `${status} ${code}${reason === undefined ? '' : `, reason ${reason}`}`],
    ['Places', labels?.join(', ')],
    ['Budget', budget],
    ['Why', message || 'The log leaves the words out, since they may quote the request.'],
    ['What to do', adviceOf(refusal)],
    ['Front door', refusal.process + (refusal.callerLeft ? ', and the caller left before the answer' : '')],
  ];
  return lines.flatMap(([name, value]) => (value === undefined ? [] : [`${name.padEnd(12)}${value}\n`])).join('');
}

const adviceByCode: Record<string, string> = {
  rate_limited: 'Slow the caller down, or give its key a larger budget.',
  login_locked: 'Wait until the lock has ended. Somebody tried wrong passwords for this address.',
  overloaded: 'The server had more work than it takes in. Look at the load of front doors and shards.',
  shard_unavailable:
    'No owner of the partition answered in time. Run `npx parterre status`, and look for a hung shard.',
  catalog_unavailable: 'No catalog answered in time. Look at the catalogs and at their store.',
  journal_lost_records: 'Run `npx parterre journal verify`, and read docs/lost-records.md.',
  internal_error: 'This is a fault of the server. The log has it under this request id: report it.',
  unauthorized: 'Check the credential: it is missing, unknown, revoked or expired.',
};

function adviceOf({ code, status }: FoundRefusal): string {
  const more = 'docs/errors.md explains the code.';
  if (adviceByCode[code]) return `${adviceByCode[code]} ${more}`;
  if (status === 409) return `Nothing is wrong with the server: the caller reads the state again. ${more}`;
  return status < 500 ? `The caller changes the request. ${more}` : more;
}

function nothing({ requestId, since, logs }: FoundRefusals): string {
  const doors = Object.entries(since);
  const lines = [`No refusal of ${requestId} is known.\n`];
  for (const [process, at] of doors) {
    lines.push(`The front door ${process} remembers every refusal since ${new Date(at).toISOString()}.\n`);
  }
  if (doors.length === 0) lines.push('No front door answered.\n');
  lines.push(logs.length === 0 ? 'No log was found here to search.\n' : `Searched as well: ${logs.join(', ')}.\n`);
  lines.push('Of successes only a sample is logged. A front door that ended has left its refusals in its log alone.\n');
  return lines.join('');
}
