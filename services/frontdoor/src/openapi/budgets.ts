/** The request budgets in the description, from the routes, and the reasons of routes without a budget. */

import { labelsUncountedMax, largeBodiesOfTenantMax, largeBodyBytesMin } from '@parterre/shared/protocol/limits';
import { KIB } from '@parterre/shared/runtime/units';
import { type Budget, credentialBudgets, type Row, budgets as table } from '../admission/admission.ts';

const counted: Record<Budget['per'], string> = {
  key: 'by secret key (a dashboard session has none)',
  token: 'by token',
  caller: 'by secret key, dashboard user or designer token',
  account: 'by organisation',
  'account and chart': 'by organisation and chart',
  address: "by the caller's address",
  'address and path': "by the caller's address and the first name in the path",
};

const rateLimit = '`Retry-After` and the `RateLimit-*` headers';
const answered: Record<Budget['refusal'], string> = {
  full: `has \`error\`, \`code\`, \`message\`, \`requestId\` and \`retryAfterSeconds\`, and ${rateLimit}`,
  'without code': `has \`error\` and \`retryAfterSeconds\`, but no \`code\`, and ${rateLimit}`,
  'Retry-After only': 'has all fields, and of the headers `Retry-After` alone',
  'error only': 'has `error` alone and none of the headers',
};

export function aboutBudgets(routes: readonly Row[]): string {
  const ofRoutes = [...new Set(routes.flatMap(({ budget }) => (budget ? [budget] : [])))];
  const lines = ofRoutes.map((budget) => {
    const over = signatures(routes.filter((route) => route.budget === budget));
    return `${aboutBudget(budget)}, over ${over}. Its 429 ${answered[budget.refusal]}.`;
  });
  const ofLabels = signatures(routes.filter(({ labelsIn }) => labelsIn !== null));
  lines.push(
    `${aboutBudget(table.labels, 'labels')}, over calls by the organisation that name more than ${labelsUncountedMax}: ${ofLabels}. Its 429 ${answered[table.labels.refusal]}.`,
  );
  const reasons = [...new Set(routes.flatMap(({ unbudgeted }) => unbudgeted ?? []))];
  const without = reasons.map((reason) => {
    const over = signatures(routes.filter(({ unbudgeted }) => unbudgeted === reason));
    return `- ${reason} ${over}.`;
  });
  return [
    `${heading}\n\n${lines.join('\n')}`,
    `These operations have no budget:\n\n${without.join('\n')}`,
    `${ofCredentials}\n\n${failed}\n${unknown}`,
    ofLargeBodies,
  ].join('\n\n');
}

/** The budget's name, number, window and count, without the routes. */
function aboutBudget({ name, limit, windowMs, per, local }: Budget, counts = 'requests'): string {
  const where = local ? ', by each front door by itself' : '';
  return `- **${name}**: ${limit.toLocaleString('en')} ${counts} in ${windowOf(windowMs)}, counted ${counted[per]}${where}`;
}

function signatures(routes: readonly Row[]): string {
  return routes.map(({ method, path }) => `\`${method} ${path}\``).join(', ');
}

const failed =
  `${aboutBudget(credentialBudgets.failed)}, whose credential was refused with 401, 403 or 404. Over the limit the ` +
  'answer is 429 instead. Requests with a valid credential go on.';
const unknown =
  `${aboutBudget(credentialBudgets.unknown)}, with a credential that had to be looked up and was unknown. Over the ` +
  'limit a credential that this front door has not seen lately is answered 429 without a lookup.';

const ofCredentials = `Requests of all operations with a refused credential are charged to the caller's address too.
Their 429 ${answered['Retry-After only']}.`;

const ofLargeBodies = `A body above ${largeBodyBytesMin / KIB} KiB counts in budgets of KiB, by each front door by itself:
${ofBytes(table.largeBodies)} for an organisation (under /pub: for an address), of which
${ofBytes(table.largeBodiesOfSession)} for one session or dashboard user. Their 429
${answered['Retry-After only']}. A session sends one large body at a time, an organisation
${largeBodiesOfTenantMax}; the others wait, then they are answered 503 \`overloaded\`.`;

function ofBytes({ name, limit, windowMs }: Budget): string {
  return `${limit.toLocaleString('en')} KiB in ${windowOf(windowMs)} (\`${name}\`)`;
}

const heading = `## Request budgets

A budget is counted in windows of fixed length: the first request opens a window, and the count begins anew at its
end. A request over the limit is answered 429 \`rate_limited\` and does nothing; wait for \`Retry-After\` (or
\`retryAfterSeconds\`) seconds and repeat it. Operations that share a budget are counted together. A deployment or a
key may have other limits, for load tests: the headers give the current limits. An address is the address of the
caller's connection, or the address that the deployment's trusted proxies report. All addresses of an IPv6 network of
64 bits count as one. Each operation names its budget in \`x-budget\`.`;

function windowOf(windowMs: number): string {
  const hours = windowMs / 3_600_000;
  return hours >= 1 ? `${hours} ${hours === 1 ? 'hour' : 'hours'}` : `${windowMs / 1000} seconds`;
}
