/** Gives the demo store a face: a logo, an accent and pictures of two products, all drawn for it. */
import { readFile } from 'node:fs/promises'
import path from 'node:path'
import type { Api } from '../../contract/api.ts'
import type { Client } from '../../contract/client.ts'

const PICTURES = path.join(import.meta.dirname, 'demo-pictures')
const PICTURED = ['Skyforge Season Pass', 'Drift Zero Ultimate']

export async function giveFace(owner: Client<Api>): Promise<void> {
  const data = (name: string) => readFile(path.join(PICTURES, `${name}.webp`), 'base64')
  await owner.settings.saveFace({
    accent: 'violet',
    heroLine: 'Play tonight. Keys in seconds.',
    heroLineHi: 'आज रात खेलें। Key तुरंत पाएँ।',
  })
  await owner.pictures.saveOfStore({ place: 'logo', data: await data('logo') })
  for (const { _id: id, name } of await owner.catalogue.list({}))
    if (PICTURED.includes(name))
      await owner.pictures.saveOfProduct({ id, data: await data(name.toLowerCase().replaceAll(' ', '-')) })
}
