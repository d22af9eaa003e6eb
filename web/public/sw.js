// Shows a page of our own when a page of the store can't be reached, the store's messages, and takes statements that
// are shared with the panel. Prices, stock and balances are never answered from a cache.
const CACHE = 'offline-4'
// web/bank/admin/upload/shared-statement.ts takes it from here.
const SHARED = 'shared-statement'
const SHARED_AT = '/admin/share-statement'
const SHARED_BYTES_MAX = 5_242_880
const PAGE = '/offline.html'
const FILES = [PAGE, '/offline.css', '/offline.js', '/icon.svg']

addEventListener('install', (event) => {
  event.waitUntil(caches.open(CACHE).then((cache) => cache.addAll(FILES)))
  skipWaiting()
})

addEventListener('activate', (event) => {
  event.waitUntil(
    (async () => {
      for (const name of await caches.keys()) if (name !== CACHE && name !== SHARED) await caches.delete(name)
      // The page is asked for while this worker starts, not after it.
      await registration.navigationPreload?.enable()
      await clients.claim()
    })(),
  )
})

addEventListener('fetch', (event) => {
  const { pathname, origin } = new URL(event.request.url)
  if (origin !== location.origin) return
  if (event.request.method === 'POST' && pathname === SHARED_AT) {
    event.respondWith(keepShared(event.request))
  } else if (event.request.mode === 'navigate') {
    event.respondWith(
      (async () => {
        try {
          return (await event.preloadResponse) ?? (await fetch(event.request))
        } catch {
          return (await caches.match(PAGE)) ?? Response.error()
        }
      })(),
    )
  } else if (pathname === '/offline.css' || pathname === '/offline.js') {
    event.respondWith(caches.match(event.request).then((kept) => kept ?? fetch(event.request)))
  }
})

// A page of the store tells its accent, and the offline page is kept in it.
addEventListener('message', (event) => {
  const accent = event.data?.accent
  if (/^[a-z]+$/.test(accent)) event.waitUntil(keepAccent(accent))
})

async function keepAccent(accent) {
  const cache = await caches.open(CACHE)
  const kept = await cache.match(PAGE)
  if (!kept) return
  const html = await kept.text()
  const coloured = html.replace(/<html[^>]*>/, `<html lang="en" data-accent="${accent}">`)
  if (coloured === html) return
  const headers = ['content-type', 'content-security-policy'].map((name) => [name, kept.headers.get(name) ?? ''])
  await cache.put(PAGE, new Response(coloured, { headers }))
}

// Keeps what another app has shared until an admin's dialog takes it, which may be after a login. Any site can post a
// form here, and only the server sees where a request comes from: it redirects what no other site has sent.
async function keepShared(request) {
  const open = (state) => Response.redirect(`/admin/payment-manager?shared=${state}`, 303)
  try {
    const { type } = await fetch(request.clone())
    if (type !== 'opaqueredirect') return open('lost')
    const form = await request.formData()
    const files = form.getAll('statement').filter((each) => each instanceof File)
    const text = form.get('text')
    const [shared = typeof text === 'string' && text.trim() !== '' ? new Blob([text]) : undefined] = files
    if (files.length > 1) return open('many')
    if (!shared) return open('lost')
    if (shared.size > SHARED_BYTES_MAX) return open('large')
    const kept = await caches.open(SHARED)
    const headers = { date: new Date().toUTCString(), 'file-name': encodeURIComponent(shared.name ?? '') }
    await kept.put(SHARED_AT, new Response(shared, { headers }))
    return open('file')
  } catch {
    return open('lost')
  }
}

addEventListener('push', (event) => {
  const { title, body, path, tag, lang } = event.data.json()
  event.waitUntil(
    registration.showNotification(title, {
      body,
      tag,
      data: { path },
      icon: '/icon-192.png',
      badge: '/icon-192.png',
      ...(lang && { lang }),
    }),
  )
})

addEventListener('notificationclick', (event) => {
  event.notification.close()
  const { path } = event.notification.data
  // A path of the store's own, whatever was sent
  const url = new URL(path, location.origin)
  if (url.origin !== location.origin) return
  event.waitUntil(
    (async () => {
      const area = url.pathname.startsWith('/admin')
      const pages = await clients.matchAll({ type: 'window' })
      const page = pages.find((each) => new URL(each.url).pathname.startsWith('/admin') === area)
      if (page) await (await page.navigate(url.href))?.focus()
      else await clients.openWindow(url.href)
    })(),
  )
})
