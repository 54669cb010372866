/**
 * What is done on one event, as its log tells it, for the consoles that watch it here: at most every TELL_MS, and only while there are any.
 *
 * States: nobody watches → told → due → telling → told. Due begins with a change after the last telling. What is asked of the log at the
 * await covers the version that the event had then; failure there tells nothing, and the next change asks again, from where the last
 * telling ended. A burst that the log tells in more than one page shows its latest entries alone: whoever wants all of them reads the
 * log.
 */
import type { Clock } from '@parterre/shared/clock';
import { activityEntriesMax, activityLabelsMax } from '@parterre/shared/limits';
import type { LogDetails, LogEntry } from '../logs/event-log.ts';

/** As those who may see channels read them, and as others do. */
export type LatestEntries = { whole: readonly LogEntry[]; channelless: readonly LogEntry[] };

export type ActivityPorts = {
  clock: Clock;
  /** The event's version just now, and the id that the first entry after it has at the least. */
  version(): number;
  firstIdAfter(version: number): number;
  isWatched(): boolean;
  /** The latest entries, newest first, once the log has this version. */
  latest(version: number, limit: number): Promise<LatestEntries>;
  tell(entries: LatestEntries): void;
  onFault(error: unknown): void;
};

const TELL_MS = 500;

export class EventActivity {
  private nextId: number | null = null;
  private isDue = false;
  private isTelling = false;
  private toldAt = Number.NEGATIVE_INFINITY;

  constructor(private readonly ports: ActivityPorts) {}

  /** A console came: it hears of what follows the version of now. */
  join(): void {
    this.nextId ??= this.ports.firstIdAfter(this.ports.version());
  }

  noteChange(): void {
    if (this.isDue || this.isTelling || this.nextId === null) return;
    this.isDue = true;
    const waitMs = TELL_MS - (this.ports.clock.elapsed() - this.toldAt);
    this.ports.clock.after(Math.max(0, waitMs), () => {
      this.isDue = false;
      this.tell().catch(this.ports.onFault);
    });
  }

  private async tell(): Promise<void> {
    if (!this.ports.isWatched()) {
      this.nextId = null;
      return;
    }
    this.toldAt = this.ports.clock.elapsed();
    this.isTelling = true;
    const version = this.ports.version();
    try {
      const since = this.nextId!;
      const { whole, channelless } = await this.ports.latest(version, activityEntriesMax);
      const isNew = ({ id }: LogEntry) => id >= since;
      const news = { whole: whole.filter(isNew).map(shortened), channelless: channelless.filter(isNew).map(shortened) };
      if (news.whole.length > 0) {
        this.nextId = news.whole[0]!.id + 1;
        this.ports.tell(news);
      }
    } finally {
      this.isTelling = false;
    }
    if (this.ports.version() !== version) this.noteChange();
  }
}

/** Long lists of labels are left to the log. */
export function shortened(entry: LogEntry): LogEntry {
  const { labels, passed, overridden, details } = entry;
  return {
    ...entry,
    labels: cut(labels),
    ...(passed && { passed: cut(passed) }),
    ...(overridden && { overridden: cut(overridden) }),
    ...(details && { details: shortenedDetails(details) }),
  };
}

function shortenedDetails(details: LogDetails): LogDetails {
  const { kept, unblocked, droppedAssignments } = details;
  let room = activityLabelsMax;
  const cutTogether = (labels: string[]) => {
    const some = labels.slice(0, room);
    room -= some.length;
    return some;
  };
  return {
    ...details,
    ...(kept && { kept: cut(kept) }),
    ...(unblocked && { unblocked: cut(unblocked) }),
    ...(droppedAssignments && {
      droppedAssignments: droppedAssignments.map((each) => ({ ...each, labels: cutTogether(each.labels) })),
    }),
  };
}

function cut(labels: string[]): string[] {
  return labels.slice(0, activityLabelsMax);
}
