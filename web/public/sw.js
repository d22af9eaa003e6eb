// Shows a page of our own when a page of the store can't be reached, and the store's messages. Prices, stock and
// balances are never answered from a cache.
const CACHE = 'offline-2'
const FILES = ['/offline.html', '/offline.css', '/icon.svg']

addEventListener('install', (event) => {
  event.waitUntil(caches.open(CACHE).then((cache) => cache.addAll(FILES)))
  skipWaiting()
})

addEventListener('activate', (event) => {
  event.waitUntil(
    (async () => {
      for (const name of await caches.keys()) if (name !== CACHE) await caches.delete(name)
      // The page is asked for while this worker starts, not after it.
      await registration.navigationPreload?.enable()
      await clients.claim()
    })(),
  )
})

addEventListener('fetch', (event) => {
  const { pathname, origin } = new URL(event.request.url)
  if (origin !== location.origin) return
  if (event.request.mode === 'navigate') {
    event.respondWith(
      (async () => {
        try {
          return (await event.preloadResponse) ?? (await fetch(event.request))
        } catch {
          return (await caches.match('/offline.html')) ?? Response.error()
        }
      })(),
    )
  } else if (pathname === '/offline.css') {
    event.respondWith(caches.match(event.request).then((kept) => kept ?? fetch(event.request)))
  }
})

addEventListener('push', (event) => {
  const { title, body, path, tag } = event.data.json()
  event.waitUntil(
    registration.showNotification(title, { body, tag, data: { path }, icon: '/icon-192.png', badge: '/icon-192.png' }),
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
