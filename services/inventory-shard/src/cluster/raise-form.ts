/**
 * Moves a deployment to a higher form of the journal (docs/internals/journal-and-fence.md), when a starting shard is
 * told so by JOURNAL_FORM. Before, the shard listens to the beats of the others for as long as a living member may be
 * silent. A member that cannot read the form keeps this shard from starting. A member that was not heard, since it was
 * stopped, is safe all the same: it cannot read the tail of a journal of the new form, so it writes no fence behind it.
 *
 * Shards write the new form from their next start on. Shards of an earlier version refuse to start under the new
 * layout.
 *
 * Failure at each await: the process ends, and is started again. Nothing was written before the last await.
 */
import type { NatsConnection } from '@nats-io/transport-node';
import type { Beat } from '@parterre/shared/protocol/beat';
import { subjects } from '@parterre/shared/protocol/subjects';
import { decode } from '@parterre/shared/protocol/wire';
import { type Clock, pause } from '@parterre/shared/runtime/clock';
import type { AskedLayout, ClusterLayout, JournalForm } from '@parterre/shared/runtime/cluster-layout';
import { SettingFault } from '@parterre/shared/runtime/environment';
import type { Logger } from '@parterre/shared/runtime/log';
import { hearing } from '@parterre/shared/runtime/nats';
import { raiseForm } from '@parterre/shared/runtime/standing-layout';
import { memberSilenceMs, membersMax } from './bounds.ts';

type Ports = { nats: NatsConnection; clock: Clock; log: Logger };

/**
 * The layout with the form that was asked for. Throws a `SettingFault` that names members which cannot read the form.
 */
export async function raiseFormIfAsked(
  { nats, clock, log }: Ports,
  standing: ClusterLayout,
  { form }: AskedLayout,
): Promise<ClusterLayout> {
  if (form === null || form <= standing.v) return standing;
  const unable = await membersBelow({ nats, clock }, form);
  if (unable.length > 0) {
    throw new SettingFault(
      `start with JOURNAL_FORM=${form}: the members ${unable.join(', ')} run a version that cannot read this form. Upgrade ` +
        'every shard, catalog and notifier first, then set it',
    );
  }
  const raised = await raiseForm(nats, form);
  log.warn({ form }, 'the journal goes on in a higher form, and earlier versions can no longer start');
  return raised;
}

/** The ids of the members whose beats come within `memberSilenceMs` and name no form, or a lower form. */
async function membersBelow({ nats, clock }: Omit<Ports, 'log'>, form: JournalForm): Promise<string[]> {
  const unable = new Set<string>();
  const beats = nats.subscribe(subjects.allMembers, {
    callback: hearing((message) => {
      if (unable.size >= membersMax) return;
      const beat = decode<Beat>(message.data);
      if ((beat.form ?? 1) < form) unable.add(beat.id);
    }),
  });
  await pause(clock, memberSilenceMs);
  beats.unsubscribe();
  return [...unable];
}
