import { describe, expect, it } from 'vitest'
import { MediaRefused } from '@balcao/connector/errors'
import { createMetaFiles } from '#adapters/oficial/graph/media.ts'
import type { MetaMessage } from '#adapters/oficial/content.ts'

const FILE = { tipo: 'imagem', url: '/arquivo/0' } as const
const MESSAGE: MetaMessage = {
  inbound: {
    ...{ id: 'wamid.1', endereco: '5511999990000', telefone: '5511999990000', nome: 'Ana', texto: '' },
    ...{ enviadaEm: new Date('2026-11-20T15:00:00Z'), midia: { tipo: 'imagem' } },
  },
  file: { id: '77' },
}

/** A storage that fails so many times, behind the files of Meta. */
function createFiles(failures: number, failure = new Error('storage unavailable')) {
  let [left, now] = [failures, 0]
  const files = createMetaFiles({
    graph: {
      request: () => Promise.resolve({ url: 'https://lookaside.fbsbx.com/77' }),
      download: () => Promise.resolve(Buffer.from('foto')),
    },
    host: {
      storeMedia: () => {
        left -= 1
        return left >= 0 ? Promise.reject(failure) : Promise.resolve(FILE)
      },
    },
    number: () => ({ telefoneId: '1', contaWhatsappId: '2', token: 't' }),
    report: () => undefined,
    storeWaitMs: 1,
    now: () => now,
  })
  return { files, wait: (ms: number) => (now += ms) }
}

describe('createMetaFiles', () => {
  it('rejects while the storage fails, so that the journal repeats the message', async () => {
    const { files } = createFiles(6)
    await expect(files(MESSAGE)).rejects.toThrow('storage unavailable')
    expect(await files(MESSAGE)).toMatchObject({ id: 'wamid.1', midia: FILE })
  })

  it('returns the message without its file after the storage failed for 5 minutes', async () => {
    const { files, wait } = createFiles(Infinity)
    await expect(files(MESSAGE)).rejects.toThrow('storage unavailable')
    wait(5 * 60_000)
    expect((await files(MESSAGE)).midia).toEqual({ tipo: 'imagem' })
  })

  it('returns the message without a refused file', async () => {
    const { files } = createFiles(1, new MediaRefused('too big'))
    expect((await files(MESSAGE)).midia).toEqual({ tipo: 'imagem' })
  })
})
