export function startDemoStore(): Promise<{ url: string; stop: () => Promise<void> }>
export function logInToDemo(url: string, who: 'buyer' | 'admin'): Promise<string>
