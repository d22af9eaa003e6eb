/** Whether dist/ was made of the sources as they are now. */
export function buildIsFresh(): boolean
