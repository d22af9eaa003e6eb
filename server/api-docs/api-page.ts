/** Shows the OpenAPI document as plain HTML without scripts, under a policy that allows nothing else. */
import { createHash } from 'node:crypto'
import type { Call } from '../platform/http/http.ts'

type Json = Record<string, unknown>

interface Operation {
  tags: string[]
  summary: string
  description: string
  parameters?: { name: string; in: string; required: boolean; description?: string; schema: Json; example?: unknown }[]
  requestBody?: { content: Record<string, Media> }
  responses: Record<string, { description: string; content?: Record<string, Media> }>
}

interface Media {
  schema: Json
  example?: unknown
}

const STYLE = `
:root {
  color-scheme: light dark;
  --line: light-dark(#d8d5cf, #3a3834); --soft: light-dark(#6b675f, #a5a097); --code: light-dark(#f4f1eb, #221f1b)
}
body { font: 16px/1.55 system-ui, sans-serif; max-width: 60rem; margin: 0 auto; padding: 1.5rem 1rem 6rem }
nav ul { columns: 16rem; padding-left: 1.2rem }
h2 { margin-top: 3.5rem; border-bottom: 1px solid var(--line) }
h3 { margin: 2.5rem 0 0.25rem; font-size: 1.05rem; overflow-wrap: anywhere }
h4 { margin: 1.25rem 0 0.25rem; font-size: 0.9rem; color: var(--soft) }
code, pre { font: 0.875rem/1.5 ui-monospace, monospace }
pre { background: var(--code); padding: 0.75rem; overflow: auto; max-height: 28rem; border-radius: 6px }
.table { overflow-x: auto }
table { border-collapse: collapse; width: 100%; font-size: 0.9rem }
th, td { text-align: left; vertical-align: top; padding: 0.3rem 0.75rem 0.3rem 0; border-top: 1px solid var(--line) }
th { color: var(--soft); font-weight: 500 }
.soft { color: var(--soft) }
`

const POLICY = [
  "default-src 'none'",
  `style-src 'sha256-${createHash('sha256').update(STYLE).digest('base64')}'`,
  "base-uri 'none'",
  "form-action 'none'",
  "frame-ancestors 'none'",
].join('; ')

export function showApiPage({ takeOver }: Pick<Call, 'takeOver'>, document: Json): void {
  const page = renderApiPage(document)
  takeOver()
    .writeHead(200, {
      'content-type': 'text/html; charset=utf-8',
      'content-length': Buffer.byteLength(page),
      'content-security-policy': POLICY,
      'cache-control': 'no-store',
      'x-content-type-options': 'nosniff',
      'referrer-policy': 'same-origin',
    })
    .end(page)
}

function renderApiPage(document: Json): string {
  const { title, version, description } = document.info as Record<string, string>
  const tags = document.tags as { name: string; description: string }[]
  const operations = Object.entries(document.paths as Record<string, Record<string, Operation>>).flatMap(
    ([path, methods]) => Object.entries(methods).map(([method, operation]) => ({ path, method, operation })),
  )
  const sections = tags.map((tag) => ({
    ...tag,
    operations: operations.filter(({ operation }) => operation.tags.includes(tag.name)),
  }))
  const contents = sections.map(
    ({ name, operations }) => `<li><a href="#${escape(name)}">${escape(name)}</a> (${operations.length})</li>`,
  )
  return `<!doctype html>
<html lang="en">
<meta charset="utf-8">
<meta name="viewport" content="width=device-width, initial-scale=1">
<title>${escape(title)} API ${escape(version)}</title>
<style>${STYLE}</style>
<main>
<h1>${escape(title)} API ${escape(version)}</h1>
<p>${escape(description)}</p>
<p class="soft">Paths are below <code>/api</code>.
The same as a document for programs: <a href="openapi.json">openapi.json</a>.</p>
<nav aria-label="Features"><ul>${contents.join('')}</ul></nav>
${sections
  .map(
    ({ name, description, operations }) =>
      `<section><h2 id="${escape(name)}">${escape(name)}</h2><p>${escape(description)}</p>` +
      `${operations.map(renderOperation).join('\n')}</section>`,
  )
  .join('\n')}
</main>
</html>`
}

function renderOperation({ path, method, operation }: { path: string; method: string; operation: Operation }): string {
  const { summary, description, parameters = [], requestBody, responses } = operation
  const [succeeded, ...refused] = Object.entries(responses).toSorted(([a], [b]) => Number(a) - Number(b))
  const fields = parameters.map((each) => ({ ...each, where: each.in, type: typeOf(each.schema) }))
  const refusals = refused.map(
    ([status, { description: text }]) =>
      `<tr><th scope="row">${status}</th><td>${escape(text).replaceAll('\n\n', '<br>')}</td></tr>`,
  )
  return `<article>
<h3><code>${method.toUpperCase()} ${escape(path)}</code></h3>
<p>${escape(summary)} <span class="soft">${escape(description)}</span></p>
${fields.length === 0 ? '' : `<h4>Parameters</h4>${renderFields(fields)}`}
${requestBody ? `<h4>Body</h4>${renderMedia(requestBody.content)}` : ''}
${succeeded ? `<h4>${succeeded[0]}</h4>${renderMedia(succeeded[1].content ?? {})}` : ''}
<h4>Otherwise</h4>
<div class="table"><table><tbody>${refusals.join('')}</tbody></table></div>
</article>`
}

function renderMedia(content: Record<string, Media>): string {
  return Object.entries(content)
    .map(([type, { schema, example }]) => {
      const fields = fieldsOf(schema)
      const table = fields.length === 0 ? `<p class="soft">${escape(type)}</p>` : renderFields(fields)
      return example === undefined ? table : `${table}<pre>${escape(JSON.stringify(example, null, 2))}</pre>`
    })
    .join('')
}

interface Field {
  name: string
  where?: string
  type: string
  required: boolean
  description?: string
}

/** Lists the members of an object, or of the objects in a list. */
function fieldsOf(schema: Json): Field[] {
  const inner = schema.type === 'array' ? (schema.items as Json) : schema
  const required = (inner.required ?? []) as string[]
  return Object.entries((inner.properties ?? {}) as Record<string, Json>).map(([name, each]) => ({
    name,
    type: typeOf(each),
    required: required.includes(name),
    ...(typeof each.description === 'string' ? { description: each.description } : {}),
  }))
}

function typeOf(schema: Json): string {
  if ('const' in schema) return JSON.stringify(schema.const)
  if (Array.isArray(schema.enum)) return schema.enum.map((each) => JSON.stringify(each)).join(' | ')
  if (Array.isArray(schema.anyOf)) return (schema.anyOf as Json[]).map(typeOf).join(' | ')
  if (schema.type === 'array') return `list of ${typeOf((schema.items ?? {}) as Json)}`
  const type = Array.isArray(schema.type)
    ? schema.type.join(' | ')
    : typeof schema.type === 'string'
      ? schema.type
      : 'anything'
  const bounds = [
    ...(typeof schema.format === 'string' ? [schema.format] : []),
    ...(typeof schema.maxLength === 'number' ? [`at most ${schema.maxLength} characters`] : []),
  ]
  return bounds.length === 0 ? type : `${type} (${bounds.join(', ')})`
}

function renderFields(fields: readonly Field[]): string {
  const rows = fields.map(({ name, where, type, required, description = '' }) => {
    const optional = required ? '' : ' <span class="soft">optional</span>'
    const place = where === undefined ? '' : ` <span class="soft">in ${escape(where)}</span>`
    return (
      `<tr><th scope="row"><code>${escape(name)}</code></th><td>${escape(type)}${optional}${place}</td>` +
      `<td>${escape(description)}</td></tr>`
    )
  })
  return `<div class="table"><table><tbody>${rows.join('')}</tbody></table></div>`
}

function escape(text = ''): string {
  return text.replaceAll('&', '&amp;').replaceAll('<', '&lt;').replaceAll('>', '&gt;').replaceAll('"', '&quot;')
}
