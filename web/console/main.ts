/**
 * The console's page.
 * - address.ts: the addresses of views; view.ts: what a view is; views.ts: the list of them; console.ts: the view of
 *   the address, drawn.
 * - session/: the user. server/: calls. frame/: the bar, notices, questions and tables. messages/: the texts.
 * - elements/: parts of an event in pages of platforms, a bundle of its own.
 * - event/: one event, its live map, and the list of its tabs. Every other folder is a view or a tab.
 */
import { Console } from './console.ts';
import { adopt, dress } from './frame/adopt.ts';
import { looks } from './frame/looks.ts';
import { consoleWords } from './messages/words.ts';

dress(document);
adopt(looks);

const words = await consoleWords(navigator.languages);
document.documentElement.lang = words.locale;
document.documentElement.dir = words.direction;
new Console(document.querySelector<HTMLElement>('#console')!, words);
