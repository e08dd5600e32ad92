import { rm, stat, writeFile } from 'node:fs/promises'
import { request } from 'node:http'
import { join } from 'node:path'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { storeArquivo, readArquivo, sweepArquivos } from '#modules/arquivos/index.ts'
import { deleteExpired } from '#modules/retencao/delete-expired.ts'
import { docx, mp3, pdf, png, textFile } from './sample-files.ts'
import { createTestApp, type TestApp, type TestUser } from '#test/app.ts'
import { chatOf, connectBot, formFile, givenConta, lastMidiaOf, sendAsCustomer, storedUrl } from '#test/builders.ts'

let app: TestApp
let dona: TestUser
let other: TestUser
let numero = 0
const novoTelefone = (): string => `119${String(30_000_000 + (numero += 1))}`

beforeAll(async () => {
  app = await createTestApp()
  dona = app.admin
  await connectBot(dona)
  other = await givenConta(app, 'Ana', { email: 'outra@balcao.test' })
})
afterAll(() => app.close())

interface Received {
  /** Signed. */
  readonly url: string
  readonly nome: string
  readonly telefone: string
}

async function receber(file: File, field = 'arquivo'): Promise<Received> {
  const telefone = novoTelefone()
  expect(await sendAsCustomer(dona, telefone, { [field]: file })).toMatchObject({ status: 202 })
  const { url = '' } = await lastMidiaOf(dona, telefone)
  return { url, nome: nameOf(url), telefone }
}

const nameOf = (url = ''): string => storedUrl(url).split('/').at(-1) ?? ''

async function cru(caminho: string, headers: Record<string, string> = {}, method = 'GET') {
  const { hostname, port } = new URL(app.url)
  return new Promise<{ status: number; headers: Record<string, unknown>; bytes: Buffer }>((resolve, reject) => {
    const pedido = request({ hostname, port, path: caminho, method, headers }, (reply) => {
      const parts: Buffer[] = []
      reply.on('data', (part: Buffer) => parts.push(part))
      reply.on('end', () =>
        resolve({ status: reply.statusCode ?? 0, headers: reply.headers, bytes: Buffer.concat(parts) }),
      )
    })
    pedido.on('error', reject).end()
  })
}

describe('files from customers', () => {
  it('stores the bytes unchanged under a random name and serves them', async () => {
    const bytes = png(200_000)
    const telefone = novoTelefone()
    await sendAsCustomer(dona, telefone, { imagem: formFile(bytes, 'C:\\fotos\\bolo.png'), texto: 'Quero este' })
    const midia = await lastMidiaOf(dona, telefone)
    expect(midia).toEqual({
      tipo: 'imagem',
      url: expect.stringMatching(/^\/api\/midias\/[0-9a-f]{32}\.png\?e=\d+&a=[\w-]{43}$/),
      nomeArquivo: 'bolo.png',
      mimeType: 'image/png',
      tamanhoBytes: bytes.length,
    })
    const [mensagem] = (await chatOf(dona, telefone)).filter(({ de }) => de === 'cliente')
    expect(mensagem).toMatchObject({ texto: 'Quero este', imagemUrl: midia.url })
    const { status, headers, bytes: parsed } = await cru(midia.url ?? '', { 'accept-encoding': 'gzip, br' })
    expect(status).toBe(200)
    expect(parsed.equals(bytes)).toBe(true)
    expect(headers).toMatchObject({
      'content-type': 'image/png',
      'content-length': String(bytes.length),
      'content-disposition': `inline; filename="bolo.png"; filename*=UTF-8''bolo.png`,
      'content-security-policy': "default-src 'none'; sandbox",
      'x-content-type-options': 'nosniff',
      'cache-control': 'private, max-age=300',
      'accept-ranges': 'bytes',
    })
    const caminho = join(app.arquivosDir, dona.contaId, nameOf(midia.url))
    expect((await stat(caminho)).mode & 0o777).toBe(0o600)
    expect((await stat(join(app.arquivosDir, dona.contaId))).mode & 0o777).toBe(0o700)
  })

  it('forbids storing the 404 of a file whose bytes are missing', async () => {
    const { url, nome } = await receber(formFile(png(2_000), 'bolo.png'))
    await rm(join(app.arquivosDir, dona.contaId, nome))
    const { status, headers } = await cru(url)
    expect([status, headers['cache-control']]).toEqual([404, 'no-store'])
  })

  it('detects the type from the bytes and serves documents as downloads', async () => {
    const { url } = await receber(formFile(docx(), 'proposta.pdf', 'text/html'))
    expect((await cru(url)).headers).toMatchObject({
      'content-type': 'application/vnd.openxmlformats-officedocument.wordprocessingml.document',
      'content-disposition': `attachment; filename="proposta.pdf.docx"; filename*=UTF-8''proposta.pdf.docx`,
    })
    const csv = await receber(formFile(textFile('a;b\n1;2\n'.repeat(500)), 'tabela.csv'))
    const lido = await cru(csv.url, { 'accept-encoding': 'gzip, br' })
    expect(lido.headers).toMatchObject({ 'content-type': 'text/csv; charset=utf-8' })
    expect(lido.headers['content-encoding']).toBeUndefined()
  })

  it('rejects other files with a Portuguese text and stores none', async () => {
    const before = await app.filesOnDisk(dona.contaId)
    const refuse = async (fields: Record<string, string | Blob>) => {
      const { status, body } = await sendAsCustomer(dona, novoTelefone(), fields)
      return [status, body['codigo'], body['erro']]
    }
    expect(await refuse({ arquivo: formFile(textFile('<svg onload=alert(1)>'), 'logo.png') })).toEqual([
      400,
      'arquivoInvalido',
      expect.stringContaining('Este tipo de arquivo não é aceito.'),
    ])
    expect(await refuse({ arquivo: formFile(Buffer.alloc(0), 'vazio.pdf') })).toEqual([
      400,
      'arquivoInvalido',
      'Este arquivo está vazio.',
    ])
    expect(await refuse({ arquivo: formFile(png(5_242_880), 'grande.png') })).toEqual([
      413,
      'arquivoGrande',
      'Arquivo deve ter no máximo 5MB',
    ])
    expect(await refuse({ imagem: formFile(pdf(), 'nota.png') })).toEqual([
      400,
      'imagemInvalida',
      'Apenas arquivos de imagem são permitidos',
    ])
    const two = new FormData()
    two.set('telefone', novoTelefone())
    two.append('arquivo', formFile(png(), 'a.png'))
    two.append('arquivo', formFile(png(), 'b.png'))
    expect(await dona.request('POST', '/simulador/mensagens', two)).toMatchObject({
      status: 400,
      body: { erro: 'Envie um arquivo de cada vez' },
    })
    expect(await app.filesOnDisk(dona.contaId)).toEqual(before)
  })

  it('accepts files up to 5 MB', async () => {
    const { url } = await receber(formFile(png(5_242_880 - png(1).length + 1), 'grande.png'))
    expect((await cru(url)).bytes).toHaveLength(5_242_880)
  })

  it('stores a repeated message once and refuses files without a connected bot', async () => {
    const before = await app.filesOnDisk(dona.contaId)
    const telefone = novoTelefone()
    for (let vez = 0; vez < 3; vez += 1) {
      const repeated = { id: 'mesma-foto', arquivo: formFile(png(), 'foto.png') }
      expect(await sendAsCustomer(dona, telefone, repeated)).toEqual({ status: 202, body: { id: 'mesma-foto' } })
    }
    expect((await chatOf(dona, telefone)).filter(({ de }) => de === 'cliente')).toHaveLength(1)
    expect(await app.filesOnDisk(dona.contaId)).toHaveLength(before.length + 1)
    const semBot = await sendAsCustomer(other, telefone, { arquivo: formFile(png(), 'foto.png') })
    expect(semBot).toMatchObject({ status: 409, body: { codigo: 'botDesconectado' } })
    expect(await app.filesOnDisk(other.contaId)).toEqual([])
    expect(await app.sql('select 1 from arquivos where conta_id = $1', [other.contaId])).toEqual([])
    const noGrupo = { arquivo: formFile(png(), 'foto.png'), grupo: 'true' }
    expect(await sendAsCustomer(dona, novoTelefone(), noGrupo)).toMatchObject({ status: 202 })
    expect(await app.filesOnDisk(dona.contaId)).toHaveLength(before.length + 1)
  })
})

describe('GET /api/midias/:nome', () => {
  it('serves byte ranges and conditional requests', async () => {
    const bytes = mp3()
    const { url } = await receber(formFile(bytes, 'voz.mp3'))
    const part = await cru(url, { range: 'bytes=10-19', 'accept-encoding': 'gzip' })
    expect(part).toMatchObject({
      status: 206,
      headers: { 'content-range': `bytes 10-19/${bytes.length}`, 'content-length': '10', 'content-type': 'audio/mpeg' },
    })
    expect(part.bytes.equals(bytes.subarray(10, 20))).toBe(true)
    expect((await cru(url, { range: 'bytes=-5' })).bytes.equals(bytes.subarray(-5))).toBe(true)
    expect(await cru(url, { range: `bytes=${bytes.length}-` })).toMatchObject({
      status: 416,
      headers: { 'content-range': `bytes */${bytes.length}` },
    })
    const { etag } = (await cru(url, {}, 'HEAD')).headers
    expect(await cru(url, { 'if-none-match': String(etag) })).toMatchObject({ status: 304, bytes: Buffer.alloc(0) })
    expect(await cru(url, { range: 'bytes=0-1', 'if-range': '"outro"' })).toMatchObject({ status: 200 })
    expect(await cru(url, { range: 'bytes=0-1', 'if-range': String(etag) })).toMatchObject({ status: 206 })
  })

  it('answers 404 to every other name or path', async () => {
    const { nome, url } = await receber(formFile(png(), 'foto.png'))
    await writeFile(join(app.arquivosDir, 'segredo.png'), 'nada a ver')
    const signature = url.slice(url.indexOf('?'))
    const paths = [
      'f'.repeat(32) + '.png',
      nome.toUpperCase(),
      nome.replace('.png', '.html'),
      '..%2Fsegredo.png',
      '../segredo.png',
      '..%2F..%2F..%2Fetc%2Fpasswd',
      `${dona.contaId}%2F${nome}`,
      `${nome}%00.html`,
      '%2e%2e%2fsegredo.png',
      '',
    ]
    for (const caminho of paths) {
      const { status, bytes } = await cru(`/api/midias/${caminho}${signature}`)
      expect([caminho, status]).toEqual([caminho, 404])
      expect(JSON.parse(bytes.toString())).toMatchObject({
        codigo: expect.stringMatching(/naoEncontrado|rotaDesconhecida/),
      })
    }
  })

  it('returns the file by its URL only to its conta', async () => {
    const { url } = await receber(formFile(pdf(), 'nota.pdf'))
    expect(await readArquivo(app.deps, dona.contaId, storedUrl(url))).toMatchObject({ mimeType: 'application/pdf' })
    expect(await readArquivo(app.deps, other.contaId, storedUrl(url))).toBeNull()
    expect(await readArquivo(app.deps, dona.contaId, '/api/imagens/x.png')).toBeNull()
  })
})

describe('storage limit', () => {
  it('keeps the mensagem without the file and logs one warning', async () => {
    const rival = await givenConta(app, 'Ana', { email: 'cheia@balcao.test' })
    await connectBot(rival)
    await app.sql(
      `insert into arquivos (conta_id, nome, uso, tipo, tamanho, estado, criado_em)
       select $1, md5(n::text) || '.png', 'midia', 'image/png', 10, 'pronto', now() from generate_series(1, 1999) n`,
      [rival.contaId],
    )
    const sent = { bytes: png(), name: 'a.png' }
    const feitos = await Promise.allSettled([1, 2, 3].map(() => storeArquivo(app.deps, rival.contaId, sent)))
    expect(feitos.map(({ status }) => status).toSorted()).toEqual(['fulfilled', 'rejected', 'rejected'])
    expect(await app.filesOnDisk(rival.contaId)).toHaveLength(1)
    const telefone = novoTelefone()
    for (const texto of ['um', 'dois']) {
      expect(await sendAsCustomer(rival, telefone, { texto, arquivo: formFile(pdf(), 'nota.pdf') })).toMatchObject({
        status: 202,
      })
    }
    expect(await lastMidiaOf(rival, telefone)).toEqual({
      tipo: 'documento',
      mimeType: 'application/pdf',
      tamanhoBytes: pdf().length,
    })
    const avisos = await app.sql(`select mensagem from logs where conta_id = $1 and tipo = 'warning'`, [rival.contaId])
    expect(avisos).toEqual([{ mensagem: expect.stringContaining('O espaço para arquivos acabou') }])
    await app.sql('update arquivos set tamanho = 1073741824 / 1999 where conta_id = $1', [rival.contaId])
    await app.sql(`delete from arquivos where conta_id = $1 and tamanho < 100`, [rival.contaId])
    await expect(storeArquivo(app.deps, rival.contaId, sent)).rejects.toMatchObject({
      codigo: 'armazenamentoCheio',
    })
  })
})

describe('deletion of files', () => {
  it('deletes a cleared mensagem’s file from URL and disk', async () => {
    const { url, telefone } = await receber(formFile(png(), 'foto.png'))
    const fica = await receber(formFile(png(), 'fica.png'))
    await app.idle()
    const [contato] = await app.sql(
      `select v.id from mensagens m join conversas v on v.conta_id = m.conta_id and v.id = m.conversa_id
       where m.midia ->> 'url' = $1`,
      [storedUrl(fica.url)],
    )
    await app.sql(`update conversas set status = 'aguardando', protocolo = 'p' where id = $1`, [contato?.['id']])
    expect((await dona.request('DELETE', '/conversas')).status).toBe(200)
    expect(await chatOf(dona, telefone)).toEqual([])
    expect((await cru(url)).status).toBe(404)
    expect((await cru(fica.url)).status).toBe(200)
    expect(await app.filesOnDisk(dona.contaId)).toEqual([fica.nome])
  })

  it('deletes files of expired conversas', async () => {
    const { url } = await receber(formFile(png(), 'antiga.png'))
    await app.idle()
    const semDaqui = { ...app.deps, clock: { now: () => new Date(Date.now() + 181 * 86_400_000) } }
    await deleteExpired(semDaqui)
    expect((await cru(url)).status).toBe(404)
    await sweepArquivos(app.deps, dona.contaId)
    expect(await app.filesOnDisk(dona.contaId)).toEqual([])
  })

  it('deletes unfinished files after an hour and unused ones after a day', async () => {
    const { contaId } = dona
    const nosDisco = await app.filesOnDisk(contaId)
    const lost = await storeArquivo(app.deps, contaId, { bytes: png(), name: 'a.png' })
    const middle = `${'a'.repeat(32)}.png`
    await app.sql(
      `insert into arquivos (conta_id, nome, uso, tipo, tamanho, criado_em) values ($1, $2, 'midia', 'image/png', 1, now())`,
      [contaId, middle],
    )
    await app.deps.files.write(contaId, middle, png())
    await app.deps.files.write(contaId, `${'b'.repeat(32)}.png`, png())
    await writeFile(join(app.arquivosDir, contaId, '.00ff.tmp'), 'meio')
    expect((await cru(app.deps.fileLinks.sign(contaId, `/api/midias/${middle}`))).status).toBe(404)
    expect(await sweepArquivos(app.deps)).toBe(1)
    expect(await app.filesOnDisk(contaId)).toHaveLength(nosDisco.length + 3)
    app.advance(2 * 3_600_000)
    expect(await sweepArquivos(app.deps)).toBe(1)
    const names = [...nosDisco, lost.url?.split('/').at(-1) ?? '']
    expect(new Set(await app.filesOnDisk(contaId))).toEqual(new Set(names))
    app.advance(24 * 3_600_000)
    expect(await sweepArquivos(app.deps, contaId)).toBe(1)
    expect(await app.filesOnDisk(contaId)).toEqual(nosDisco)
  })
})

describe('createDiskFiles', () => {
  it('rejects names and contas in another format', async () => {
    const { files } = app.deps
    for (const nome of ['../x.png', 'x.png', `${'a'.repeat(32)}.png/../../y`, `${'a'.repeat(32)}`, '']) {
      await expect(files.write(dona.contaId, nome, png())).rejects.toThrow('invalid file name')
      await expect(files.read(dona.contaId, nome)).rejects.toThrow('invalid file name')
    }
    await expect(files.read('..', `${'a'.repeat(32)}.png`)).rejects.toThrow('invalid account id')
    expect(await files.read(dona.contaId, `${'c'.repeat(32)}.png`)).toBeNull()
    expect(await files.stream(dona.contaId, `${'c'.repeat(32)}.png`)).toBeNull()
  })
})
