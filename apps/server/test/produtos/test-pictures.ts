import { once } from 'node:events'
import { crc32, createDeflate } from 'node:zlib'
import sharp, { type Sharp } from 'sharp'

export function testPicture(width: number, height: number): Sharp {
  return sharp({ create: { width, height, channels: 3, background: '#c05020' } })
}

/** Noise, which no format compresses well. */
export function noisePicture(width: number, height: number): Sharp {
  return sharp({
    create: { width, height, channels: 3, background: '#888', noise: { type: 'gaussian', mean: 128, sigma: 60 } },
  })
}

function chunk(name: string, data: Buffer): Buffer {
  const body = Buffer.concat([Buffer.from(name, 'latin1'), data])
  const numeros = Buffer.alloc(8)
  numeros.writeUInt32BE(data.length)
  numeros.writeUInt32BE(crc32(body), 4)
  return Buffer.concat([numeros.subarray(0, 4), body, numeros.subarray(4)])
}

/** A valid black PNG of `lado` × `lado` with 1 bit per pixel: small to send, but almost 1 GB to decode at 30,000. */
export async function hugePng(side: number): Promise<Buffer> {
  const deflate = createDeflate({ level: 6 })
  const parts: Buffer[] = []
  deflate.on('data', (part: Buffer) => parts.push(part))
  const line = Buffer.alloc(Math.ceil(side / 8) + 1)
  for (let y = 0; y < side; y += 1) if (!deflate.write(line)) await once(deflate, 'drain')
  deflate.end()
  await once(deflate, 'end')
  const ihdr = Buffer.from([0, 0, 0, 0, 0, 0, 0, 0, 1, 0, 0, 0, 0])
  ihdr.writeUInt32BE(side)
  ihdr.writeUInt32BE(side, 4)
  return Buffer.concat([
    Buffer.from('89504e470d0a1a0a', 'hex'),
    chunk('IHDR', ihdr),
    chunk('IDAT', Buffer.concat(parts)),
    chunk('IEND', Buffer.alloc(0)),
  ])
}

const EMPTY_CHUNK_BYTES = 12

/** Pads the PNG to `tamanho` bytes with a private chunk that decoders ignore. */
export function padPng(png: Buffer, bytes: number): Buffer {
  const fim = png.length - EMPTY_CHUNK_BYTES
  const nada = chunk('prVt', Buffer.alloc(bytes - png.length - EMPTY_CHUNK_BYTES, 7))
  return Buffer.concat([png.subarray(0, fim), nada, png.subarray(fim)])
}
