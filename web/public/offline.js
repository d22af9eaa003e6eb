// Loads the page that was asked for as soon as the network is back.
addEventListener('online', () => location.reload())
if (navigator.onLine) setTimeout(() => location.reload(), 10_000)
