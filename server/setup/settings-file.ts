/** The settings of an installed store: lines that are missing are added, and nobody else may read them. */
import { existsSync, readFileSync } from 'node:fs'
import path from 'node:path'
import { parseEnv } from 'node:util'
import type { Machine } from './machine.ts'

export const ACCOUNT = 'chaabi'
export const DATA = '/var/lib/chaabi'
export const SETTINGS = '/etc/chaabi/chaabi.env'
export const STORE_PORT = 4000
const BEGINNING = '# Settings of the store: docs/configuration.md\n'
/** Its address for a program on the same machine, if the store listens on all. */
const ON_ALL: Readonly<Record<string, string>> = { '0.0.0.0': '127.0.0.1', '::': '::1' }

const readText = (): string => (existsSync(SETTINGS) ? readFileSync(SETTINGS, 'utf8') : '')

/** @returns the setting's value as the store reads it; undefined if the file does not have it, or has it empty */
export const readSetting = (name: string, text = readText()): string | undefined => parseEnv(text)[name] || undefined

/** @returns where a program on this machine reaches a store that listens there */
export function urlOf(host: string, port: number): string {
  const asked = ON_ALL[host] ?? host
  return `http://${asked.includes(':') ? `[${asked}]` : asked}:${port}`
}

export const storeUrl = (text = readText()): string => urlOf(readSetting('HOST', text) ?? '127.0.0.1', STORE_PORT)

/** Adds settings that are missing or empty. Never changes another. */
export function writeSettings(wanted: Readonly<Record<string, string>>, machine: Machine): void {
  machine.directory(path.dirname(SETTINGS), 0o755)
  const before = readText() || BEGINNING
  const missing = Object.entries(wanted).filter(([setting]) => readSetting(setting, before) === undefined)
  const begun = before.endsWith('\n') ? before : `${before}\n`
  machine.write(SETTINGS, begun + missing.map(([setting, value]) => `${setting}=${value}\n`).join(''), 0o640, ACCOUNT)
}
