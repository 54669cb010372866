/** The request budgets in the description, from the routes that have budgets. */

import type { Budget, Row } from '../admission/admission.ts';

const counted: Record<Budget['per'], string> = {
  key: 'by secret key (a dashboard session has none)',
  token: 'by token',
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
  const budgets = [...new Set(routes.flatMap(({ budget }) => (budget ? [budget] : [])))];
  const lines = budgets.map((budget) => {
    const { name, limit, windowMs, per, refusal, local } = budget;
    const over = routes.filter((route) => route.budget === budget).map(({ method, path }) => `\`${method} ${path}\``);
    const where = local ? ', by each front door by itself' : '';
    return (
      `- **${name}**: ${limit.toLocaleString('en')} requests in ${windowOf(windowMs)}, counted ` +
      `${counted[per]}${where}, ` +
      `over ${over.join(', ')}. Its 429 ${answered[refusal]}.`
    );
  });
  return `${heading}\n\n${lines.join('\n')}`;
}

const heading = `## Request budgets

A budget is counted in windows of fixed length: the first request opens a window, and the count begins anew at its
end. A request over the limit is answered 429 \`rate_limited\` and does nothing; wait for \`Retry-After\` (or
\`retryAfterSeconds\`) seconds and repeat it. Operations that share a budget are counted together; operations without
a budget are not counted. A deployment or a key may have other limits, for load tests: the headers give the current
limits. An address is the address of the buyer's connection, or the address that the deployment's trusted proxies
report.`;

function windowOf(windowMs: number): string {
  const hours = windowMs / 3_600_000;
  return hours >= 1 ? `${hours} hours` : `${windowMs / 1000} seconds`;
}
