import type { saveSharePicture } from '../../pictures/admin/share-picture.ts'

/** Redraws the picture of shared links in the background, after a change that it shows. */
export async function redrawSharePicture(site: Parameters<typeof saveSharePicture>[0]): Promise<void> {
  const file = await import('../../pictures/admin/share-picture.ts').catch(() => undefined)
  await file?.saveSharePicture(site)
}
