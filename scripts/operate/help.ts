/**
 * The help of the commands: one screen of all of them by purpose, and the usage of some. A command whose first word has
 * no purpose here is listed last, so that nothing is hidden.
 */
import type { Command } from './commands.ts';

/** By purpose: the first words of commands, each in a few words of its own. */
const purposes: readonly [purpose: string, entries: readonly [word: string, brief: string][]][] = [
  [
    'Try it',
    [
      ['try', 'a hold and a booking of the demo, to paste'],
      ['demo', 'address and keys of the demo that runs here'],
    ],
  ],
  [
    'Look',
    [
      ['status', 'members, partitions, lag, copies, disks, and what is in trouble'],
      ['event', 'one event, or the events of an organisation'],
      ['webhook', 'health of webhooks, and what waits for them'],
      ['version', 'of this command, of every member, of NATS'],
      ['why', 'why a request was refused'],
    ],
  ],
  [
    'Before an on-sale',
    [
      ['doctor', 'every check, and what to do about each finding'],
      ['rehearse', 'a bounded on-sale in test mode, and its report'],
    ],
  ],
  [
    'Tenants',
    [
      ['org', 'organisations'],
      ['user', 'people who sign in to the dashboard'],
      ['key', 'keys of shops and pages, and their budgets'],
      ['credits', 'what an organisation may sell'],
      ['audit', 'who has changed what'],
    ],
  ],
  [
    'Keep and repair',
    [
      ['backup', 'into a folder, while it sells'],
      ['restore', 'into an empty deployment'],
      ['drill', 'proves a backup by restoring it'],
      ['move', 'to another deployment'],
      ['copies', 'how many servers keep a stream or bucket'],
      ['journal', 'looks for lost records, and decides on them'],
      ['projections', 'how far the catalog has counted; a new count'],
    ],
  ],
];

const head = 'Usage: npx parterre <command> [--json]\n\n';
const tail = `
--json prints the answer as JSON. A secret is printed once, when it is made.

PARTERRE_URL names the front door, PARTERRE_ROOT_TOKEN opens it. Without them the commands use the deployment that
\`npm start\` or \`npm run cluster\` runs here. PARTERRE_DATA names its data folder, where that is another.
`;

/** All commands, a line for each first word. */
export function overview(commands: readonly Command[]): string {
  const words = [...new Set(commands.map(({ words }) => words.split(' ')[0]!))];
  const known = new Set(purposes.flatMap(([, entries]) => entries.map(([word]) => word)));
  const others = words.filter((word) => !known.has(word)).map((word): [string, string] => [word, '']);
  const sections = [...purposes, ['More', others] as const].flatMap(([purpose, entries]) => {
    const here = entries.filter(([word]) => words.includes(word));
    return here.length === 0 ? [] : [[purpose, here.map(([word, brief]) => lineOf(commands, word, brief))] as const];
  });
  const text = sections.map(([purpose, lines]) => `${purpose}:\n${lines.join('')}`).join('\n');
  return `${head}${text}\n\`parterre help <command>\` tells the arguments and options of a command.\n${tail}`;
}

const wordWidth = 12;

/** The second words follow what the command is about. */
function lineOf(commands: readonly Command[], word: string, brief: string): string {
  const actions = commands.flatMap(({ words }) => {
    const [first, second] = words.split(' ');
    return first === word && second !== undefined ? [second] : [];
  });
  const about = [brief, actions.join(', ')].filter(Boolean).join(': ');
  return `  ${word.padEnd(wordWidth)} ${about}\n`;
}

/** The arguments and options of some commands, and what they do. */
export function usage(some: readonly Command[]): string {
  const lines = some.map(({ words, takes, does }) => `  ${`parterre ${words} ${takes}`.trimEnd()}\n      ${does}\n`);
  return head + lines.join('') + tail;
}
