const LOOPBACK = /^(?:localhost|.+\.localhost|127(?:\.\d+){3}|\[::1\])$/

/** True for a host name that leads every machine to itself, so that a link with it opens on no other. */
export const isLoopback = (host: string): boolean => LOOPBACK.test(host)

export const isOnlyHere = (): boolean => isLoopback(location.hostname)
