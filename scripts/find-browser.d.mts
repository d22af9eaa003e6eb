/** @throws when there is none, saying how to get one */
export function findBrowser(): string
