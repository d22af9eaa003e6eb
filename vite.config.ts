import tailwindcss from '@tailwindcss/vite'
import react from '@vitejs/plugin-react'
import { defineConfig, type Plugin } from 'vite'
import { api } from './contract/api.ts'
import { adminEndpoints, endpointTable } from './contract/client.ts'

const API_PORT = process.env['API_PORT'] ?? '4000'

export default defineConfig({
  root: 'web',
  plugins: [react(), tailwindcss(), inlineStyles()],
  // The browser's client needs method and path of each call and no schema, so that Zod stays out of the first load.
  // Who may call them is for the admin panel alone.
  define: {
    __ENDPOINTS__: JSON.stringify(endpointTable(api)),
    __ADMIN_ENDPOINTS__: JSON.stringify(adminEndpoints(api)),
  },
  build: {
    outDir: '../dist/web',
    emptyOutDir: true,
    manifest: true,
    modulePreload: { polyfill: false },
    target: 'es2022',
    // Browsers with dialogs in the top layer and oklch, which the kit is built on; no fall-backs for older ones.
    cssTarget: ['chrome123', 'edge123', 'firefox129', 'safari17.5'],
    // All that the first page needs in one file, by what main.tsx really imports. Left alone, whatever the first page
    // shares with any later screen would become a small file and a request of its own.
    rolldownOptions: {
      output: { codeSplitting: { groups: [{ name: 'first', test: /web[\\/]main\.tsx$/ }] } },
    },
  },
  server: { proxy: { '/api': `http://127.0.0.1:${API_PORT}` } },
  preview: { proxy: { '/api': `http://127.0.0.1:${API_PORT}` } },
})

/**
 * Puts the one style sheet into index.html: the first paint then waits for the HTML alone. The server reads the
 * block's hash for its content security policy.
 */
function inlineStyles(): Plugin {
  return {
    name: 'inline-styles',
    apply: 'build',
    enforce: 'post',
    generateBundle(_, bundle) {
      const page = bundle['index.html']
      if (page?.type !== 'asset') return
      page.source = String(page.source).replace(
        /<link rel="stylesheet"[^>]*href="\/([^"]+\.css)"[^>]*>/g,
        (tag, name) => {
          const sheet = bundle[name as string]
          if (sheet?.type !== 'asset') return tag
          // The link that is off is fetched by nobody. Without it, a later chunk's loader would not know that the rules
          // are there: it would fetch them once more, and put them after that chunk's own.
          return `<style>${String(sheet.source).trim()}</style><link rel="stylesheet" href="/${name}" disabled>`
        },
      )
    },
  }
}
