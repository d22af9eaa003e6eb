export function faultsIn(
  file: string,
  source: string,
): { file: string; line: number; text: string; found: string; use: string }[]
