import type { saveSharePicture } from '../../pictures/admin/share-picture.ts'

/** For a screen that changes what the picture of shared links shows. Nobody waits for it. */
export async function redrawSharePicture(site: Parameters<typeof saveSharePicture>[0]): Promise<void> {
  const file = await import('../../pictures/admin/share-picture.ts').catch(() => undefined)
  await file?.saveSharePicture(site)
}
