/** The group of a call. */
import { groupInScope } from '@parterre/shared/catalog/group-scope';
import type { GroupRecord } from '@parterre/shared/catalog/groups';
import type { Outcome } from '@parterre/shared/errors';
import { scopeOf } from '../../admission/admission.ts';
import { type Call, inTime } from '../calls/calls.ts';

/** The group that the path names. The caller's session is bound to it. */
export function groupOfPath(call: Pick<Call<'none'>, 'ports' | 'request'>): Promise<Outcome<GroupRecord>> {
  return inTime(call, Promise.resolve(call.ports.groups.get(call.request.params[0]!)));
}

/** The same for a server's key, whose scope has to have the group. */
export async function groupOfServer(
  call: Pick<Call<'server'>, 'ports' | 'request' | 'principal'>,
): Promise<Outcome<GroupRecord>> {
  const found = await groupOfPath(call);
  return found.ok ? groupInScope(found.value, scopeOf(call.principal)) : found;
}
