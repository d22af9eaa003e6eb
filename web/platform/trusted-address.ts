interface TrustedTypes {
  createPolicy(name: string, rules: { createScriptURL: () => string }): { createScriptURL(text: string): string }
}

const policies = new Map<string, ReturnType<TrustedTypes['createPolicy']>>()

/** The panel's header lets scripts load only through named policies (Trusted Types). Each allows one address. */
export function trusted(name: 'service-worker' | 'pdf-worker' | 'file-reader' | 'key-reader', address: string): string {
  const { trustedTypes } = globalThis as { trustedTypes?: TrustedTypes }
  if (!trustedTypes) return address
  const policy = policies.get(name) ?? trustedTypes.createPolicy(name, { createScriptURL: () => address })
  policies.set(name, policy)
  return policy.createScriptURL('')
}
