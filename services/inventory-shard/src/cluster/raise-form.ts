/**
 * Moves a deployment to a higher form of the journal, when a starting shard is told so by JOURNAL_FORM. Every shard
 * names the highest form that it reads in its beats. The starting shard listens to the beats for as long as a living
 * member may be silent. A member that cannot read the form keeps this shard from starting. A member that was not heard,
 * since it was stopped, is safe all the same: it cannot read the tail of a journal of the new form, so it writes no
 * fence behind the tail. Catalogs and notifiers send no beats: the operator upgrades them first.
 *
 * Shards write the new form from their next start on. A program that cannot read the form refuses to start under the
 * new layout. There is one form so far (`journalForm`), so only a test raises the form.
 *
 * Failure at each await: the process ends, and is started again. Nothing was written before the last await.
 */
import type { NatsConnection } from '@nats-io/transport-node';
import type { Beat } from '@parterre/shared/protocol/beat';
import { subjects } from '@parterre/shared/protocol/subjects';
import { decode } from '@parterre/shared/protocol/wire';
import { type Clock, pause } from '@parterre/shared/runtime/clock';
import type { AskedLayout, ClusterLayout } from '@parterre/shared/runtime/cluster-layout';
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
  if (form === null || form <= standing.form) return standing;
  const unable = await membersBelow({ nats, clock }, form);
  if (unable.length > 0) {
    throw new SettingFault(
      `start with JOURNAL_FORM=${form}: the members ${unable.join(', ')} run a version that cannot read this form. Upgrade ` +
        'every shard, catalog and notifier first, then set it',
    );
  }
  const raised = await raiseForm(nats, form);
  log.warn({ form }, 'the journal goes on in a higher form, and programs that cannot read it can no longer start');
  return raised;
}

/** The ids of the members whose beats come within `memberSilenceMs` and name a lower form. */
async function membersBelow({ nats, clock }: Omit<Ports, 'log'>, form: number): Promise<string[]> {
  const unable = new Set<string>();
  const beats = nats.subscribe(subjects.allMembers, {
    callback: hearing((message) => {
      if (unable.size >= membersMax) return;
      const beat = decode<Beat>(message.data);
      if (beat.form < form) unable.add(beat.id);
    }),
  });
  await pause(clock, memberSilenceMs);
  beats.unsubscribe();
  return [...unable];
}
