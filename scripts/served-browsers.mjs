/**
 * The oldest browsers that the pages are built for, the only list of them. docs/browsers.md says them to people, and a
 * test compares the two. scripts/check-browsers.mjs holds each build against them.
 *
 * @type {Record<string, string>} by the names of MDN's compatibility data
 */
export const OLDEST_SERVED = {
  chrome_android: '100',
  webview_android: '100',
  samsunginternet_android: '19.0',
  safari_ios: '15.6',
  firefox: '115',
}

/** The oldest browsers in Vite's names, which go by the engine. The build rewrites syntax and styles for them. */
export const BUILD_TARGETS = [
  `chrome${OLDEST_SERVED.chrome_android}`,
  `ios${OLDEST_SERVED.safari_ios}`,
  `firefox${OLDEST_SERVED.firefox}`,
]
