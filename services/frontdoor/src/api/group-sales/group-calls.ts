/** The group of a call. */
import type { GroupRecord } from '@parterre/shared/catalog/groups';
import type { Outcome } from '@parterre/shared/errors';
import { type Call, inTime } from '../calls/calls.ts';

/** The group that the path names. The caller's session is bound to it. */
export function groupOfPath(call: Pick<Call<'none'>, 'ports' | 'request'>): Promise<Outcome<GroupRecord>> {
  return inTime(call, Promise.resolve(call.ports.groups.get(call.request.params[0]!)));
}
