import { randomBytes, randomUUID } from 'node:crypto'
import { mkdtemp, readdir, rm, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { buffer } from 'node:stream/consumers'
import { afterAll, describe, expect, it } from 'vitest'
import { createDiskFiles } from '#adapters/disk/files.ts'
import { createS3Files } from '#adapters/s3/files.ts'
import type { Files } from '#ports/files.ts'
import { formWithPicture, SAMPLE_PRODUTO, produtoFrom } from '#test/produtos/loja-requests.ts'
import { testPicture } from '#test/produtos/test-pictures.ts'
import { sweepArquivos } from '#modules/arquivos/index.ts'
import { createFakeS3 } from './fake-s3.ts'
import { createTestApp } from '#test/app.ts'

const dir = await mkdtemp('/tmp/balcao-files-')
const s3 = await createFakeS3()
afterAll(async () => {
  await s3.close()
  await rm(dir, { recursive: true, force: true })
})

const places: [string, Files][] = [
  ['a folder', createDiskFiles({ dir })],
  ['a bucket', createS3Files(s3.options)],
]

const name = (): string => `${randomBytes(16).toString('hex')}.png`
const listar = async (files: Files, contaId?: string): Promise<string[]> => {
  const todos: string[] = []
  for await (const um of files.list(contaId)) todos.push(`${um.contaId}/${um.nome}`)
  return todos.toSorted((a, b) => (a < b ? -1 : 1))
}

describe.each(places)('Files in %s', (_nome, files) => {
  it('reads files back byte by byte, whole or in part', async () => {
    const [conta, um] = [randomUUID(), name()]
    const bytes = randomBytes(300_000)
    await files.write(conta, um, bytes)
    expect(Buffer.from((await files.read(conta, um)) ?? []).equals(bytes)).toBe(true)
    const ler = async (range?: { start: number; end: number }): Promise<Buffer> => {
      const stream = await files.stream(conta, um, range)
      return stream === null ? expect.unreachable() : buffer(stream)
    }
    expect((await ler()).equals(bytes)).toBe(true)
    expect((await ler({ start: 10, end: 19 })).equals(bytes.subarray(10, 20))).toBe(true)
    expect((await ler({ start: 0, end: 0 })).equals(bytes.subarray(0, 1))).toBe(true)
    const abandonado = await files.stream(conta, um)
    abandonado?.destroy()
    expect(abandonado?.destroyed).toBe(true)
    // `write` copies the bytes: later changes of the caller's buffer do not reach the stored file.
    await files.write(conta, um, bytes.subarray(5, 8))
    expect(Buffer.from((await files.read(conta, um)) ?? []).equals(bytes.subarray(5, 8))).toBe(true)
  })

  it('keeps notes apart from the files of contas', async () => {
    const conta = randomUUID()
    expect(await files.notes.read('nos/a')).toBeNull()
    await files.notes.write('nos/a', 'um')
    await files.notes.write('nos/a', 'dois')
    await files.notes.write('nos/b', '')
    await files.notes.write('nos/c', '')
    await files.write(conta, name(), Buffer.from('a'))
    expect(await files.notes.read('nos/a')).toBe('dois')
    const names: string[] = []
    for await (const note of files.notes.list('nos')) names.push(note)
    expect(names.toSorted((a, b) => (a < b ? -1 : 1))).toEqual(['a', 'b', 'c'])
    expect((await listar(files)).filter((file) => file.startsWith('nos'))).toEqual([])
    await files.notes.remove('nos/a')
    await files.notes.remove('nos/a')
    expect(await files.notes.read('nos/a')).toBeNull()
    await expect(files.notes.write('nos/../a', '')).rejects.toThrow('invalid path of a note')
  })

  it('returns null for missing files and allows removing them', async () => {
    const [conta, um] = [randomUUID(), name()]
    expect(await files.read(conta, um)).toBeNull()
    expect(await files.stream(conta, um)).toBeNull()
    await files.remove(conta, um)
    await files.write(conta, um, Buffer.from('a'))
    await files.remove(conta, um)
    expect(await files.read(conta, um)).toBeNull()
    expect(await files.read(randomUUID(), um)).toBeNull()
    expect(await listar(files, conta)).toEqual([])
  })

  it('lists all files of one conta or of all contas across pages', async () => {
    const [ana, bia] = [randomUUID(), randomUUID()]
    const dela = Array.from({ length: 5 }, () => `${ana}/${name()}`)
    const todos = [...dela, `${bia}/${name()}`].toSorted((a, b) => (a < b ? -1 : 1))
    for (const path of todos) await files.write(path.slice(0, 36), path.slice(37), Buffer.from('a'))
    expect(await listar(files, ana)).toEqual(dela.toSorted((a, b) => (a < b ? -1 : 1)))
    expect(await listar(files)).toEqual(expect.arrayContaining(todos))
    await files.discardUnfinished(new Date(Date.now() + 60_000))
    expect(await listar(files)).toEqual(expect.arrayContaining(todos))
  })

  it('rejects names and contas in another format', async () => {
    for (const [conta, um] of [
      [randomUUID(), '../segredo.png'],
      [randomUUID(), `${'0'.repeat(32)}.png/../x`],
      ['..', name()],
      [`${randomUUID()}/..`, name()],
    ] as const) {
      await expect(files.write(conta, um, Buffer.from('a'))).rejects.toThrow(/^invalid (file name|account id)/)
      await expect(files.read(conta, um)).rejects.toThrow(/^invalid (file name|account id)/)
      await expect(files.remove(conta, um)).rejects.toThrow(/^invalid (file name|account id)/)
    }
  })
})

describe('createDiskFiles', () => {
  it('lists no foreign files and deletes unfinished writes by age', async () => {
    const conta = randomUUID()
    const files = createDiskFiles({ dir })
    await files.write(conta, name(), Buffer.from('a'))
    const [fica = ''] = await readdir(join(dir, conta))
    await writeFile(join(dir, conta, '.0123456789abcdef.tmp'), 'a')
    await writeFile(join(dir, conta, 'notas.txt'), 'a')
    expect(await listar(files, conta)).toEqual([`${conta}/${fica}`])
    await files.discardUnfinished(new Date(Date.now() - 60_000))
    expect(await readdir(join(dir, conta))).toHaveLength(3)
    await files.discardUnfinished(new Date(Date.now() + 60_000))
    expect((await readdir(join(dir, conta))).toSorted((a, b) => (a < b ? -1 : 1))).toEqual([fica, 'notas.txt'])
  })
})

describe('createS3Files', () => {
  it('retries after 503 and 500 and throws after 403', async () => {
    const files = createS3Files(s3.options)
    const [conta, um] = [randomUUID(), name()]
    s3.failNext(503, 500)
    await files.write(conta, um, Buffer.from('a'))
    expect(s3.objects.get(`${conta}/${um}`)?.toString()).toBe('a')
    s3.failNext(403)
    await expect(files.read(conta, um)).rejects.toThrow('S3 answered 403 (SlowDown)')
  })

  it('throws Amazon’s error for a wrong key, region or bucket', async () => {
    const [conta, um] = [randomUUID(), name()]
    for (const [change, error] of [
      [{ secretAccessKey: 'outro' }, 'SignatureDoesNotMatch'],
      [{ accessKeyId: 'outra' }, 'InvalidAccessKeyId'],
      [{ region: 'us-east-1' }, 'AuthorizationHeaderMalformed'],
      [{ bucket: 'outro' }, 'bucket does not exist'],
    ] as const) {
      const files = createS3Files({ ...s3.options, ...change })
      await expect(files.read(conta, um)).rejects.toThrow(error)
      if (error !== 'bucket does not exist')
        await expect(files.write(conta, um, Buffer.from('a'))).rejects.toThrow(error)
    }
  })

  it('serves product images like a folder and deletes leftovers and removed images', async () => {
    const app = await createTestApp({ s3: s3.options })
    try {
      s3.objects.clear()
      const dona = app.admin
      const png = await testPicture(64, 48).png().toBuffer()
      const fields = { ...SAMPLE_PRODUTO, preco: '10' }
      const { id, imagemUrl } = produtoFrom(await dona.request('POST', '/produtos', formWithPicture(png, fields)))
      const hex = /([0-9a-f]{32})\.webp$/.exec(imagemUrl ?? '')?.[1] ?? ''
      const [mini, inteira] = [`${dona.contaId}/${hex}.mini`, `${dona.contaId}/${hex}.webp`]
      const stored = [...s3.objects.keys()].filter((key) => !key.startsWith('nos/'))
      expect(stored.toSorted((a, b) => (a < b ? -1 : 1))).toEqual([mini, inteira])
      for (const [search, key] of [
        ['', inteira],
        ['?mini', mini],
      ] as const) {
        const reply = await fetch(`${app.url}${imagemUrl}${search}`)
        expect(reply.headers.get('content-type')).toBe('image/webp')
        expect(Buffer.from(await reply.arrayBuffer()).equals(s3.objects.get(key) ?? Buffer.alloc(0))).toBe(true)
      }
      s3.objects.set(`${dona.contaId}/${name()}`, Buffer.from('left behind'))
      s3.objects.set('de-outro-programa.txt', Buffer.from('not ours'))
      expect(await sweepArquivos(app.deps)).toBe(1)
      expect(s3.objects.size).toBe(3)
      await dona.request('DELETE', `/produtos/${id}`)
      expect([...s3.objects.keys()]).toEqual(['de-outro-programa.txt'])
      expect((await fetch(`${app.url}${imagemUrl}`)).status).toBe(404)

      s3.failNext(403)
      expect((await dona.request('POST', '/produtos', formWithPicture(png, fields))).status).toBe(500)
      expect(await app.sql('select 1 from arquivos')).toEqual([])
    } finally {
      await app.close()
    }
  })
})
