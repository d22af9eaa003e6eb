/** Above this share of claimed keys, and from this many claims on, a batch looks bad. */
const BAD_SHARE = 0.05
const BAD_CLAIMS = 3

export const looksBad = ({ claims, sold }: { claims: number; sold: number }): boolean =>
  claims >= BAD_CLAIMS && claims > sold * BAD_SHARE
