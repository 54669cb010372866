export function commentFaults(root: string, files: string[], all: string[]): string[];
