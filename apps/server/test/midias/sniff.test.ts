import { describe, expect, it } from 'vitest'
import { sniffType } from '#modules/arquivos/rules/sniff.ts'
import { parseRange } from '#modules/arquivos/serve-arquivos.ts'
import { contentDisposition, displayName } from '#modules/arquivos/rules/file-name.ts'
import { docx, jpeg, mp3, mp4, ogg, pdf, png, textFile, webm, webp, xlsx, zip } from './sample-files.ts'

const together = (...parts: (Buffer | string)[]): Buffer =>
  Buffer.concat(parts.map((part) => (typeof part === 'string' ? Buffer.from(part, 'latin1') : part)))

const OFFICE = 'application/vnd.openxmlformats-officedocument'

describe('farejar, accepted files', () => {
  it.each([
    ['PNG', png(), 'image/png', 'imagem'],
    ['JPEG', jpeg(), 'image/jpeg', 'imagem'],
    ['WebP', webp(), 'image/webp', 'imagem'],
    ['Opus in Ogg', ogg(), 'audio/ogg', 'audio'],
    ['Vorbis in Ogg', ogg('\u0001vorbis'), 'audio/ogg', 'audio'],
    ['WebM from a browser', webm(), 'audio/webm', 'audio'],
    ['WebM whose sound contains V_', webm(['A_OPUS'], Buffer.from('V_VP9 V_')), 'audio/webm', 'audio'],
    ['WebM with Vorbis', webm(['A_VORBIS']), 'audio/webm', 'audio'],
    ['M4A', mp4('soun'), 'audio/mp4', 'audio'],
    ['MP3', mp3(), 'audio/mpeg', 'audio'],
    ['MP3 with a tag', mp3({ tag: true }), 'audio/mpeg', 'audio'],
    ['PDF', pdf(), 'application/pdf', 'documento'],
    ['Word', docx(), `${OFFICE}.wordprocessingml.document`, 'documento'],
    ['Excel', xlsx(), `${OFFICE}.spreadsheetml.sheet`, 'documento'],
    ['text', textFile(), 'text/plain', 'documento'],
    ['text with a byte-order mark', textFile('\ufeffOi'), 'text/plain', 'documento'],
    ['a phone’s JPEG with a trailer', together(jpeg(), '\0\0SEFHe\0SEFT'), 'image/jpeg', 'imagem'],
    ['a JPEG with XMP metadata', together(jpeg(), '<?xpacket?><x:xmpmeta><rdf:RDF>'), 'image/jpeg', 'imagem'],
  ])('accepts %s', (_nome, bytes, mime, midia) => {
    expect(sniffType(bytes, 'pagina.html')).toMatchObject({ mime, midia })
  })

  it('detects CSV by its file name only for text', () => {
    expect(sniffType(textFile('nome;preço\nbolo;30'), 'Produtos.CSV')?.mime).toBe('text/csv')
    expect(sniffType(png(), 'Produtos.csv')?.mime).toBe('image/png')
  })
})

describe('farejar, rejected files', () => {
  it.each([
    ['an SVG', textFile('<svg xmlns="http://www.w3.org/2000/svg"><script>alert(1)</script></svg>')],
    ['an SVG after an XML declaration', textFile('<?xml version="1.0"?>\n<svg/>')],
    ['an HTML page', textFile('<!DOCTYPE html><p>oi')],
    ['an HTML page after a byte-order mark and spaces', textFile('\ufeff \n\t<HTML>')],
    ['text that contains a script', textFile('oi, tudo bem?\n<ScRiPt src=//mau.example></ScRiPt>')],
    ['a shell script', textFile('#!/bin/sh\nrm -rf ~')],
    ['text in another encoding', Buffer.from('preço', 'latin1')],
    ['text with a NUL byte', textFile('oi\0')],
    ['UTF-16', Buffer.from('\ufeffoi', 'utf16le')],
    ['an executable', together('MZ\u0090\0\u0003\0\0\0', Buffer.alloc(64))],
    ['a GIF', together('GIF89a', Buffer.alloc(20))],
    ['a ZIP archive', zip('foto.png')],
    ['a ZIP archive with an Office file name', zip('[Content_Types].xml', 'word/outra.xml')],
    ['a Word document with macros', zip('[Content_Types].xml', 'word/document.xml', 'word/vbaProject.bin')],
    ['a truncated Word document', docx().subarray(0, -30)],
    ['a ZIP archive with an invalid index', Buffer.concat([zip('a'), Buffer.alloc(0)]).fill(0xff, 40, 60)],
    ['video in MP4', mp4('soun', 'vide')],
    ['an MP4 without tracks', mp4()],
    ['video in WebM', webm(['A_OPUS', 'V_VP9'])],
    ['WebM with another sound codec', webm(['A_PCM/INT/LIT'])],
    ['WebM without tracks', webm([])],
    ['WebM that names a codec in its sound only', webm([], Buffer.from('A_OPUS'))],
    ['Matroska', webm(['A_OPUS'], Buffer.alloc(64), 'matroska')],
    ['video in Ogg', ogg('\u0080theora')],
    ['a single MP3 frame', mp3().subarray(0, 417)],
    ['a PNG signature without data', png().subarray(0, 8)],
    ['a truncated WebP', webp().subarray(0, 20)],
  ])('rejects %s', (_nome, bytes) => {
    expect(sniffType(bytes, 'foto.png')).toBeNull()
  })

  it.each([
    ['a PNG followed by an HTML page', together(png(), '<html><script>alert(1)</script>')],
    ['a JPEG with an SVG inside', together(jpeg().subarray(0, 20), '<SVG onload=alert(1)>', jpeg().subarray(20))],
    ['a PNG followed by a ZIP archive', together(png(), zip('META-INF/MANIFEST.MF'))],
    ['a JPEG that contains a PDF', together(jpeg().subarray(0, 20), pdf(), jpeg().subarray(20))],
    ['a PDF followed by a ZIP archive', together(pdf(), zip('a.class'))],
    ['an MP3 followed by an HTML page', together(mp3({ tag: true }), '<!DOCTYPE HTML >')],
  ])('rejects %s', (_nome, bytes) => {
    expect(sniffType(bytes, 'foto.png')).toBeNull()
  })

  it('never throws for truncated or nested input', () => {
    const all = [png(), jpeg(), webp(), ogg(), webm(), mp4('soun'), mp3({ tag: true }), pdf(), docx(), textFile()]
    for (const bytes of all) {
      for (let fim = 0; fim <= Math.min(bytes.length, 600); fim += 1) sniffType(bytes.subarray(0, fim), '')
    }
    const fundo = Buffer.alloc(4_000_000)
    for (let em = 0; em < fundo.length; em += 8) fundo.write('\0\0\0\0moov', em, 'latin1')
    expect(sniffType(together(mp4().subarray(0, 24), fundo), '')).toBeNull()
    const segments = Buffer.alloc(4_000_000, Buffer.from('18538067ff', 'hex'))
    expect(sniffType(together(webm().subarray(0, 20), segments), '')).toBeNull()
  })
})

describe('nomeParaPessoas and contentDisposition', () => {
  const pdfs = { extensions: ['pdf'] } as const
  const jpegs = { extensions: ['jpg', 'jpeg'] } as const
  it.each([
    ['orçamento.pdf', pdfs, 'orçamento.pdf'],
    ['FOTO.JPEG', jpegs, 'FOTO.jpeg'],
    ['../../etc/passwd', pdfs, 'passwd.pdf'],
    ['C:\\Users\\ana\\nota.pdf', pdfs, 'nota.pdf'],
    ['boleto.bat', { extensions: ['txt'] } as const, 'boleto.bat.txt'],
    ['nota\u202efdp.exe', pdfs, 'notafdp.exe.pdf'],
    ['a\u0000b\r\nSet-Cookie: x.pdf', pdfs, 'abSet-Cookie_ x.pdf'],
    ['.htaccess', { extensions: ['txt'] } as const, 'htaccess.txt'],
    ['   ', pdfs, ''],
    ['', pdfs, ''],
    [`${'a'.repeat(300)}.pdf`, pdfs, `${'a'.repeat(116)}.pdf`],
  ] as const)('cleans the file name %j', (sent, tipo, expected) => {
    expect(displayName(sent, tipo)).toBe(expected)
  })

  it('encodes the file name for the header', () => {
    expect(contentDisposition('attachment', 'Orçamento "final" (2).pdf')).toBe(
      `attachment; filename="Orcamento _final_ (2).pdf"; filename*=UTF-8''Or%C3%A7amento%20%22final%22%20%282%29.pdf`,
    )
    expect(contentDisposition('inline', '')).toBe('inline')
  })
})

it.each([
  [undefined, 'tudo'],
  ['bytes=0-', { start: 0, end: 9 }],
  ['bytes=2-4', { start: 2, end: 4 }],
  ['bytes=4-999', { start: 4, end: 9 }],
  ['bytes=-3', { start: 7, end: 9 }],
  ['bytes=-30', { start: 0, end: 9 }],
  ['bytes=10-', 'fora'],
  ['bytes=-0', 'fora'],
  ['bytes=5-2', 'tudo'],
  ['bytes=-', 'tudo'],
  ['bytes=0-1,3-4', 'tudo'],
  ['linhas=0-1', 'tudo'],
] as const)('parses Range %s of a ten-byte file', (range, expected) => {
  expect(parseRange(range, 10)).toEqual(expected)
})
