export function roomFaults(root: string, unfinished?: { circles: string[]; openings: string[] }): string[];
