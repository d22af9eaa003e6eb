import { locale } from './i18n.ts'

/** Makes a format once for each language, because the server draws in all of them. */
export function perLocale<Format>(make: (locale: string) => Format): () => Format {
  const made = new Map<string, Format>()
  return () => {
    const name = locale()
    let format = made.get(name)
    if (!format) made.set(name, (format = make(name)))
    return format
  }
}
