import { deflateSync } from 'node:zlib'
import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest'
import { createTestApp, type TestApp } from '#test/app.ts'
import { givenFile, piecesOf, sendFile, withoutFontes } from './fontes-app.ts'
import { ENCRYPTED, heading, madeDocx, madePdf, paragraph, pdfOf, tableRow } from './made-files.ts'

let app: TestApp
beforeAll(async () => {
  app = await createTestApp()
})
afterAll(() => app.close())
beforeEach(() => withoutFontes(app))

describe('POST /ia/fontes with a file', () => {
  it('reads a PDF with its pages and joins the lines of a sentence', async () => {
    const pages = [
      ['Entregas em toda a cidade, todos', 'os dias da semana.', 'A taxa \u00e9 de R$ 8,00.'],
      ['Trocas em at\u00e9 sete dias.'],
    ]
    const fonte = await givenFile(app.admin, madePdf(pages), 'regras_da-loja.pdf')
    expect(fonte).toMatchObject({ tipo: 'arquivo', titulo: 'regras da loja', estado: 'pronta', trechos: 2 })
    expect(await piecesOf(app.admin, fonte)).toMatchObject([
      { pagina: 1, trecho: 'Entregas em toda a cidade, todos os dias da semana.\nA taxa é de R$ 8,00.' },
      { pagina: 2, trecho: 'Trocas em até sete dias.' },
    ])
  })

  it('reads a DOCX with headings and tables', async () => {
    const body = `${heading('Entregas')}${paragraph('Todos os dias &amp; feriados.')}<w:tbl>${tableRow('Centro', 'R$ 5')}${tableRow('Serra', 'R$ 9')}</w:tbl>`
    const fonte = await givenFile(app.admin, madeDocx(body), 'Entregas.docx')
    expect(await piecesOf(app.admin, fonte)).toMatchObject([
      { secao: 'Entregas', trecho: 'Todos os dias & feriados.\nCentro | R$ 5\nSerra | R$ 9' },
    ])
  })

  it.each([
    [
      'precos.csv',
      Buffer.from('Serviço;Preço\nBanho;R$ 50\n"Tosa; completa";R$ 80\n'),
      'Serviço: Banho; Preço: R$ 50\nServiço: Tosa; completa; Preço: R$ 80',
    ],
    ['antigo.txt', Buffer.from('Promo\u00e7\u00e3o de ver\u00e3o', 'latin1'), 'Promoção de verão'],
    [
      'pagina.html',
      Buffer.from('<html><nav>Menu</nav><h1>Trocas</h1><p>Sete dias.</p><script>x()</script></html>'),
      'Sete dias.',
    ],
  ])('reads %s', async (name, bytes, text) => {
    const fonte = await givenFile(app.admin, bytes, name)
    expect((await piecesOf(app.admin, fonte)).map(({ trecho }) => trecho)).toEqual([text])
  })

  const zeros = Buffer.alloc(60_000_000)
  const bomb = deflateSync(zeros)
  it.each([
    ['a PDF whose stream expands without end', 'a.pdf', () => pdfOf([bomb]), /grande demais/],
    ['a PDF with a bomb inside a compressed stream', 'a.pdf', () => pdfOf([deflateSync(bomb)]), /grande demais/],
    ['a DOCX that expands without end', 'a.docx', () => madeDocx('', { 'word/document.xml': zeros }), /grande demais/],
    ['a PDF with a password', 'a.pdf', () => madePdf([['segredo']], ENCRYPTED), /senha/],
    ['a PDF of pictures', 'a.pdf', () => madePdf([[]]), /imagens/],
    ['a broken PDF', 'a.pdf', () => Buffer.from('%PDF-1.4\nlixo'), /danificado/],
    ['a broken DOCX', 'a.docx', () => Buffer.from('PK\u0003\u0004lixo'), /danificado/],
    ['an old document', 'a.doc', () => Buffer.from([0xd0, 0xcf, 0x11, 0xe0, 0, 0]), /protegido/],
    [
      'a picture with the name of a PDF',
      'a.pdf',
      () => Buffer.from([0x89, 0x50, 0x4e, 0x47, 0, 1, 2]),
      /tipo de arquivo/,
    ],
    ['a program', 'a.txt', () => Buffer.from([0x7f, 0x45, 0x4c, 0x46, 0, 0]), /tipo de arquivo/],
    ['an empty text', 'a.txt', () => Buffer.from('  \n '), /vazio/],
  ])('fails for %s, names the cause and answers others meanwhile', async (_, name, make, motivo) => {
    const reading = givenFile(app.admin, make(), name)
    const start = performance.now()
    expect((await app.request('GET', '/ia/fontes')).status).toBe(200)
    expect(performance.now() - start).toBeLessThan(2_000)
    expect(await reading).toMatchObject({ estado: 'falhou', motivo: expect.stringMatching(motivo), trechos: 0 })
  })

  it('refuses more than 10 MB, no file and another field', async () => {
    expect(await sendFile(app.admin, Buffer.alloc(10_485_761, 'a'), 'a.txt')).toMatchObject({
      status: 413,
      body: { erro: 'O arquivo deve ter no máximo 10 MB.' },
    })
    expect((await sendFile(app.admin, Buffer.alloc(0), 'a.txt')).status).toBe(400)
    const form = new FormData()
    form.set('outro', new File(['x'], 'a.txt'))
    expect((await app.request('POST', '/ia/fontes', form)).status).toBe(400)
  })
})
