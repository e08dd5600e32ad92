import { crc32, deflateSync } from 'node:zlib'
import { encode } from 'uqr'

const SIGNATURE = Buffer.from([0x89, 0x50, 0x4e, 0x47, 0x0d, 0x0a, 0x1a, 0x0a])
/** Modules of white around the code (ISO/IEC 18004). */
const BORDER = 4

/** Draws a QR code as a PNG of black and white. `scale`: pixels of a module. */
export function qrPng(text: string, scale = 8): Buffer {
  const { data, size } = encode(text, { ecc: 'M', border: BORDER })
  const side = size * scale
  const header = Buffer.alloc(13)
  header.writeUInt32BE(side, 0)
  header.writeUInt32BE(side, 4)
  // The depth is one bit of grey. Compression, filter and interlacing are 0.
  header[8] = 1
  const rows = data.map((modules) => Buffer.concat(Array.from({ length: scale }, () => rowOf(modules, scale))))
  return Buffer.concat([
    SIGNATURE,
    chunk('IHDR', header),
    chunk('IDAT', deflateSync(Buffer.concat(rows))),
    chunk('IEND', Buffer.alloc(0)),
  ])
}

/** Filter 0, then eight pixels to a byte, white is 1. */
function rowOf(modules: readonly boolean[], scale: number): Buffer {
  const row = Buffer.alloc(1 + Math.ceil((modules.length * scale) / 8))
  for (let x = 0; x < modules.length * scale; x += 1) {
    const dark = modules[Math.floor(x / scale)] === true
    const at = 1 + (x >> 3)
    if (!dark) row[at] = (row[at] ?? 0) | (0x80 >> (x & 7))
  }
  return row
}

function chunk(type: string, content: Buffer): Buffer {
  const body = Buffer.concat([Buffer.from(type, 'latin1'), content])
  const frame = Buffer.alloc(8)
  frame.writeUInt32BE(content.length, 0)
  frame.writeUInt32BE(crc32(body), 4)
  return Buffer.concat([frame.subarray(0, 4), body, frame.subarray(4)])
}
