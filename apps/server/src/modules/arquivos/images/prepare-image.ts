import type { Sharp, SharpOptions } from 'sharp'
import { AppError } from '#errors.ts'
import { createGate } from '#lib/queue/gate.ts'

const SIDE_MAX = 1_600
const MINI_SIDE = 320
const UNREADABLE_TEXT = 'Não foi possível ler esta imagem. Salve-a de novo em PNG, JPG ou WEBP e tente outra vez.'
const TOO_LARGE_TEXT = 'Esta imagem tem pontos demais. Use uma de até 24 megapixels.'

/** Memory for decoding depends on the number of pixels, so the limit of the file size does not bound it. */
const decodeGate = createGate({
  ...{ atOnce: 2, waiting: 16, waitingPerKey: 8 },
  full: () => new AppError('servidorOcupado'),
})

/**
 * Re-encodes a picture as WebP, rotated upright, at most 1,600 pixels a side, and a small version of 320 pixels.
 * Re-encoding removes metadata and data hidden behind the pixels. Throws `imagemInvalida`, `imagemGrande`,
 * `servidorOcupado`.
 */
export async function prepareImage(contaId: string, bytes: Uint8Array): Promise<Record<'image' | 'mini', Buffer>> {
  const open = await loadSharp()
  return decodeGate.run(async () => {
    await requireDimensions(open, bytes)
    const image = await reencode(() =>
      open(bytes)
        .autoOrient()
        .resize({ width: SIDE_MAX, height: SIDE_MAX, fit: 'inside', withoutEnlargement: true })
        .webp({ quality: 82 })
        .toBuffer(),
    )
    const mini = await reencode(() =>
      open(image)
        .resize({ width: MINI_SIDE, height: MINI_SIDE, fit: 'inside', withoutEnlargement: true })
        .webp({ quality: 75 })
        .toBuffer(),
    )
    return { image, mini }
  }, contaId)
}

/** Messaging services show WebP as a sticker or not at all. */
export async function toJpeg(contaId: string, bytes: Uint8Array): Promise<Buffer> {
  const open = await loadSharp()
  return decodeGate.run(async () => {
    await requireDimensions(open, bytes)
    return reencode(() => open(bytes).flatten({ background: '#fff' }).jpeg({ quality: 85, mozjpeg: true }).toBuffer())
  }, contaId)
}

/** Reads only the header, so a picture with too many pixels is refused before decoding. */
async function requireDimensions(open: OpenImage, bytes: Uint8Array): Promise<void> {
  const { width, height } = await open(bytes)
    .metadata()
    .catch((error: unknown) => refuseImage(error))
  if (width * height > PIXELS_MAX) throw new AppError('imagemGrande', { erro: TOO_LARGE_TEXT })
}

function reencode(run: () => Promise<Buffer>): Promise<Buffer> {
  return run().catch((error: unknown) => refuseImage(error))
}

function refuseImage(error: unknown): never {
  if (error instanceof Error && error.message.includes('exceeds pixel limit')) {
    throw new AppError('imagemGrande', { erro: TOO_LARGE_TEXT })
  }
  // A picture within the limits exceeds the timeout only on an overloaded server, so a later attempt can succeed.
  if (error instanceof Error && error.message.includes('timeout: ')) throw new AppError('servidorOcupado')
  throw new AppError('imagemInvalida', { erro: UNREADABLE_TEXT })
}

/** 24 megapixels is the largest default of phones. */
const PIXELS_MAX = 24_000_000
const SECONDS_MAX = 5

const ALLOWED_DECODERS = ['VipsForeignLoadPngBuffer', 'VipsForeignLoadJpegBuffer', 'VipsForeignLoadWebpBuffer']

const SHARP_OPTIONS: SharpOptions = {
  limitInputPixels: PIXELS_MAX,
  failOn: 'warning',
  pages: 1,
  sequentialRead: true,
}

type OpenImage = (bytes: Uint8Array) => Sharp

let opened: Promise<OpenImage> | undefined

function loadSharp(): Promise<OpenImage> {
  opened ??= importSharp().catch((error: unknown) => {
    opened = undefined
    throw error
  })
  return opened
}

async function importSharp(): Promise<OpenImage> {
  // libvips reads this variable on import.
  process.env['VIPS_BLOCK_UNTRUSTED'] = '1'
  const { default: sharp } = await import('sharp')
  sharp.block({ operation: ['VipsForeignLoad'] })
  sharp.unblock({ operation: ALLOWED_DECODERS })
  // At most two pictures at once, each with one thread. No picture is decoded twice.
  sharp.concurrency(1)
  sharp.cache(false)
  return (bytes) => sharp(bytes, SHARP_OPTIONS).timeout({ seconds: SECONDS_MAX })
}
