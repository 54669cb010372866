/**
 * The rules of `npx parterre doctor`: facts → findings. Pure. Each finding has a severity and one sentence that says
 * what to do. A fact that nobody could tell gives an `unknown` finding: it does not count as good.
 */
import { budgets as usualBudgets } from '../../../services/frontdoor/src/admission/rules/budget.ts';
import type { Facts } from '../../status/gather.ts';
import { copiesOfJournals, copyTroubles } from '../../status/rules/copies.ts';
import { natsVersions, versionsOf } from '../../status/rules/status-report.ts';
import type { Trouble } from '../../status/rules/trouble.ts';

export type Severity = 'bad' | 'warning' | 'unknown' | 'good';

export type Finding = { severity: Severity; check: string; finding: string; todo: string };

/** `expiresAt`: epoch ms; null where `problem` says why there is none. */
export type CertificateFact = { of: string; expiresAt: number | null; problem: string | null };

/** A server's setting, as its monitoring or its file tells. Null: nobody tells. */
export type SyncFact = { server: string; sync: string } | null;

/** What came back from the public address. Null: that question got no answer. */
export type ProbeFact = {
  url: string;
  /** Whether the address is that of a front door itself, as far as this machine knows. */
  isDirect: boolean;
  problem: string | null;
  ready: { status: number; checks: Record<string, string>; haltedEvents: number } | null;
  /** `isForged`: the front door took the address that a caller has written into X-Forwarded-For. */
  caller: { address: string; seen: string; isForged: boolean; publicUrl: string; keepsRequestId: boolean } | null;
  /** `passes`: an upgrade reaches the sockets of a front door. */
  upgrade: 'passes' | 'stripped' | null;
  /** The status with which a body of `bytes` is turned away by something that is not Parterre; null: it is let in. */
  largeBody: { bytes: number; refusedWith: number | null } | null;
};

export type EventFact = {
  key: string;
  organisation: string;
  mode: string;
  status: string;
  salesPaused: boolean;
  /** Null: nobody tells. */
  isLoaded: boolean | null;
  /** Undefined: not looked at, since looking loads the event. Null: not set. */
  salesStartAt?: number | null;
  salesEndAt?: number | null;
  left: number;
  credits: number | null;
};

/** `holds`: the key's own limit a minute, null for none. [the deployment's] */
export type KeyFact = { id: string; organisation: string; kind: string; mode: string; holds?: number | null };

export type WebhookFact = {
  id: string;
  organisation: string;
  paused: string | null;
  lastStatus: number | null;
  /** Null: no notifier tells. */
  waiting: { count: number; oldestAt: number | null } | null;
};

export type DoctorFacts = {
  deployed: Facts;
  /** Of the command. */
  version: string;
  trouble: readonly Trouble[];
  /** By version of NATS: why the journal is not safe there; empty where it is. */
  durability: { version: string; problems: string[]; isRefused: boolean }[];
  payloadRoomy: number;
  payloadMin: number;
  syncs: SyncFact[];
  certificates: CertificateFact[];
  probe: ProbeFact | null;
  /** Holds a minute and buyers that are expected; null: not given. */
  expected: { holdsAMinute: number | null; buyers: number | null };
  events: EventFact[];
  /** Live events of all organisations, where no event is named. Null: not counted. */
  cold: { events: number; cold: string[] } | null;
  keys: KeyFact[];
  webhooks: WebhookFact[];
};

const dayMs = 86_400_000;
const certificateDaysBad = 7;
const certificateDaysSoon = 30;
const clockMsBad = 2_000;
const clockMsWide = 500;
const diskBad = 0.9;
const diskWarning = 0.8;
const filesLeast = 4_096;
/** Sockets of viewers, their calls, and room. */
const filesABuyer = 2;
const waitingMsMax = 60_000;

export function findings(facts: DoctorFacts): Finding[] {
  return [
    ...state(facts),
    ...versions(facts),
    ...natsServer(facts),
    ...copies(facts),
    ...clocks(facts),
    ...certificates(facts),
    ...disks(facts),
    ...files(facts),
    ...proxies(facts),
    ...budgets(facts),
    ...events(facts),
    ...webhooks(facts),
  ];
}

/** 1: something is bad. 2: nothing is, and a check could not be made. */
export function exitCode(found: readonly Finding[]): 0 | 1 | 2 {
  if (found.some(({ severity }) => severity === 'bad')) return 1;
  return found.some(({ severity }) => severity === 'unknown') ? 2 : 0;
}

const bad = (check: string, finding: string, todo: string): Finding => ({ severity: 'bad', check, finding, todo });
const warning = (check: string, finding: string, todo: string): Finding => ({
  severity: 'warning',
  check,
  finding,
  todo,
});
const unknown = (check: string, finding: string, todo: string): Finding => ({
  severity: 'unknown',
  check,
  finding,
  todo,
});
const good = (check: string, finding: string): Finding => ({ severity: 'good', check, finding, todo: '-' });

/** The trouble of the status. The check of the copies has those of the copies. */
function state({ trouble: all, deployed }: DoctorFacts): Finding[] {
  const ofCopies = new Set(copyTroubles(deployed).map(({ trouble }) => trouble));
  const others = all.filter(({ trouble }) => !ofCopies.has(trouble));
  return others.map(({ trouble, todo }) => bad('state', trouble, todo));
}

function versions({ deployed, version }: DoctorFacts): Finding[] {
  const all = versionsOf(deployed.members);
  if (all.length === 0) return [unknown('versions', 'No member tells its version.', 'Update every service.')];
  if (all.length > 1)
    return [
      warning('versions', `Members run ${all.join(' and ')} side by side.`, 'Finish the roll before the on-sale.'),
    ];
  if (all[0] !== version) {
    const todo = `Use the command of version ${all[0]}, which knows these members.`;
    return [warning('versions', `The members run ${all[0]}, this command is ${version}.`, todo)];
  }
  return [good('versions', `Every member runs ${version}.`)];
}

function natsServer(facts: DoctorFacts): Finding[] {
  const found: Finding[] = [];
  const { server } = facts.deployed;
  for (const { version, problems, isRefused } of facts.durability) {
    const todo = 'Update the NATS servers, one after the other, to 2.12.12, 2.14.3 or newer.';
    for (const problem of problems) found.push((isRefused ? bad : warning)('NATS version', problem, todo));
    if (problems.length === 0) found.push(good('NATS version', `NATS ${version} keeps acknowledged appends.`));
  }
  if (natsVersions(facts.deployed).length > 1)
    found.push(warning('NATS version', 'NATS servers of several versions run.', 'Finish the update of NATS.'));
  found.push(...facts.syncs.map(syncFinding));
  if (server.maxPayload < facts.payloadMin) {
    const todo = `Set max_payload to ${facts.payloadRoomy} on every server.`;
    found.push(
      bad('max payload', `NATS takes messages of ${server.maxPayload} bytes, and the services do not start.`, todo),
    );
  } else if (server.maxPayload < facts.payloadRoomy) {
    const todo = `Set max_payload to ${facts.payloadRoomy} on every server, for the largest chart documents.`;
    found.push(warning('max payload', `NATS takes messages of ${server.maxPayload} bytes.`, todo));
  } else found.push(good('max payload', `NATS takes messages of ${server.maxPayload} bytes.`));
  return found;
}

function syncFinding(fact: SyncFact): Finding {
  if (fact === null) {
    const todo = 'Give --monitor http://<server>:8222 for each NATS server, or look for `sync_interval: always`.';
    return unknown('NATS sync', 'Nobody tells how often NATS writes to the disk.', todo);
  }
  const { server, sync } = fact;
  if (sync === 'always') return good('NATS sync', `${server} writes each append to the disk before it answers.`);
  const todo = 'Set `sync_interval: always` in the jetstream section of its configuration, and reload it.';
  return bad('NATS sync', `${server} syncs every ${sync}: a power cut loses acknowledged sales.`, todo);
}

function copies({ deployed }: DoctorFacts): Finding[] {
  const { streams } = deployed;
  const found = copyTroubles(deployed).map(({ trouble, todo }) => bad('copies', trouble, todo));
  const memory = streams.filter(({ isOnDisk }) => !isOnDisk);
  found.push(
    ...memory.map(({ name }) => bad('copies', `${name} is kept in memory alone.`, 'Restore it into a stream on disk.')),
  );
  const wanted = copiesOfJournals(streams);
  if (wanted === 1) {
    const todo = 'Run three NATS servers with JOURNAL_REPLICAS=3, or back up often (`npx parterre backup`).';
    found.push(warning('copies', 'Everything is kept once: a lost disk loses every event.', todo));
  } else if (found.length === 0) {
    found.push(good('copies', `All ${streams.length} streams and buckets have ${wanted} copies.`));
  }
  return found;
}

function clocks({ deployed }: DoctorFacts): Finding[] {
  const { members, natsAheadMs } = deployed;
  if (natsAheadMs === null) return [unknown('clocks', 'NATS does not tell its time.', 'Update NATS to 2.10 or newer.')];
  const found = members.flatMap(({ service, host, pid, aheadMs, roundTripMs }) => {
    const apartMs = Math.max(0, Math.abs(aheadMs - natsAheadMs) - roundTripMs / 2);
    if (apartMs < clockMsWide) return [];
    const words = `The clock of ${service} ${host}/${pid} and that of NATS are ${(apartMs / 1000).toFixed(1)} s apart.`;
    const todo = 'Run chrony or another time service on both machines.';
    return [(apartMs >= clockMsBad ? bad : warning)('clocks', words, todo)];
  });
  return found.length > 0 || members.length === 0 ? found : [good('clocks', 'All clocks agree with that of NATS.')];
}

function certificates({ certificates: all, deployed }: DoctorFacts): Finding[] {
  return all.map(({ of, expiresAt, problem }) => {
    if (expiresAt === null) return unknown('certificates', `${of}: ${problem}.`, `Look at the certificate of ${of}.`);
    const days = Math.floor((expiresAt - deployed.at) / dayMs);
    const until = new Date(expiresAt).toISOString().slice(0, 10);
    const words = `The certificate of ${of} ends on ${until}, ${days < 0 ? 'in the past' : `in ${days} days`}.`;
    const todo = 'Renew it, and reload the server.';
    if (problem !== null) return bad('certificates', `${of}: ${problem}.`, 'Give the server a certificate that fits.');
    if (days < certificateDaysBad) return bad('certificates', words, todo);
    return days < certificateDaysSoon ? warning('certificates', words, todo) : good('certificates', words);
  });
}

function disks({ deployed }: DoctorFacts): Finding[] {
  const measured = deployed.members.filter(({ disk }) => disk !== undefined);
  const found = measured.flatMap(({ service, host, disk }) => {
    const used = disk!.usedShare;
    // Above nine tenths it is among the trouble.
    if (used <= diskWarning || used > diskBad) return [];
    const words = `The disk of ${service} on ${host} is ${Math.round(used * 100)} % full.`;
    return [warning('disk', words, 'Make room before the on-sale: docs/capacity.md has the bytes of a sale.')];
  });
  const { account } = deployed;
  if (measured.length === 0 && (account === null || account.bytesMax <= 0)) {
    const todo = 'Look at the disks of the NATS servers, and set max_file_store there.';
    return [unknown('disk', 'No member measures the disk of NATS, and its account has no limit.', todo)];
  }
  if (found.length > 0) return found;
  return [good('disk', 'Every disk that is measured has room.')];
}

function files({ deployed, expected }: DoctorFacts): Finding[] {
  const doors = deployed.members.filter(({ service }) => service === 'frontdoor').length;
  const each = expected.buyers === null || doors === 0 ? 0 : Math.ceil((expected.buyers * filesABuyer) / doors);
  const found = deployed.members.flatMap(({ service, host, pid, filesMax }) => {
    const needed = service === 'frontdoor' ? Math.max(filesLeast, each) : filesLeast;
    const name = `${service} ${host}/${pid}`;
    const todo = `Set LimitNOFILE (systemd) or ulimits.nofile (Compose) to ${Math.max(65_536, needed)}.`;
    if (filesMax === undefined) return [unknown('open files', `${name} does not tell its limit of open files.`, todo)];
    return filesMax >= needed
      ? []
      : [bad('open files', `${name} may open ${filesMax} files, and needs ${needed}.`, todo)];
  });
  if (found.length > 0 || deployed.members.length === 0) return found;
  return [good('open files', 'Every process may open enough files and connections.')];
}

function proxies({ probe, deployed }: DoctorFacts): Finding[] {
  if (probe === null) {
    const todo = 'Give --url with the address that buyers use.';
    return [unknown('public address', 'The public address was not looked at.', todo)];
  }
  const { url, problem, ready, caller, upgrade, largeBody } = probe;
  if (ready === null)
    return [
      bad('public address', `${url} does not answer: ${problem}.`, 'Look at the name, the proxy and its backends.'),
    ];
  const found =
    ready.status === 200 ? [] : [bad('public address', `${url} says it is not ready.`, 'See `npx parterre status`.')];
  found.push(...callerFindings(probe, deployed));
  const todo = 'Pass the Upgrade and Connection headers on, as deploy/nginx.conf and deploy/haproxy.cfg do.';
  if (upgrade === 'stripped') found.push(bad('WebSockets', `${url} lets no WebSocket through.`, todo));
  if (upgrade === null) found.push(unknown('WebSockets', `${url} did not answer a WebSocket's request.`, todo));
  if (largeBody === null)
    found.push(unknown('body limit', `${url} did not answer to a large body.`, 'Look at the limits of the proxy.'));
  else if (largeBody.refusedWith !== null) {
    const words = `The proxy refuses bodies of ${largeBody.bytes} bytes with ${largeBody.refusedWith}.`;
    found.push(
      warning('body limit', words, 'Raise its limit (nginx: client_max_body_size 17m), for charts and imports.'),
    );
  }
  if (found.length > 0 || caller === null) return found;
  return [good('public address', `${url} answers, lets WebSockets through, and passes headers on.`)];
}

function callerFindings({ url, isDirect, caller }: ProbeFact, deployed: Facts): Finding[] {
  if (caller === null)
    return [
      unknown(
        'proxy headers',
        `${url} does not tell how it sees a caller.`,
        'Set PARTERRE_ROOT_TOKEN, and update the front doors.',
      ),
    ];
  const found: Finding[] = [];
  const doors = deployed.members.filter(({ service }) => service === 'frontdoor');
  const trust = 'Set PARTERRE_TRUSTED_PROXIES to the networks of the proxies on every front door.';
  if (!isDirect && (caller.seen === 'connection' || doors.some(({ trustsProxies }) => trustsProxies === false)))
    found.push(bad('proxy headers', 'No proxy is trusted: all buyers behind one share 120 holds a minute.', trust));
  const send = 'Let the proxy set X-Forwarded-For to the address of its caller.';
  if (caller.seen === 'proxy')
    found.push(bad('proxy headers', 'The proxy names no caller: all buyers behind it count as one.', send));
  if (caller.isForged && !isDirect)
    found.push(bad('proxy headers', 'The proxy passes on an X-Forwarded-For that a buyer has invented.', send));
  if (url.startsWith('https:') && !caller.publicUrl.startsWith('https:')) {
    const todo = 'Let the proxy set X-Forwarded-Proto: https, since answers contain addresses.';
    found.push(warning('proxy headers', `Front doors take their address for ${caller.publicUrl}.`, todo));
  }
  if (!caller.keepsRequestId)
    found.push(
      warning('proxy headers', 'The proxy drops X-Request-Id.', 'Pass it on, so that calls can be found in logs.'),
    );
  return found;
}

/** Of the keys that sell the named events: a test key sells test events alone. Without names: of the live keys. */
function budgets({ expected, keys, deployed, events: named }: DoctorFacts): Finding[] {
  const { holdsAMinute } = expected;
  if (holdsAMinute === null) return [];
  const ofDeployment = deployed.members.flatMap(({ budgets: own }) => (own === undefined ? [] : [own]));
  if (ofDeployment.length > 0 && ofDeployment.every((own) => own === 'off'))
    return [warning('budgets', 'No request budget is counted.', 'Unset PARTERRE_BUDGETS=off: it is for load tests.')];
  const modes = named.length === 0 ? ['live'] : [...new Set(named.map(({ mode }) => mode))];
  const shops = keys.filter(({ kind, mode }) => kind === 'secret' && modes.includes(mode));
  const missing = modes.filter((mode) => !shops.some((key) => key.mode === mode));
  const todo = 'Make the key of the shop: `npx parterre key create`.';
  const without = missing.map((mode) => warning('budgets', `No secret key for ${mode} events was found.`, todo));
  const found = shops.map(({ id, organisation, holds }) => {
    const usual = Math.min(...ofDeployment.map((own) => usualHolds(own)), Number.POSITIVE_INFINITY);
    const limit = holds === undefined ? usual : holds;
    const name = `The key ${id}`;
    if (limit === null || limit >= holdsAMinute)
      return good('budgets', `${name} has ${limit === null ? 'no limit' : `${limit} holds a minute`}.`);
    const todo = `Run \`npx parterre key budgets ${organisation} ${id} --budget holds=${Math.ceil(holdsAMinute * 1.2)}\`.`;
    return bad('budgets', `${name} has ${limit} holds a minute, and ${holdsAMinute} are expected.`, todo);
  });
  return [...without, ...found];
}

function usualHolds(own: Record<string, number | null> | 'off'): number {
  const limit = own === 'off' ? null : own['server-holds'];
  return limit === undefined ? usualBudgets.serverHolds.limit : (limit ?? Number.POSITIVE_INFINITY);
}

function events({ events: named, cold, deployed }: DoctorFacts): Finding[] {
  const found = named.flatMap((event) => eventFindings(event, deployed.at));
  if (cold === null) return found;
  if (cold.cold.length === 0)
    return [...found, good('cold events', `All ${cold.events} live events on sale are loaded.`)];
  const some = cold.cold.slice(0, 5).join(' ');
  const words = `${cold.cold.length} of ${cold.events} live events on sale are not loaded: ${some} …`;
  const todo = `Open those of the on-sale before it: \`npx parterre doctor --warm ${cold.cold[0]}\`.`;
  return [...found, warning('cold events', words, todo)];
}

function eventFindings(event: EventFact, now: number): Finding[] {
  const { key, isLoaded, status, salesPaused, mode, credits, left, organisation } = event;
  const found: Finding[] = [];
  const warm = `Run \`npx parterre doctor --warm ${key}\`: the first buyers wait for the load otherwise.`;
  if (isLoaded === null) found.push(unknown('cold events', `Nobody tells whether ${key} is loaded.`, warm));
  else
    found.push(isLoaded ? good('cold events', `${key} is loaded.`) : bad('cold events', `${key} is not loaded.`, warm));
  if (status !== 'active') found.push(bad('event', `${key} is ${status}.`, 'Open it: only an active event sells.'));
  if (salesPaused)
    found.push(bad('event', `The sales of ${key} are paused.`, 'Resume them at the time of the on-sale.'));
  found.push(...startFindings(event, now));
  if (mode === 'test')
    found.push(warning('event', `${key} is in test mode.`, 'Sell a live event: make it with a live key.'));
  if (credits !== null && mode === 'live' && credits < left) {
    const words = `${organisation} has ${credits} credits, and ${key} has ${left} places left.`;
    found.push(
      warning(
        'credits',
        words,
        `Run \`npx parterre credits add ${organisation} ${left - Math.min(credits, left)} --reason "…"\`.`,
      ),
    );
  }
  return found;
}

function startFindings({ key, salesStartAt, salesEndAt }: EventFact, now: number): Finding[] {
  if (salesStartAt === undefined) {
    const todo = `Give --warm ${key}: looking at it loads the event.`;
    return [unknown('sale times', `The begin of the sale of ${key} was not looked at.`, todo)];
  }
  const set = `Set salesStartAt of ${key} (PATCH /v1/events/${key}), or buyers hold before ten o'clock.`;
  if (typeof salesEndAt === 'number' && salesEndAt <= now)
    return [bad('sale times', `The sale of ${key} has ended.`, `Set a later salesEndAt of ${key}.`)];
  if (salesStartAt === null) return [warning('sale times', `${key} has no begin of its sale: it is open now.`, set)];
  const at = new Date(salesStartAt).toISOString();
  if (salesStartAt <= now) return [warning('sale times', `The sale of ${key} has begun at ${at}.`, set)];
  return [good('sale times', `The sale of ${key} begins at ${at}.`)];
}

function webhooks({ webhooks: all, deployed }: DoctorFacts): Finding[] {
  const found = all.flatMap(({ id, paused, lastStatus, waiting }) => {
    const resume = `Mend the receiver, then run \`npx parterre webhook resume ${id}\`.`;
    if (paused !== null)
      return [(paused === 'operator' ? warning : bad)('webhooks', `${id} is paused: ${paused}.`, resume)];
    const look = `Look at the receiver: \`npx parterre webhook show ${id}\`.`;
    if (waiting === null) return [unknown('webhooks', `No notifier tells what waits for ${id}.`, look)];
    const oldest = waiting.oldestAt ?? deployed.at;
    if (deployed.at - oldest > waitingMsMax)
      return [
        bad(
          'webhooks',
          `${waiting.count} deliveries wait for ${id}, the oldest since ${new Date(oldest).toISOString()}.`,
          look,
        ),
      ];
    if (lastStatus !== null && (lastStatus < 200 || lastStatus > 299))
      return [warning('webhooks', `The last answer of ${id} was ${lastStatus}.`, look)];
    return [];
  });
  if (found.length > 0 || all.length === 0) return found;
  return [good('webhooks', `All ${all.length} webhooks arrive.`)];
}
