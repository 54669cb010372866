/** A view of the console: a page of its own state, made for one address. */
import type { nothing, TemplateResult } from 'lit-html';
import type { ViewAddress } from './address.ts';
import type { Notice } from './frame/notices.ts';
import type { Question } from './frame/question.ts';
import type { Words } from './messages/words.ts';
import type { Server } from './server/calls.ts';
import type { Doer } from './session/session.ts';

export type Ports = {
  words: Words;
  server: Server;
  who: Doer;
  /** The view has changed, and is drawn with the next frame. */
  changed(): void;
  /** Opens another address. With `replace` "back" leaves out the present one. */
  go(place: ViewAddress, how?: 'replace'): void;
  /** Tells what has happened, with its "undo". */
  tell(notice: Notice): void;
  /** Asks before an action. */
  ask<T>(question: Question<T>): void;
};

export type View = {
  title: string;
  draw(): TemplateResult | typeof nothing;
  /** The address has changed within this view. False if another view must be made for it. */
  moved(place: ViewAddress): boolean;
  close(): void;
};

export type OpenView = (place: ViewAddress, ports: Ports) => View;
