/** Importing this defines `<parterre-designer>`. */
export {};
