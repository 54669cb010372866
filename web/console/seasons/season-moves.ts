/** The moves that a season or a group may make in its present state, in words. Pure. */
import type { Words } from '../messages/words.ts';
import type { Group, Season } from './records.ts';
import type { Move } from './steps.ts';

const names = ['activate', 'open', 'pause', 'resume', 'end', 'close', 'archive'] as const;
type Name = (typeof names)[number];

const pathOf = (name: Name): string =>
  name === 'activate' || name === 'close' || name === 'archive' ? name : `sales/${name}`;

function mayMove({ structureState, salesState, plans = [] }: Season, name: Name): boolean {
  const isActive = structureState === 'active';
  switch (name) {
    case 'activate':
      return structureState === 'draft';
    case 'open':
      return isActive && salesState === 'closed' && plans.some((plan) => plan.publicationState === 'published');
    case 'pause':
      return isActive && salesState === 'open';
    case 'resume':
      return isActive && salesState === 'paused';
    case 'end':
      return isActive && (salesState === 'open' || salesState === 'paused');
    case 'close':
      return isActive;
    case 'archive':
      return structureState === 'closed';
  }
}

const opposite: Partial<Record<Name, Name>> = { pause: 'resume', resume: 'pause' };
const dangers: readonly Name[] = ['end', 'close', 'archive'];

export function seasonMoves(season: Season, { text }: Words): Move[] {
  const { name, revision, occurrenceCount } = season;
  return names
    .filter((move) => mayMove(season, move))
    .map((move) => ({
      title: text(`seasons.move.${move}.title`, { name }),
      told: text(`seasons.move.${move}.told`, { count: occurrenceCount }),
      confirm: text(`seasons.move.${move}`),
      done: text(`seasons.move.${move}.done`, { name }),
      path: pathOf(move),
      revision,
      isDanger: dangers.includes(move),
      ...(opposite[move] && {
        undo: {
          path: pathOf(opposite[move]),
          revisionOf: (answer: unknown) => (answer as { season: Season }).season.revision,
        },
      }),
    }));
}

export function groupMoves({ name, state, revision, performanceCount }: Group, { text }: Words): Move[] {
  const moves = [
    ...(state === 'draft' ? ['activate' as const] : []),
    ...(state === 'active' ? ['close' as const] : []),
  ];
  return moves.map((move) => ({
    title: text(`seasons.group.${move}.title`, { name }),
    told: text(`seasons.group.${move}.told`, { count: performanceCount }),
    confirm: text(`seasons.group.${move}`),
    done: text(`seasons.group.${move}.done`, { name }),
    path: move,
    revision,
    isDanger: move === 'close',
  }));
}
