/**
 * The caller as a front door sees it behind its proxies: what `npx parterre doctor` asks through the public address.
 */
import { done } from '@parterre/shared/protocol/errors';
import { z } from 'zod';
import { unbudgeted } from '../admission/admission.ts';
import { originOf } from '../answers/answers.ts';
import { operatorRoute } from './calls/route.ts';

const getCallerAnswer = z.object({
  address: z.string().describe('The address that budgets count by.'),
  seen: z
    .enum(['connection', 'caller', 'proxy'])
    .describe(
      '`connection`: no proxy is trusted, so the address is that of the connection. `caller`: the first address that is ' +
        'no trusted proxy. `proxy`: a trusted proxy that has named no caller, so all callers behind it count as one.',
    ),
  publicUrl: z.string().describe('The scheme and host that answers with addresses of this server name.'),
});

const getCaller = operatorRoute(
  'GET /v1/admin/caller',
  {
    budget: unbudgeted.operator,
    answer: getCallerAnswer,
    description: {
      operationId: 'getCaller',
      tag: 'Operator',
      summary: 'The caller as this front door sees it',
      description:
        'Shows whether the proxies in front pass the headers on: asked through the public address, `address` is the ' +
        "operator's own and `publicUrl` the public address.",
      examples: [{ summary: 'From here' }],
    },
  },
  ({ ports, request }) => {
    const address = request.address();
    const seen = ports.isProxy === null ? 'connection' : ports.isProxy(address) ? 'proxy' : 'caller';
    return done({ address, seen, publicUrl: originOf(request) });
  },
);

export const callerRoutes = [getCaller];
