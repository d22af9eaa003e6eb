const SECRET_BYTES = 32
/** Also takes the URL-safe alphabet and a missing end, because some programs write them. */
const BASE64_OF_SECRET = /^[A-Za-z0-9+/_-]{43}=?$/

/**
 * Reads one or more secrets of 32 bytes in base64, newest first, separated by commas.
 * @param name the setting or file they come from, for the error
 * @throws Error if one of them is not 32 bytes in base64
 */
export function readSecretKeys(written: string, name = 'SECRET_KEY'): Buffer[] {
  return written.split(',').map((part) => {
    const secret = Buffer.from(part.trim(), 'base64')
    // Buffer.from ignores invalid base64 characters, so check the length and the alphabet too
    if (secret.length !== SECRET_BYTES || !BASE64_OF_SECRET.test(part.trim()))
      throw new Error(
        `${name} must be 32 bytes in base64 (44 characters, ending in =). Create one: openssl rand -base64 32. ` +
          'Separate several with commas, newest first.',
      )
    return secret
  })
}
