/** The table of the operator's commands: the arguments of each, and the call that it makes. */

import { budgets as usual } from '../../services/frontdoor/src/admission/rules/budget.ts';
import { randomText } from '../../shared/src/protocol/ids.ts';
import type { BackupCommand } from '../backup/main.ts';
import { type AdminApi, type Json, Refused } from './admin-api.ts';
import type { ProgramName } from './programs.ts';

/** Arguments and options by name. */
export type Given = Record<string, string> & {
  origin?: string[];
  budget?: string[];
  'password-stdin'?: boolean;
  'keep-sessions'?: boolean;
  cluster?: boolean;
  partitions?: string;
  'give-up'?: boolean;
  write?: boolean;
  copies?: boolean;
  wait?: boolean;
  log?: string[];
};

export type Option = { type: 'string'; multiple?: true } | { type: 'boolean' };

export type AdminCall = (api: AdminApi, given: Given) => Promise<Json>;

export type Command = {
  /** One or two words, as they are typed. */
  words: string;
  /** Arguments in order as `<name>`, then the options. */
  takes: string;
  does: string;
  options?: Record<string, Option>;
  required?: string[];
  /**
   * `demo` reads the data folder, and `try` calls the demo's event (try.ts), instead of the admin surface. `backup`,
   * `restore`, `drill` and `move` go to NATS and the store (scripts/backup), `journal` to NATS (scripts/journal), `why`
   * to the front doors and the logs (scripts/why), and a program by its name (programs.ts) to everything that runs.
   */
  run: AdminCall | 'demo' | 'try' | 'why' | 'journal' | BackupCommand | { program: ProgramName };
};

const text = { type: 'string' } as const;
const texts = { type: 'string', multiple: true } as const;
const passwordLength = 24;

const of = (organisation: string, rest = '') => `/organisations/${encodeURIComponent(organisation)}${rest}`;

const ofUser = (organisation: string, user: string, rest: string) =>
  of(organisation, `/users/${encodeURIComponent(user)}${rest}`);

const keptSessions = 'With --keep-sessions its sessions, links and webhooks stay, and are listed.';
const endOf = (given: Pick<Given, 'keep-sessions'>) => (given['keep-sessions'] ? '' : '?endSessions=1');

export const commands: readonly Command[] = [
  {
    words: 'try',
    takes: '',
    does: 'Holds two free seats of the demo, and prints a hold and a booking to paste.',
    run: 'try',
  },
  {
    words: 'demo',
    takes: '',
    does: 'The address, the root token and the keys of the demo that runs here.',
    run: 'demo',
  },
  {
    words: 'org list',
    takes: '',
    does: 'Every organisation with its balance of credits.',
    run: (api) => api.all('/organisations', 'organisations'),
  },
  {
    words: 'org create',
    takes: '<name> --currency EUR [--credits 100]',
    does: 'Makes an organisation with a default workspace.',
    options: { currency: text, credits: text },
    required: ['currency'],
    run: (api, { name, currency, credits }) =>
      api.call('POST', '/organisations', { name, currency, ...(credits && { credits: wholeNumber(credits) }) }),
  },
  {
    words: 'org show',
    takes: '<organisation>',
    does: 'One organisation with its balance of credits.',
    run: (api, { organisation }) => api.call('GET', of(organisation!)),
  },
  {
    words: 'user list',
    takes: '<organisation>',
    does: 'The users who may sign in to the dashboard.',
    run: (api, { organisation }) => api.all(of(organisation!, '/users'), 'users'),
  },
  {
    words: 'user create',
    takes: '<organisation> <email> --role owner|manager|box_office|marketing|door|viewer [--password-stdin]',
    does: 'Lets a person sign in. Makes a password and prints it, or takes it from one line of standard input.',
    options: { role: text, 'password-stdin': { type: 'boolean' } },
    required: ['role'],
    run: createUser,
  },
  {
    words: 'user delete',
    takes: '<organisation> <user> [--keep-sessions]',
    does: `Removes a user, and ends their dashboard sessions and what they gave to others. ${keptSessions}`,
    options: { 'keep-sessions': { type: 'boolean' } },
    run: (api, { organisation, user, ...given }) =>
      api.call('DELETE', of(organisation!, `/users/${encodeURIComponent(user!)}${endOf(given)}`)),
  },
  {
    words: 'user sessions',
    takes: '<organisation> <user>',
    does: 'The dashboard sessions of a user: since when, last seen, from where.',
    run: (api, { organisation, user }) => api.call('GET', ofUser(organisation!, user!, '/sessions')),
  },
  {
    words: 'user end-sessions',
    takes: '<organisation> <user> [--session dsh_…]',
    does: 'Ends all dashboard sessions of a user, or one.',
    options: { session: text },
    run: (api, { organisation, user, session }) =>
      api.call('DELETE', ofUser(organisation!, user!, `/sessions${session ? `/${encodeURIComponent(session)}` : ''}`)),
  },
  {
    words: 'user reset-password',
    takes: '<organisation> <user>',
    does: 'Prints a token with which the user sets a new password within 24 hours. A later token replaces it.',
    run: (api, { organisation, user }) => api.call('POST', ofUser(organisation!, user!, '/password-reset')),
  },
  {
    words: 'key list',
    takes: '<organisation>',
    does: 'The keys by id and first characters, revoked keys included.',
    run: (api, { organisation }) => api.all(of(organisation!, '/keys'), 'keys'),
  },
  {
    words: 'key create',
    takes:
      '<organisation> --kind secret|publishable --mode live|test [--environment staging] [--workspace ws_…] [--origin https://… ...] [--budget holds=6000 ...]',
    does:
      'Makes a key and prints it. A publishable key works from the named origins. Without --budget a secret key has ' +
      '600 holds a minute.',
    options: { kind: text, mode: text, environment: text, workspace: text, origin: texts, budget: texts },
    required: ['kind', 'mode'],
    run: (api, { organisation, kind, mode, environment, workspace, origin, budget }) =>
      api.call('POST', of(organisation!, '/keys'), {
        kind,
        mode,
        ...(environment && { environment }),
        ...(workspace && { workspaceId: workspace }),
        ...(origin && { origins: origin }),
        ...(budget && { budgets: budgetsOf(kind!, budget) }),
      }),
  },
  {
    words: 'key budgets',
    takes: '<organisation> <key> [--budget holds=6000 ...]',
    does:
      'Sets the requests a minute of a key: holds and seasons of a secret key, holds, reads and calls of a publishable ' +
      "key, each a number or off. They replace the key's budgets. Without --budget it has the deployment's.",
    options: { budget: texts },
    run: changeBudgets,
  },
  {
    words: 'key revoke',
    takes: '<organisation> <key> [--keep-sessions]',
    does: `Ends a key and what it gave to others: every front door refuses them within a second. ${keptSessions}`,
    options: { 'keep-sessions': { type: 'boolean' } },
    run: (api, { organisation, key, ...given }) =>
      api.call('DELETE', of(organisation!, `/keys/${encodeURIComponent(key!)}${endOf(given)}`)),
  },
  {
    words: 'credits add',
    takes: '<organisation> <credits> --reason "Invoice 117"',
    does: 'Adds credits, or takes them away (-50), and prints the balance.',
    options: { reason: text },
    required: ['reason'],
    run: (api, { organisation, credits, reason }) =>
      api.call('POST', of(organisation!, '/credits'), { delta: wholeNumber(credits!), reason }),
  },
  {
    words: 'key show',
    takes: '<organisation> <key>',
    does: 'One key with the budgets that it has now, its own or the usual ones, and its last use where that is known.',
    run: showKey,
  },
  {
    words: 'credits list',
    takes: '<organisation>',
    does: 'Every movement of credits with its reason, its caller and the balance after it, newest first.',
    run: (api, { organisation }) => api.all(of(organisation!, '/credits'), 'movements'),
  },
  {
    words: 'audit',
    takes: '[--organisation org_…] [--limit 100]',
    does: 'Who changed what, when and from where, newest first: of one organisation, or of the deployment.',
    options: { organisation: text, limit: text },
    run: (api, { organisation, limit = '100' }) =>
      api.some(organisation ? of(organisation, '/audit') : '/audit', 'entries', wholeNumber(limit)),
  },
  {
    words: 'status',
    takes: '',
    does:
      'The members with their versions, the owner and the state of each partition, how far the catalog and the webhooks ' +
      'are behind, copies, disks, and the events that are halted. The exit code is 1 if anything is in trouble.',
    run: { program: 'status' },
  },
  {
    words: 'version',
    takes: '',
    does: 'The version of this command, of every member and of NATS, and whether versions run side by side.',
    run: { program: 'status' },
  },
  {
    words: 'event',
    takes: '<event>',
    does: 'One event: its partition, owner, organisation, counts, place in the journal, and whether it is loaded or halted.',
    run: { program: 'status' },
  },
  {
    words: 'event list',
    takes: '<organisation>',
    does: 'The events of an organisation, newest first.',
    run: { program: 'status' },
  },
  {
    words: 'webhook list',
    takes: '[--organisation org_…]',
    does: 'The webhooks of all organisations, or of one: their state, the last answer, and what waits.',
    options: { organisation: text },
    run: { program: 'status' },
  },
  {
    words: 'webhook show',
    takes: '<webhook>',
    does: 'One webhook with its health, and the number, size and age of the deliveries that wait.',
    run: { program: 'status' },
  },
  {
    words: 'webhook resume',
    takes: '<webhook>',
    does: 'Ends the pause of a webhook. What happened meanwhile is delivered.',
    run: { program: 'status' },
  },
  {
    words: 'webhook recover',
    takes: '<webhook> --since 2h',
    does: 'Queues again what a webhook did not get since then: 30m, 2h or 1d ago, at most 30 days.',
    options: { since: text },
    required: ['since'],
    run: { program: 'status' },
  },
  {
    words: 'doctor',
    takes:
      '[--event gala ...] [--expect 5000/min] [--buyers 20000] [--url https://tickets.example] [--monitor http://nats-1:8222 ...] [--warm gala ...]',
    does:
      'Looks at a deployment before an on-sale, and says of each finding what to do. --event looks at an event, its ' +
      'credits, webhooks and keys; --expect (holds) and --buyers compare budgets and limits with the sale; --url is the ' +
      'public address, in front of the proxies; --monitor is the monitoring address of each NATS server; --warm opens ' +
      'events. The exit code is 1 if anything is bad, and 2 if nothing is and a check could not be made.',
    options: { event: texts, expect: text, buyers: text, url: text, monitor: texts, warm: texts },
    run: { program: 'doctor' },
  },
  {
    words: 'copies',
    takes: '<stream> <copies>',
    does: 'Sets how many servers keep a stream, a bucket (KV_CLUSTER) or an object store (OBJ_SNAPSHOTS) of NATS.',
    run: { program: 'status' },
  },
  {
    words: 'rehearse',
    takes: '<event> [--copy] [--buyers 50] [--seconds 20] [--url https://tickets.example]',
    does:
      'A bounded on-sale in test mode: simulated buyers open the map, watch, hold, book and release. A live event is ' +
      'refused; --copy makes a copy in test mode, and ends it. The report has the times of each step, the refusals, the ' +
      'processor time of each member, and the bottleneck. At the end nothing is held or booked.',
    options: { copy: { type: 'boolean' }, buyers: text, seconds: text, url: text },
    run: { program: 'rehearse' },
  },
  {
    words: 'why',
    takes: '<request> [--log frontdoor.log]',
    does:
      'Why a request was refused: asks every front door, and searches the logs of this machine and the files that --log ' +
      'names. The id is the X-Request-ID of the answer. Exit code: 0 found, 1 not.',
    options: { log: { type: 'string', multiple: true } },
    run: 'why',
  },
  {
    words: 'backup',
    takes: '<folder>',
    does: 'Backs everything up while it sells. The next backup into the folder appends the new messages of the journals.',
    run: 'backup',
  },
  {
    words: 'restore',
    takes: '<folder> [--cluster]',
    does: 'Fills an empty deployment with a backup: a data folder for `npm start`, with --cluster for `npm run cluster`.',
    options: { cluster: { type: 'boolean' } },
    run: 'restore',
  },
  {
    words: 'move',
    takes: '<folder> --partitions 16 [--cluster]',
    does:
      'Fills an empty deployment with the backup of a stopped one, under another number of partitions: a data folder for ' +
      '`npm start`, with --cluster for `npm run cluster`, or the deployment of NATS_URL. Every event is compared.',
    options: { partitions: text, cluster: { type: 'boolean' } },
    required: ['partitions'],
    run: 'move',
  },
  {
    words: 'drill',
    takes: '<folder>',
    does: 'Backs up, restores into a scratch deployment, and compares every map with the running one.',
    run: 'drill',
  },
  {
    words: 'journal verify',
    takes: '[--partition 3] [--copies]',
    does:
      'Compares the journal with the snapshots and the catalog, and lists the damage. The system may sell meanwhile. ' +
      'With --copies also the copies of each stream. Exit code: 0 whole, 1 damage, 2 it could not be told.',
    options: { partition: text, copies: { type: 'boolean' } },
    run: 'journal',
  },
  {
    words: 'journal accept',
    takes: '--event gala | --partition 3, --reason "The disk burned" [--give-up]',
    does:
      'Opens a halted event, or all halted events of a partition, without the records that the journal has lost. Seats ' +
      'of lost sales are free again. With --give-up also without later changes that cannot be read without lost ones.',
    options: { event: text, partition: text, reason: text, 'give-up': { type: 'boolean' } },
    required: ['reason'],
    run: 'journal',
  },
  {
    words: 'journal restore',
    takes: '--event gala | --partition 3 [--write --reason "The disk burned"] [--give-up]',
    does:
      'Shows which lost records of halted events the snapshots and the catalog still prove, and which seats somebody else ' +
      'has now. With --write it writes these records again, and opens the events.',
    options: {
      event: text,
      partition: text,
      reason: text,
      write: { type: 'boolean' },
      'give-up': { type: 'boolean' },
    },
    run: 'journal',
  },
  {
    words: 'projections show',
    takes: '',
    does: 'How far the catalog has counted the journal.',
    run: (api) => api.call('GET', '/projections'),
  },
  {
    words: 'projections rebuild',
    takes: '[--wait]',
    does:
      'The catalog counts bookings, sold seats and credits anew, from the beginning of the journal. With --wait the ' +
      'command tells how far it is until it has ended; Ctrl-C ends the command, and the rebuild goes on.',
    options: { wait: { type: 'boolean' } },
    run: rebuild,
  },
];

const rebuildLookMs = 1_000;

async function rebuild(api: AdminApi, { wait }: Given): Promise<Json> {
  let state = await api.call('POST', '/projections/rebuild');
  while (wait && state.building !== null) {
    const places = state.partitions.map(({ stream, rebuilt, counted }: Json) => `${stream} ${rebuilt ?? 0}/${counted}`);
    process.stderr.write(`Building ${state.building}: ${places.join(', ')}\n`);
    await new Promise((resolve) => void setTimeout(resolve, rebuildLookMs));
    state = await api.call('GET', '/projections');
  }
  return state;
}

/** The budgets of a key of each kind. The usual limits are those of the code, and not of PARTERRE_BUDGETS. */
const budgetsOfKind = {
  secret: ['serverHolds', 'seasons'],
  publishable: ['buyerHolds', 'buyerReads', 'buyerCalls'],
} as const;

async function findKey(api: AdminApi, organisation: string, key: string): Promise<Json> {
  const { keys } = await api.all(of(organisation, '/keys'), 'keys');
  const found = keys.find(({ id }: Json) => id === key);
  if (found) return found;
  throw new Refused('not_found: There is no such key. `parterre key list` has the ids.');
}

async function showKey(api: AdminApi, { organisation, key }: Given): Promise<Json> {
  const found = await findKey(api, organisation!, key!);
  const { budgets: own = {}, lastUsedAt, ...info } = found;
  const lines = budgetsOfKind[info.kind as keyof typeof budgetsOfKind].map((budget) => {
    const { limit, per } = usual[budget];
    const from = own[budget] === undefined ? 'usual' : 'its own';
    return { budget, aMinute: own[budget] === undefined ? limit : (own[budget] ?? 'no limit'), per, from };
  });
  return { ...info, lastUsedAt: lastUsedAt ?? 'not recorded', budgets: lines };
}

async function changeBudgets(api: AdminApi, { organisation, key, budget }: Given): Promise<Json> {
  const found = await findKey(api, organisation!, key!);
  const budgets = budget ? budgetsOf(found.kind, budget) : null;
  return api.call('PATCH', of(organisation!, `/keys/${encodeURIComponent(key!)}`), { budgets });
}

const budgetNames: Record<string, Record<string, string>> = {
  secret: { holds: 'serverHolds', seasons: 'seasons' },
  publishable: { holds: 'buyerHolds', reads: 'buyerReads', calls: 'buyerCalls' },
};

/** `holds=6000` as the API spells it for a key of this kind. */
function budgetsOf(kind: string, texts: readonly string[]): Record<string, number | null> {
  const names = budgetNames[kind] ?? {};
  return Object.fromEntries(
    texts.map((each) => {
      const [name = '', limit = ''] = each.split('=');
      if (names[name] === undefined || limit === '')
        throw new Refused(
          `"${each}" is no budget of a ${kind} key. Write ${Object.keys(names).join('=6000 or ')}=6000.`,
        );
      return [names[name], limit === 'off' ? null : wholeNumber(limit)];
    }),
  );
}

function wholeNumber(text: string): number {
  if (!/^[+-]?\d{1,15}$/.test(text)) throw new Refused(`"${text}" is not a whole number.`);
  return Number(text);
}

/** A password is never an argument: other users of the machine can read arguments, and shells keep them. */
async function createUser(api: AdminApi, { organisation, email, role, ...given }: Given): Promise<Json> {
  const chosen = given['password-stdin'] ? await lineOfInput() : null;
  const password = chosen ?? randomText(passwordLength);
  const made = await api.call('POST', of(organisation!, '/users'), { email, password, role });
  return chosen === null ? { ...made, password } : made;
}

async function lineOfInput(): Promise<string> {
  const chunks: Buffer[] = [];
  for await (const chunk of process.stdin) chunks.push(chunk);
  const [line] = Buffer.concat(chunks).toString('utf8').split(/\r?\n/);
  if (!line) throw new Refused('Standard input has no password.');
  return line;
}
