/** English of the frame around every view. */
import type { Messages } from '../translation.ts';

export const english = {
  'console.title': 'Parterre console',
  'console.loading': 'One moment…',
  'console.again': 'Try again',
  'console.view.unknown': 'There is no such page. The address may be cut off.',
  'session.title': 'Sign in',
  'session.email': 'Email',
  'session.password': 'Password',
  'session.enter': 'Sign in',
  'session.leave': 'Sign out',
  'session.ended': 'Your session has ended. Sign in again, and your work goes on.',
  'session.refused': 'Email and password do not belong together.',
  'session.locked': 'Too many failures. Sign in again in a quarter of an hour.',
  'session.silent': 'The server does not answer. Try again.',
  'frame.mode': 'Mode',
  'frame.mode.live': 'Live',
  'frame.mode.test': 'Test',
  'frame.workspace': 'Workspace',
  'frame.workspace.all': 'All workspaces',
  'frame.views': 'Pages',

  'frame.notices': 'What has happened',
  'frame.undo': 'Undo',
  'frame.undone': 'Undone.',
  'frame.close': 'Close',
  'frame.cancel': 'Cancel',

  'refused.unknown': 'The server did not answer. The change may have happened. Try again: it happens once at most.',
  'refused.forbidden': 'Your role may not do this. Ask an owner of your organisation.',
  'refused.not_found': 'This is not there any more. Somebody may have deleted it.',
  'refused.conflict': 'Somebody else was faster, and nothing was changed.',
  'refused.rate_limited': 'Too many calls in a short time. Wait a moment, then try again.',
  'refused.in_progress': 'The same act is on its way already. Wait a moment.',
  'refused.other': 'The server refused it ({code}).',
  'refused.places': 'Places: {places}.',
  'refused.more': { one: 'And {count} more.', other: 'And {count} more.' },

  'console.view.failed': 'This page could not be loaded.',

  'event.tabs': 'Parts of the event',

  'role.owner': 'owner',
  'role.admin': 'owner',
  'role.manager': 'manager',
  'role.box_office': 'box office',
  'role.marketing': 'marketing',
  'role.door': 'door',
  'role.viewer': 'viewer',
  'role.member': 'viewer',
} as const satisfies Messages;
