/** The settings of an installed store: lines that are missing are added, and nobody else may read them. */
import { existsSync, readFileSync } from 'node:fs'
import path from 'node:path'
import type { Machine } from './machine.ts'

export const ACCOUNT = 'chaabi'
export const DATA = '/var/lib/chaabi'
export const SETTINGS = '/etc/chaabi/chaabi.env'
const STORE_PORT = 4000
const BEGINNING = '# Settings of the store: docs/configuration.md\n'
/** Its address for a program on the same machine, if the store listens on all. */
const ON_ALL: Readonly<Record<string, string>> = { '0.0.0.0': '127.0.0.1', '::': '::1' }

const readText = (): string => (existsSync(SETTINGS) ? readFileSync(SETTINGS, 'utf8') : '')

/** @returns the setting's value without its quotes; undefined if the file does not have it */
export function readSetting(name: string, text = readText()): string | undefined {
  const [, value] = new RegExp(`^${name}=["']?([^"'\\n]*)`, 'm').exec(text) ?? []
  return value?.trim() || undefined
}

/** @returns where a program on this machine reaches the store */
export function storeUrl(text = readText()): string {
  const host = readSetting('HOST', text) ?? '127.0.0.1'
  const asked = ON_ALL[host] ?? host
  return `http://${asked.includes(':') ? `[${asked}]` : asked}:${STORE_PORT}`
}

/** Adds lines that are missing. Never changes one that is there. */
export function writeSettings(wanted: Readonly<Record<string, string>>, machine: Machine): void {
  machine.directory(path.dirname(SETTINGS), 0o755)
  const before = readText() || BEGINNING
  const missing = Object.entries(wanted).filter(([setting]) => !new RegExp(`^${setting}=`, 'm').test(before))
  const begun = before.endsWith('\n') ? before : `${before}\n`
  machine.write(SETTINGS, begun + missing.map(([setting, value]) => `${setting}=${value}\n`).join(''), 0o640, ACCOUNT)
}
