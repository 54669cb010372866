/** The looks of an element around its part. A host sets its height, and the colours as for the picker. */
export const elementLooks = `
:host { display: block; }
:host([hidden]) { display: none; }
.element { position: relative; padding: 12px; font: 15px/1.5 var(--font); color: var(--text); background: var(--ground); }
.element .notices { margin-inline: auto 0; max-width: min(440px, 100%); }
`;
