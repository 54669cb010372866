/** The looks of seasons and groups. */
export const looks = `
.pick { max-height: 40vh; margin: 0; overflow: auto; border: 1px solid var(--line); border-radius: 8px; }
h1 small { font-size: 16px; font-weight: 400; }
`;
