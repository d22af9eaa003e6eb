/** @returns the path of the program, with its migrations beside it */
export function bundleServer(
  directory: string,
  options?: { sourcemap?: boolean; logLevel?: 'warn' | 'error' },
): Promise<string>
