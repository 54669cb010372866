/** Looks of lists with their acts, secrets, and facts. A view that has them imports this file. */
import { adopt } from './adopt.ts';

adopt(`
.page code { overflow-wrap: anywhere; }
.secret { display: grid; gap: 8px; padding: 16px; border: 2px solid var(--warning-edge); border-radius: 12px; color: var(--warning-text); background: var(--warning-surface); }
.secret h2 { margin: 0; }
.secret code { font-size: 1.05rem; user-select: all; }
.secret button { color: var(--text); }
.secret button.primary { color: var(--on-accent); }
.acts { display: flex; flex-wrap: wrap; gap: 4px; }
.acts :is(button, a.button) { min-height: 30px; padding: 2px 8px; }
.ended { opacity: .75; }
.question fieldset { display: grid; gap: 4px; margin: 0; border: 1px solid var(--line); border-radius: 8px; max-height: 40vh; overflow: auto; }
.question fieldset label, .question label.tick { display: flex; align-items: center; gap: 8px; }
.question fieldset input, .question label.tick input { min-height: 24px; }
.question textarea, .page textarea { font: inherit; color: inherit; background: var(--surface); border: 1px solid var(--line); border-radius: 8px; padding: 8px; }
.page pre { margin: 0; padding: 8px; overflow-x: auto; max-height: 50vh; border: 1px solid var(--line); border-radius: 8px; background: var(--ground); }
.facts { display: grid; grid-template-columns: max-content minmax(0, 1fr); gap: 4px 16px; margin: 0; }
.facts dt { color: var(--muted); }
.facts dd { margin: 0; overflow-wrap: anywhere; }
@media (max-width: 480px) { .facts { grid-template-columns: 1fr; } }
.warned { padding: 8px 16px; border: 1px solid var(--warning-line); border-radius: 12px; color: var(--warning-text); background: var(--warning-surface); }
`);
