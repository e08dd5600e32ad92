import { describe, expect, it } from 'vitest'
import { MediaRefused } from './errors.ts'
import { createStoreMedia } from './store-media.ts'

const FILE = { tipo: 'imagem' } as const

describe('createStoreMedia', () => {
  it('repeats a failed store at most five times', async () => {
    let left = 4
    const reports: string[] = []
    const storeMedia = async () => {
      left -= 1
      if (left >= 0) throw new Error('disk full')
      return FILE
    }
    const store = createStoreMedia({ storeMedia }, (_, event) => void reports.push(event), 1)
    await expect(store(new Uint8Array(), 'foto')).resolves.toEqual(FILE)
    expect(reports).toHaveLength(4)
    left = 9
    await expect(store(new Uint8Array(), 'foto')).rejects.toThrow('disk full')
  })

  it('does not repeat a refused file', async () => {
    let calls = 0
    const storeMedia = async () => {
      calls += 1
      throw new MediaRefused('too big')
    }
    const store = createStoreMedia({ storeMedia }, () => undefined, 1)
    await expect(store(new Uint8Array(), 'foto')).rejects.toBeInstanceOf(MediaRefused)
    expect(calls).toBe(1)
  })
})
