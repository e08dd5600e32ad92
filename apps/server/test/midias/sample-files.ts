import { crc32, deflateSync } from 'node:zlib'

function chunk(nome: string, data: Buffer): Buffer {
  const body = Buffer.concat([Buffer.from(nome, 'latin1'), data])
  const size = Buffer.alloc(4)
  size.writeUInt32BE(data.length)
  const sum = Buffer.alloc(4)
  sum.writeUInt32BE(crc32(body))
  return Buffer.concat([size, body, sum])
}

/** One grey pixel and an ignored chunk of the given size. */
export function png(padding = 0): Buffer {
  const ihdr = Buffer.from([0, 0, 0, 1, 0, 0, 0, 1, 8, 0, 0, 0, 0])
  return Buffer.concat([
    Buffer.from([0x89, 0x50, 0x4e, 0x47, 0x0d, 0x0a, 0x1a, 0x0a]),
    chunk('IHDR', ihdr),
    ...(padding === 0 ? [] : [chunk('prVt', Buffer.alloc(padding, 7))]),
    chunk('IDAT', deflateSync(Buffer.from([0, 128]))),
    chunk('IEND', Buffer.alloc(0)),
  ])
}

export const jpeg = (): Buffer =>
  Buffer.from('ffd8ffe000104a46494600010100000100010000ffdb004300' + '08'.repeat(64) + 'ffd9', 'hex')

export function webp(): Buffer {
  const data = Buffer.from('2f00000010071011118888fe0700', 'hex')
  const header = Buffer.alloc(20)
  header.write('RIFF', 0, 'latin1')
  header.writeUInt32LE(12 + data.length, 4)
  header.write('WEBPVP8L', 8, 'latin1')
  header.writeUInt32LE(data.length, 16)
  return Buffer.concat([header, data])
}

export function ogg(codec = 'OpusHead'): Buffer {
  const page = Buffer.alloc(28)
  page.write('OggS', 0, 'latin1')
  page[26] = 1
  page[27] = 19
  return Buffer.concat([page, Buffer.from(codec, 'latin1'), Buffer.alloc(64, 1)])
}

/** An EBML element with a size of 2 bytes. Without content: of unknown size. */
function ebml(id: string, ...content: Buffer[]): Buffer {
  const body = Buffer.concat(content)
  const size = Buffer.from('01ffffffffffffff', 'hex')
  const known = Buffer.from([0x40 | (body.length >> 8), body.length & 0xff])
  return Buffer.concat([Buffer.from(id, 'hex'), content.length === 0 ? size : known, body])
}

/** A live recording: segment and cluster have no known size. Tracks by codec. */
export function webm(codecs: readonly string[] = ['A_OPUS'], media = Buffer.alloc(64, 2), docType = 'webm'): Buffer {
  const track = (codec: string): Buffer =>
    ebml('ae', ebml('83', Buffer.from([codec.startsWith('A') ? 2 : 1])), ebml('86', Buffer.from(codec, 'latin1')))
  return Buffer.concat([
    ebml('1a45dfa3', ebml('4286', Buffer.from([1])), ebml('4282', Buffer.from(docType, 'latin1'))),
    ebml('18538067'),
    ebml('1549a966', ebml('4d80', Buffer.from('Chrome', 'latin1'))),
    ...(codecs.length === 0 ? [] : [ebml('1654ae6b', ...codecs.map(track))]),
    ebml('1f43b675'),
    media,
  ])
}

function box(name: string, ...content: Buffer[]): Buffer {
  const body = Buffer.concat(content)
  const head = Buffer.alloc(8)
  head.writeUInt32BE(body.length + 8)
  head.write(name, 4, 'latin1')
  return Buffer.concat([head, body])
}

/** Tracks by handler type: `soun`, `vide`. */
export function mp4(...tracks: string[]): Buffer {
  const trak = (tipo: string): Buffer =>
    box('trak', box('mdia', box('hdlr', Buffer.alloc(8), Buffer.from(tipo, 'latin1'), Buffer.alloc(13))))
  return Buffer.concat([
    box('ftyp', Buffer.from('M4A \0\0\0\0M4A mp42', 'latin1')),
    box('moov', box('mvhd', Buffer.alloc(100)), ...tracks.map(trak)),
    box('mdat', Buffer.alloc(32, 3)),
  ])
}

/** Frames of 128 kbit/s at 44.1 kHz, 417 bytes each. */
export function mp3({ tag = false }: { tag?: boolean } = {}): Buffer {
  const frame = Buffer.alloc(417)
  frame.write('fffb9000', 'hex')
  const id3 = Buffer.concat([Buffer.from('49443304000000000014', 'hex'), Buffer.alloc(20)])
  return Buffer.concat([...(tag ? [id3] : []), frame, frame, frame])
}

export const pdf = (): Buffer =>
  Buffer.from('%PDF-1.7\n1 0 obj\n<< /Type /Catalog >>\nendobj\ntrailer\n%%EOF\n', 'latin1')

export function zip(...names: string[]): Buffer {
  const locais: Buffer[] = []
  const index: Buffer[] = []
  let em = 0
  for (const nome of names) {
    const written = Buffer.from(nome, 'utf8')
    const local = Buffer.alloc(30)
    local.write('PK\u0003\u0004', 0, 'latin1')
    local.writeUInt16LE(written.length, 26)
    const central = Buffer.alloc(46)
    central.write('PK\u0001\u0002', 0, 'latin1')
    central.writeUInt16LE(written.length, 28)
    central.writeUInt32LE(em, 42)
    locais.push(local, written)
    index.push(central, written)
    em += local.length + written.length
  }
  const fim = Buffer.alloc(22)
  fim.write('PK\u0005\u0006', 0, 'latin1')
  fim.writeUInt16LE(names.length, 10)
  fim.writeUInt32LE(Buffer.concat(index).length, 12)
  fim.writeUInt32LE(em, 16)
  return Buffer.concat([...locais, ...index, fim])
}

export const docx = (): Buffer => zip('[Content_Types].xml', '_rels/.rels', 'word/document.xml')
export const xlsx = (): Buffer => zip('[Content_Types].xml', 'xl/workbook.xml', 'xl/worksheets/sheet1.xml')
export const textFile = (content = 'Olá!\r\nDuas linhas,\te um preço: 2 < 3.'): Buffer => Buffer.from(content, 'utf8')
