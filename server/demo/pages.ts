/** Serves what only the demo has: its mailbox, a statement to upload, and a note that says it is a demo. */
import { hash } from 'node:crypto'
import type { api } from '../../contract/api.ts'
import type { Handlers } from '../platform/http/http.ts'
import { escapeHtml } from '../platform/http/pages/pages.ts'
import type { DemoMail } from '../messages/channels/email.ts'

export interface DemoExtras {
  /** A statement for visitors to upload. */
  statement?: string
  mails: DemoMail[]
  /** The origin of links in mails. */
  origin: string
}

type Told = { [F in 'settings' | 'supply']: Handlers<(typeof api)[F]> }

/** The demo says what it is, and asks no supplier. */
export const inDemo = ({ settings: { site, ...others }, supply }: Told): Told => ({
  settings: { ...others, site: async (input, call) => ({ ...(await site(input, call)), demo: true }) },
  supply: { ...supply, check: () => Promise.resolve({ found: null, why: 'silent' }) },
})

const STYLES = `
:root{color-scheme:light dark;font:16px/1.5 system-ui,sans-serif;--line:light-dark(#d8d8de,#34343c)}
body{max-width:44rem;margin:0 auto;padding:1rem}
h1{font-size:1.5rem;margin:.5rem 0}h2{font-size:1.125rem;margin:0}
li{border:1px solid var(--line);border-radius:.75rem;padding:1rem;margin:1rem 0}
pre{font:inherit;white-space:pre-wrap;overflow-wrap:anywhere;margin:.5rem 0 0}
a{color:light-dark(#5b34c9,#b9a2ff)}nav a,pre a{display:inline-block;padding:.625rem 0;min-height:1.5rem}
ul{padding:0;list-style:none}nav{display:flex;gap:1.5rem}.to{overflow-wrap:anywhere;margin:0}`
const POLICY =
  `default-src 'none'; style-src 'sha256-${hash('sha256', STYLES, 'base64')}'; ` +
  "base-uri 'none'; form-action 'none'; frame-ancestors 'none'"

interface DemoPage {
  path: string
  headers: Record<string, string>
  body: () => string
}

export function demoPages({ statement, mails, origin }: DemoExtras): DemoPage[] {
  const mailbox = {
    path: '/demo-mailbox',
    headers: {
      'content-type': 'text/html; charset=utf-8',
      'cache-control': 'no-store',
      'content-security-policy': POLICY,
    },
    body: () => pageOf(mails, origin),
  }
  if (statement === undefined) return [mailbox]
  const headers = { 'content-type': 'text/csv; charset=utf-8' }
  return [mailbox, { path: '/demo-statement.csv', headers, body: () => statement }]
}

function pageOf(mails: readonly DemoMail[], origin: string): string {
  const items = mails.map(
    ({ to, subject, text }) =>
      `<li><h2>${escapeHtml(subject)}</h2><p class="to">To ${escapeHtml(to)}</p>` +
      `<pre>${withLinks(text, origin)}</pre></li>`,
  )
  return (
    '<!doctype html><html lang="en"><head><meta charset="utf-8">' +
    '<meta name="viewport" content="width=device-width,initial-scale=1"><meta name="robots" content="noindex">' +
    `<title>The demo’s mailbox</title><style>${STYLES}</style></head><body>` +
    '<nav><a href="/">Store</a><a href="/demo-mailbox">Refresh</a></nav><main><h1>The demo’s mailbox</h1>' +
    '<p>The store’s emails arrive here. No email is really sent. The newest are kept until the demo ends.</p>' +
    `${items.length > 0 ? `<ul>${items.join('')}</ul>` : '<p>No email yet.</p>'}</main></body></html>`
  )
}

function withLinks(text: string, origin: string): string {
  return text
    .split(/(https?:\/\/[^\s"'<>]+)/)
    .map((part) => {
      const shown = escapeHtml(part)
      if (!part.startsWith(`${origin}/`)) return shown
      // A secret behind the # is long, and nobody reads it
      return `<a href="${shown.slice(origin.length)}">${shown.replace(/#.*/, '#…')}</a>`
    })
    .join('')
}
