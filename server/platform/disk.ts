import { statfs } from 'node:fs/promises'
import path from 'node:path'

/**
 * @param place a folder, which need not be there yet
 * @returns free bytes for this process's account, and their share of the disk
 */
export async function readDisk(place: string): Promise<{ bytes: number; share: number }> {
  try {
    const { bavail, blocks, bsize } = await statfs(place)
    return { bytes: bavail * bsize, share: bavail / blocks }
  } catch (error) {
    const above = path.dirname(path.resolve(place))
    if (above === path.resolve(place)) throw error
    return readDisk(above)
  }
}
