export function functionFaults(root: string, files: string[]): string[];
