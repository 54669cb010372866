export function roomFaults(root: string): string[];
